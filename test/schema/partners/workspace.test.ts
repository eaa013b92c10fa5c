import { describe, expect, test } from 'vitest';
import { Client, ClientReview } from '../../../src/entities/client.ts';
import { SigningKey } from '../../../src/entities/signing-key.ts';
import { takeClientStep } from '../../../src/partners/client/take-step.ts';
import { MOST_OWN_CLIENTS } from '../../../src/people/workspace/edit-own-client.ts';
import { armFailure } from '../../../src/sandbox/failure/arm-failure.ts';
import { runAsMember } from '../../support/member-call.ts';
import { testApp } from '../../support/test-app.ts';
import { createSide } from './create-side.ts';

const app = await testApp();
const side = await createSide(app, 'Front');

const run = (document: string, values: object = {}) =>
  runAsMember(app, side.member, document, { ...values }) as Promise<Record<string, Record<string, unknown>>>;

const EDIT = `mutation ($id: ID!, $version: Int!, $changes: ClientChanges!, $note: String) {
  editClient(clientId: $id, version: $version, changes: $changes, note: $note) {
    ... on Client { name redirectUris openReview { submittedBy note changes { field added } } }
    ... on Refusal { code message }
  } }`;

async function versionOf(id: string): Promise<number> {
  return (await app.context().em.findOneOrFail(Client, { id: id as Client['id'] })).version;
}

describe('a client that was approved', () => {
  test('keeps its redirect URIs until staff have reviewed the change', async () => {
    const changes = { redirectUris: ['https://front.example/later'] };
    const edited = await run(EDIT, { id: side.approved, version: side.approvedVersion, changes, note: 'Moved.' });
    expect(edited.editClient).toMatchObject({
      redirectUris: ['https://front.example/approved'],
      openReview: {
        submittedBy: 'PARTNER',
        note: 'Front says why',
        changes: [{ field: 'redirectUris', added: ['https://front.example/later'] }],
      },
    });
  });

  test.each([
    [{ name: 'Another Name' }],
    [{ refreshRetryWindow: 10 }],
    [{ name: 'Another Name', redirectUris: ['https://front.example/x'] }],
  ])('keeps what is not reviewed: %j', async (changes) => {
    const version = await versionOf(side.approved);
    const { editClient } = await run(EDIT, { id: side.approved, version, changes, note: 'x' });
    expect(editClient).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('ask staff') });
    expect(await versionOf(side.approved)).toBe(version);
  });
});

test('D-131: the member who submitted a client is its first person, and one of staff the second', async () => {
  const version = await versionOf(side.inReview);
  const request = { clientId: side.inReview, reason: 'Good.', version };
  const own = takeClientStep(app.context(), 'approve', request, `member:${side.member.id}`);
  await expect(own).rejects.toMatchObject({ code: 'forbidden' });
  const { status } = await takeClientStep(app.context(), 'approve', request, 'staff:someone');
  expect(status).toBe('approved');
});

test('a member sees why a review was rejected, but neither who of the staff did it nor what staff noted', async () => {
  const review = { reason: 'The redirect URI is not yours.', note: 'internal: watch them' };
  const { em, now } = app.context();
  const usual = { loopbackAnyPort: false, refreshRetryWindow: 0, privacyUrl: '', marketplaces: [] };
  const registration = { name: 'x', redirectUris: [], scopes: [], ...usual };
  const submitted = { submittedBy: 'staff:stf_2', submittedAt: now(), registration };
  const decided = { decision: 'rejected', decidedBy: 'staff:stf_1', decidedAt: now() } as const;
  em.create(ClientReview, { client: side.draft, ...submitted, ...review, ...decided });
  await em.flush();
  const { client } = await run(`{ client(id: "${side.draft}") { reviews { submittedBy note decision reason } } }`);
  expect(client?.reviews).toEqual([
    { submittedBy: 'STAFF', note: null, decision: 'REJECTED', reason: 'The redirect URI is not yours.' },
  ]);
});

test('a member registers a client up to the limit, also several at once', async () => {
  const register = `mutation ($registration: ClientRegistration!) {
    registerClient(registration: $registration) { ... on Client { status goLive { name done isNext } } ... on Refusal { code message } } }`;
  const at = { redirectUris: ['https://front.example/own'], scopes: ['openid'] };
  const registration = { name: 'Own', mode: 'PRODUCTION', ...at };
  const { registerClient } = await run(register, { registration });
  expect(registerClient).toEqual({
    status: 'DRAFT',
    goLive: [
      { name: 'registered', done: true, isNext: false },
      { name: 'submitted', done: false, isNext: true },
      { name: 'approved', done: false, isNext: false },
      { name: 'enabled', done: false, isNext: false },
    ],
  });
  const { em } = app.context();
  const known = await em.count(Client, { partner: side.partner });
  const more = MOST_OWN_CLIENTS - known + 3;
  const answers = await Promise.all(Array.from({ length: more }, () => run(register, { registration })));
  expect(answers.filter(({ registerClient: answer }) => answer?.code === 'conflict')).toHaveLength(3);
  expect(await em.count(Client, { partner: side.partner })).toBe(MOST_OWN_CLIENTS);
});

describe('the request log', () => {
  const REQUEST = 'query ($id: ID!) { request(id: $id) { label fix replay { method url curl variables } } }';

  test('gives a request by its id, with a command that makes it again and has no secret', async () => {
    const { request } = await run(REQUEST, { id: side.request.toUpperCase() });
    expect(request).toEqual({
      label: 'GET /tickets',
      fix: null,
      replay: {
        method: 'GET',
        url: `${app.config.apiUrl}/tickets`,
        curl: `curl -i "${app.config.apiUrl}/tickets" \\\n  -H "Authorization: Bearer $ACCESS_TOKEN"`,
        variables: ['ACCESS_TOKEN'],
      },
    });
  });

  test('says of a refused request what to do about it', async () => {
    const failed = '{ requests(filter: { outcome: "failed" }) { nodes { message fix replay { curl } } } }';
    const { requests } = await run(failed);
    const [refused] = (requests?.nodes ?? []) as { message: string; fix: string; replay: { curl: string } }[];
    expect(refused?.message).toBe('code was revoked');
    expect(refused?.fix).toContain('Send the fan to sign in again.');
    expect(refused?.replay.curl).toContain(`--data-urlencode "client_id=${side.sandbox}"`);
  });
});

test('usage counts what the client’s fans and calls have done', async () => {
  const { usage } = await run(
    'query ($id: ID!) { usage(clientId: $id, period: DAY) { calls { name total } refusals { name total } } }',
    { id: side.sandbox },
  );
  expect(usage).toMatchObject({
    calls: [
      { name: '2xx', total: 3 },
      { name: '4xx', total: 3 },
      { name: '5xx', total: 0 },
    ],
    refusals: [{ name: 'price_zero', total: 3 }],
  });
});

test('a member sees the keys that sign every client’s tokens, and the operations of clients', async () => {
  await armFailure(app.context(), side.sandbox, { failure: 'key_rotation' }, 'system');
  const { em } = app.context();
  expect(await em.count(SigningKey, { client: side.sandbox })).toBe(1);
  const seen = await run('{ signingKeys { kid } requestOperations { name } }');
  const shared = await em.find(SigningKey, { client: null }, { orderBy: { createdAt: 'desc' } });
  expect(seen.signingKeys).toEqual(shared.map(({ kid }) => ({ kid })));
  const names = (seen.requestOperations as unknown as { name: string }[]).map(({ name }) => name);
  expect(names).toContain('tickets.list');
  expect(names.filter((name) => /^(console|portal|graphql|workspace)/.test(name))).toEqual([]);
});

test('a member’s query counts 25,000 fields and rows at most, where one of staff may count more', async () => {
  const fields = 'id name mode status version createdAt updatedAt grantCount isStopped privacyUrl';
  const lists = (count: number) =>
    `{ ${Array.from({ length: count }, (_, i) => `a${i}: clients(first: 100) { nodes { ${fields} } }`).join(' ')} }`;
  expect(Object.keys(await run(lists(20)))).toHaveLength(20);
  await expect(run(lists(25))).rejects.toThrow('The query is too large: its complexity is over the limit.');
});
