import { beforeAll, expect, test } from 'vitest';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Partner } from '../../src/entities/partner.ts';
import type { SignedInStaff } from '../../src/staff/rights.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

let token: SignedInStaff;
let partnerId: string;
const app = await testApp();
beforeAll(async () => {
  token = { ...(await newStaff(app)), authenticatedAt: null, scopes: ['sandbox:write'] };
  partnerId = (await app.context().em.findAll(Partner, { limit: 1 }))[0]?.id ?? '';
});

/** @param selection of each test user that it makes */
const createTestUsers = (selection: string, more = '') => `mutation ($partnerId: ID!) {
  createTestUsers(partnerId: $partnerId, count: 1) {
    ... on CreatedTestUsers { testUsers { ${selection} } } ... on Refusal { code message }
  }
} ${more}`;
const entries = (action: string) => app.context().em.count(AuditEntry, { action });

test('a token that may change something learns what came of it', async () => {
  const answer = await runAs(app, token, createTestUsers('id phone code'), { partnerId });
  expect(answer).toEqual({
    createTestUsers: {
      testUsers: [{ id: expect.stringMatching(/^usr_/), phone: expect.any(String), code: expect.any(String) }],
    },
  });
});

test.each([
  ['', 'partner { clients { nodes { history { nodes { details } } } } }', ''],
  [' by a fragment', '...lead', 'fragment lead on TestUser { partner { name } }'],
])('it does not read on from there%s: it is refused, on record, and nothing is done', async (_, selection, more) => {
  const [made, refused] = [await entries('test_user.created'), await entries('staff.refused')];
  expect(await runAs(app, token, createTestUsers(selection, more), { partnerId })).toMatchObject({
    createTestUsers: { code: 'forbidden', message: expect.stringContaining('console:read') },
  });
  expect(await entries('test_user.created')).toBe(made);
  expect(await entries('staff.refused')).toBe(refused + 1);
});

test('with the right to read it does', async () => {
  const reader = { ...token, scopes: ['sandbox:write', 'console:read'] };
  expect(await runAs(app, reader, createTestUsers('partner { name }'), { partnerId })).toEqual({
    createTestUsers: { testUsers: [{ partner: { name: expect.any(String) } }] },
  });
});
