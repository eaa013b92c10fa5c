import { expect, it } from 'vitest';
import { callFan, signIn } from '../support/partner.ts';
import { askAs, newStaff } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();
const support = await newStaff(app, 'support');
const { grant_id: grantId, access_token: token } = await signIn(app);
const requestId = (await callFan(app, '/tickets', token)).headers.get('x-request-id') ?? '';
await app.runtime.activity.flush();

const ask = (document: string, variables = {}) => askAs(app, support, document, variables);
const TIMELINE = `query ($search: String!, $before: DateTime, $limit: Int) {
  timeline(search: $search, before: $before, limit: $limit) {
    subjects { kind id title subtitle }
    entries { at kind title outcome details references { client grant fan session ticket permit claim requestId } }
    earlier
  }
}`;
const DASHBOARD = `query ($clientId: ID, $period: Period!) {
  dashboard(clientId: $clientId, period: $period) {
    buckets
    ${['funnel', 'tokens', 'calls', 'signatures', 'refusals', 'claims', 'sms'].map((name) => `${name} { name values total }`).join('\n')}
  }
}`;

interface Story {
  subjects: object[];
  entries: { title: string }[];
  earlier: Date | null;
}
const storyOf = (search: string, part = {}): Promise<Story> => ask(TIMELINE, { search, ...part });

it('support finds a request by its id, with what its grant did around it', async () => {
  const { subjects, entries } = await storyOf(requestId);
  expect(subjects).toMatchObject([{ kind: 'REQUEST', id: requestId, title: 'The app read the tickets.' }]);
  expect(entries.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['The app read the tickets.', 'The fan allowed access.']),
  );
});

it('a story comes in parts by `earlier`', async () => {
  const [whole, newest] = [await storyOf(grantId), await storyOf(grantId, { limit: 2 })];
  const rest = await storyOf(grantId, { before: newest.earlier });
  expect([...rest.entries, ...newest.entries]).toEqual(whole.entries);
});

it.each([0, 501])('a part of %i entries is refused', async (limit) => {
  await expect(storyOf(grantId, { limit })).rejects.toMatchObject({ code: 'invalid_request' });
});

it('one request is told; one that is not known is null, and so is what is no request id', async () => {
  const document = `query ($id: ID!) { request(id: $id) { title outcome references { grant } } }`;
  const told = { title: 'The app read the tickets.', outcome: 'ok', references: { grant: grantId } };
  expect(await ask(document, { id: requestId })).toEqual(told);
  for (const id of [crypto.randomUUID(), 'no-such', grantId]) expect(await ask(document, { id })).toBeNull();
});

it('the dashboard is there for all clients and for one', async () => {
  for (const clientId of [undefined, app.kit.client_id]) {
    const { funnel } = await ask(DASHBOARD, { clientId, period: 'HOUR' });
    expect(funnel).toContainEqual(expect.objectContaining({ name: 'tokens', total: 1 }));
  }
});
