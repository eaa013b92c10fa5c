import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../src/entities/client.ts';
import { ALL_SCOPES } from '../../src/oauth/scopes.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { countStatements } from '../support/count-statements.ts';
import { makeClient } from '../support/make-client.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

let ann: SignedInStaff;
let bob: SignedInStaff;
let partnerId: string;

const app = await testApp();
beforeAll(async () => {
  [ann, bob] = await Promise.all([newStaff(app, 'support'), newStaff(app, 'admin')]);
  const { registerPartner } = await runAs<{ registerPartner: { id: string } }>(
    app,
    ann,
    'mutation { registerPartner(name: "Stage Door") { ... on Partner { id } } }',
  );
  partnerId = registerPartner.id;
});

const REGISTRATION = {
  name: 'Stage Door Resale',
  mode: 'PRODUCTION',
  redirectUris: ['https://stage.example/cb'],
  scopes: ['openid', 'fan:tickets:read'],
};

/** What a mutation answered, whichever it was. */
interface Answer {
  __typename: string;
  code?: string;
  message?: string;
  [field: string]: unknown;
}

/** Runs one mutation that answers with a client or a refusal. */
async function mutate(staff: SignedInStaff, call: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  const declared = { id: 'ID!', registration: 'ClientRegistration!', changes: 'ClientChanges!', version: 'Int!' };
  const header = Object.keys(variables).map((name) => `$${name}: ${declared[name as keyof typeof declared]}`);
  const document = `mutation ${header.length > 0 ? `(${header.join()})` : ''} { answer: ${call} {
    __typename ... on Client { id status version name corsOrigins } ... on ClientReview { client { id status version } }
    ... on Refusal { code message }
  } }`;
  return (await runAs<{ answer: Answer }>(app, staff, document, variables)).answer;
}

const register = (changes: object = {}) =>
  mutate(ann, `registerClient(partnerId: "${partnerId}", registration: $registration)`, {
    registration: { ...REGISTRATION, ...changes },
  });

describe('a production client through GraphQL', () => {
  const CLIENT = `query ($id: ID!) { client(id: $id) {
    status version redirectUris partner { name } openReview { submittedBy { id } mayApprove changes { field added removed } }
    reviews { submittedBy { id } decidedBy { id } decision note mayApprove editors { id } registration { redirectUris } }
    history { nodes { action actor } }
  } }`;
  const read = async (id: unknown) => (await runAs<{ client: Answer }>(app, bob, CLIENT, { id })).client;

  it('goes from draft to enabled by two people, and an edit of what was approved waits beside it', async () => {
    const { id, status } = await register();
    expect(status).toBe('DRAFT');
    const submitted = await mutate(ann, `submitClient(clientId: $id, note: "Ready")`, { id });
    expect(submitted).toMatchObject({ __typename: 'ClientReview', client: { status: 'IN_REVIEW' } });
    const { version, reviews } = await read(id);
    expect(reviews).toEqual([
      {
        submittedBy: { id: ann.id },
        decidedBy: null,
        decision: null,
        note: 'Ready',
        mayApprove: true,
        editors: [],
        registration: { redirectUris: REGISTRATION.redirectUris },
      },
    ]);
    const decide = { id, version };
    const approve = 'approveClient(clientId: $id, version: $version, reason: "Fine")';
    expect(await mutate(ann, approve, decide)).toMatchObject({ code: 'forbidden' });
    expect(await mutate(bob, approve, decide)).toMatchObject({ status: 'APPROVED' });
    expect(await mutate(bob, 'enableClient(clientId: $id, reason: "Go")', { id })).toMatchObject({ status: 'ENABLED' });
    const enabled = await read(id);
    expect(enabled).toMatchObject({ partner: { name: 'Stage Door' }, openReview: null });
    const edit = { id, version: enabled.version, changes: { redirectUris: ['https://stage.example/new'] } };
    const call = (more = 'note: "They moved"') =>
      `editClient(clientId: $id, version: $version, changes: $changes ${more})`;
    expect(await mutate(bob, call(''), edit)).toMatchObject({ code: 'invalid_request' });
    expect(await mutate(bob, call(), edit)).toMatchObject({ status: 'ENABLED' });
    expect(await mutate(ann, call(), edit)).toMatchObject({ code: 'stale_edit' });
    const edited = await read(id);
    expect(edited).toMatchObject({ redirectUris: REGISTRATION.redirectUris });
    expect(edited.openReview).toEqual({
      submittedBy: { id: bob.id },
      mayApprove: false,
      changes: [{ field: 'redirectUris', added: ['https://stage.example/new'], removed: ['https://stage.example/cb'] }],
    });
    expect(edited.reviews).toMatchObject([{ decision: null }, { decision: 'APPROVED', decidedBy: { id: bob.id } }]);
    const { nodes } = edited.history as { nodes: { action: string; actor: string }[] };
    expect(nodes.map(({ action }) => action)).toEqual([
      'client.submitted',
      'client.enabled',
      'client.approved',
      'client.submitted',
      'client.registered',
    ]);
    const queue = await runAs<Record<string, { nodes: unknown }>>(
      app,
      ann,
      '{ reviewQueue { nodes { client { id } } } }',
    );
    expect(queue.reviewQueue?.nodes).toEqual([{ client: { id } }]);
  });

  it('a registration is linted as it is typed, with what is wrong at its place', async () => {
    const lint = `query ($registration: ClientRegistration!) { lintRegistration(registration: $registration) {
      name redirectUris { value fault } redirectUrisFault scopes { value fault } scopesFault loopbackAnyPort refreshRetryWindow corsOrigins
    } }`;
    const registration = {
      name: '',
      mode: 'PRODUCTION',
      redirectUris: ['https://a.example/cb', 'http://a.example/cb', 'https://a.example/cb'],
      scopes: ['openid', 'fan:everything'],
      loopbackAnyPort: true,
      refreshRetryWindow: 31,
    };
    expect((await runAs(app, ann, lint, { registration })).lintRegistration).toEqual({
      name: 'must have 1 to 120 characters',
      redirectUris: [
        { value: 'https://a.example/cb', fault: null },
        { value: 'http://a.example/cb', fault: 'must begin with https:// in production' },
        { value: 'https://a.example/cb', fault: 'is a duplicate' },
      ],
      redirectUrisFault: null,
      scopes: [
        { value: 'openid', fault: null },
        { value: 'fan:everything', fault: 'is not a scope of this server' },
      ],
      scopesFault: null,
      loopbackAnyPort: 'needs a redirect URI on http://127.0.0.1 or http://[::1]',
      refreshRetryWindow: 'must be whole seconds, 0 to 30',
      corsOrigins: ['https://a.example'],
    });
    expect(await register({ redirectUris: ['http://a.example/cb'] })).toMatchObject({
      code: 'invalid_request',
      message: 'redirectUris[0] must begin with https:// in production.',
    });
  });

  it('identifiers of another kind, or of nothing, are refused in words', async () => {
    for (const id of ['x', partnerId, 'client_01h455vb4pex5vsknk084sn02q']) {
      expect(await mutate(bob, 'suspendClient(clientId: $id, reason: "x")', { id })).toMatchObject({
        code: 'not_found',
      });
    }
    await expect(runAs(app, ann, '{ client(id: "x") { id } }')).rejects.toThrow('There is no client x.');
    await expect(runAs(app, ann, '{ clients(partnerId: "x") { nodes { id } } }')).rejects.toThrow('no partner x');
    await expect(
      runAs(app, ann, `query { client(id: "${app.kit.client_id}") { history(after: "x") { nodes { id } } } }`),
    ).rejects.toThrow('The cursor belongs to another list.');
  });
});

it('every scope is explained, those of a group together', async () => {
  const { scopes } = await runAs<{
    scopes: { name: string; group: string; says: string; isAction: boolean; inUse: boolean }[];
  }>(app, ann, '{ scopes { name group says isAction inUse } }');
  expect(scopes.map(({ name }) => name).sort()).toEqual([...ALL_SCOPES].sort());
  const inUse = scopes.filter((scope) => scope.inUse).map(({ name }) => name);
  expect(inUse.sort()).toEqual([...app.kit.scopes].sort());
  expect(scopes.filter(({ isAction }) => isAction)).toHaveLength(13);
  const groups = scopes.map(({ group }) => group).filter((group, index, all) => group !== all[index - 1]);
  expect(new Set(groups).size).toBe(groups.length);
});

it('a kill switch is set and lifted by kind and subject, and shows at what it stops', async () => {
  const set = (args: string) =>
    runAs<{ answer: Answer }>(
      app,
      bob,
      `mutation { answer: setKillSwitch(${args}, reason: "Breach") {
        __typename ... on KillSwitch { kind client { id } fan { id } country setBy { id } } ... on Refusal { code message } } }`,
    ).then(({ answer }) => answer);
  const { client_id: id } = app.kit;
  expect(await set(`kind: CLIENT, subject: "${id}"`)).toMatchObject({
    client: { id },
    fan: null,
    setBy: { id: bob.id },
  });
  expect(await set('kind: SMS_COUNTRY, subject: "fr"')).toMatchObject({ kind: 'SMS_COUNTRY', country: 'FR' });
  expect(await set('kind: CLIENT')).toMatchObject({ code: 'invalid_request' });
  expect(await set('kind: CO_SIGNING, subject: "x"')).toMatchObject({ code: 'invalid_request' });
  const read = `{ killSwitches { totalCount nodes { kind } } client(id: "${id}") { killSwitch { reason } } }`;
  expect(await runAs(app, ann, read)).toEqual({
    killSwitches: { totalCount: 2, nodes: [{ kind: 'SMS_COUNTRY' }, { kind: 'CLIENT' }] },
    client: { killSwitch: { reason: 'Breach' } },
  });
  const lift = `mutation { answer: liftKillSwitch(kind: CLIENT, subject: "${id}", reason: "Over") { ... on LiftedKillSwitch { wasOn } } }`;
  expect(await runAs(app, bob, lift)).toEqual({ answer: { wasOn: true } });
  expect(await runAs(app, bob, lift)).toEqual({ answer: { wasOn: false } });
});

describe('the list of clients', () => {
  const LIST = `query ($first: Int, $search: String, $mode: Mode, $status: [ClientStatus!], $partnerId: ID) {
    clients(first: $first, search: $search, mode: $mode, status: $status, partnerId: $partnerId) {
      totalCount
      nodes {
        id name mode status partner { name clientCount } grantCount killSwitch { id }
        openReview { id } reviews { id submittedBy { name } changes { field } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }`;
  interface List {
    clients: { totalCount: number; nodes: { id: string; name: string; grantCount: number }[] };
  }
  const list = async (variables: Record<string, unknown>) => (await runAs<List>(app, ann, LIST, variables)).clients;

  it('is searched by a part of the name or the whole client_id, and narrowed by mode, status and partner', async () => {
    const id = await makeClient(app, { name: 'The 50% Off Shop' });
    expect((await list({ search: '50% off' })).nodes.map((client) => client.id)).toEqual([id]);
    expect((await list({ search: ` ${id} ` })).nodes.map((client) => client.id)).toEqual([id]);
    const drafts = await register({ name: 'Only A Draft' });
    expect((await list({ partnerId, status: ['DRAFT'] })).nodes.map((client) => client.id)).toEqual([drafts.id]);
    expect((await list({ mode: 'SANDBOX', partnerId })).totalCount).toBe(0);
  });

  it('takes the same statements however many rows it shows', async () => {
    for (let made = 0; made < 12; made += 1) await makeClient(app, { name: `Row ${made}` });
    const count = async (first: number) => {
      const { result, statements } = await countStatements(() => list({ first }));
      expect(result.nodes).toHaveLength(first);
      return statements.length;
    };
    const [few, many] = [await count(2), await count(12)];
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(9);
  });

  it('shows a page of 1,000 clients with 10,000 grants in under 100 ms', async () => {
    const { em } = app.context();
    await em.execute(`insert into partner (id, name, created_at)
      select gen_random_uuid(), 'Partner ' || n, now() from generate_series(1, 100) n`);
    await em.execute(`insert into client (id, partner_id, name, mode, status, redirect_uris, scopes, cors_origins, created_at, updated_at)
      select gen_random_uuid(), p.id, 'Client ' || n, 'sandbox', 'sandbox-ready', '{https://a.example/cb}', '{openid}', '{https://a.example}', now(), now()
      from partner p, generate_series(1, 10) n where p.name like 'Partner %'`);
    await em.execute(
      `insert into consent_grant (id, fan_id, client_id, scope, actions, consented_actions, mode, ticket_ids, created_at, ends_after)
       select gen_random_uuid(), (select id from fan limit 1), c.id, 'openid', '{}', '{}', 'all_current_future', '{}', now(), now()
       from client c, generate_series(1, 10) n where c.name like 'Client %'`,
    );
    await em.execute('analyze client; analyze consent_grant; analyze partner');
    expect(await em.count(Client)).toBeGreaterThan(1_000);
    const times: number[] = [];
    for (let run = 0; run < 8; run += 1) {
      const started = performance.now();
      const { nodes, totalCount } = await list({ first: 50, search: run % 2 === 0 ? null : 'client 7' });
      times.push(performance.now() - started);
      expect(nodes).toHaveLength(50);
      expect(new Set(nodes.map(({ grantCount }) => grantCount))).toEqual(new Set([10]));
      expect(totalCount).toBeGreaterThanOrEqual(run % 2 === 0 ? 1_000 : 100);
    }
    // the best of some, because other work shares the machine
    expect(Math.min(...times)).toBeLessThan(100);
  });
});
