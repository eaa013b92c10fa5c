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
it.each([0, 501])('a part of %i entries of a timeline is refused', async (limit) => {
  const document = 'query ($search: String!, $limit: Int) { timeline(search: $search, limit: $limit) { earlier } }';
  await expect(ask(document, { search: grantId, limit })).rejects.toMatchObject({ code: 'invalid_request' });
});

it('a request is found by its id; an unknown one is null, and so is a text that is no request id', async () => {
  const document = `query ($id: ID!) { request(id: $id) { title outcome references { grant } } }`;
  const told = { title: 'The app read the tickets.', outcome: 'ok', references: { grant: grantId } };
  expect(await ask(document, { id: requestId })).toEqual(told);
  for (const id of [crypto.randomUUID(), 'no-such', grantId]) expect(await ask(document, { id })).toBeNull();
});
