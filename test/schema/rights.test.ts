import { type GraphQLField, getNamedType, isLeafType, isNonNullType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { Partner } from '../../src/entities/partner.ts';
import { Staff } from '../../src/entities/staff.ts';
import { takeClientStep } from '../../src/partners/client/take-step.ts';
import {
  RIGHT_NAMES,
  RIGHTS,
  type RightName,
  requireRight,
  roleHas,
  type SignedInStaff,
} from '../../src/partners/rights.ts';
import { STAFF_ROLES, type StaffRole } from '../../src/platform/staff-role.ts';
import { countStatements } from '../support/count-statements.ts';
import { makeClient, newPartner } from '../support/make-client.ts';
import { newMember } from '../support/member-call.ts';
import { sampleOf } from '../support/sample-value.ts';
import { askAs, newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp();
interface List {
  nodes: { id: string; name: string }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}
const PAGE = 'nodes { id name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const admin = await newStaff(app, 'admin');

/** The mutations that need each right. A mutation that is not here fails the first test. */
const BY_RIGHT: Partial<Record<RightName, string>> = {
  'clients:review': 'approveClient rejectClient',
  'staff:write':
    'createServiceAccount createStaffLink disableServiceAccount disableStaff enableStaff endStaffSessions ' +
    'renewStaffLink rotateServiceToken setStaffRole',
  'proposals:decide': 'approveProposal declineProposal giveUpMove',
  'sandbox:write':
    'armFailure createStarterKit createTestEvent createTestUsers disarmFailure endSimulation grantPermits ' +
    'resetSandbox restorePermits revokePermits',
  'tokens:write': 'createStaffToken',
  'clients:write':
    'editClient registerClient registerPartner removeClientLogo renamePartner setClientLogo submitClient ' +
    'withdrawReview',
  'clients:enable': 'enableClient restoreRegistration',
  'console:read': 'endMySession revokeStaffToken',
  'members:write':
    'endPartnerMemberSessions invitePartnerMember resendPartnerInvitation revokePartnerMember ' +
    'setPartnerMemberRole',
  'grants:revoke': 'endAllAccess removePasskey revokeGrant signOutFan takeOffSale',
  'switches:write': 'liftKillSwitch retryVerification setKillSwitch',
  'clients:suspend': 'pauseNotificationEndpoint resumeNotificationEndpoint suspendClient',
  'proposals:write':
    'proposeFanCopy proposeFanDeletion proposeMoveOut proposeNumberChange proposeReopen withdrawProposal',
  'providers:write': 'removePartnerProvider setPartnerProvider',
  'tickets:take': 'mendFailures',
  'inventory:write': 'rerunFailures upsertEvents upsertTicketTypes upsertTickets',
  'fans:reveal': 'revealPhone',
  'keys:rotate': 'rotateKeys',
};
const MUTATIONS: Record<string, RightName> = Object.fromEntries(
  Object.entries(BY_RIGHT).flatMap(([right, names]) => names.split(' ').map((name) => [name, right as RightName])),
);

/** What a token may not do in any case: it has no sessions, and ends no other token. */
const BY_PEOPLE_ONLY = ['endMySession', 'revokeStaffToken'];
const people = await Promise.all(STAFF_ROLES.map((role) => newStaff(app, role)));
const staff = Object.fromEntries(people.map((person) => [person.role, person])) as Record<StaffRole, SignedInStaff>;

const fields = (of: 'query' | 'mutation') =>
  Object.values((of === 'query' ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {});

type Field = GraphQLField<unknown, unknown>;

function rightOf(field: Field): RightName | undefined {
  const { pothosOptions } = field.extensions as { pothosOptions?: { authScopes?: { right?: RightName } } };
  return pothosOptions?.authScopes?.right;
}

test('every mutation needs the right that this table says', () => {
  expect(Object.fromEntries(fields('mutation').map((field) => [field.name, rightOf(field)]))).toEqual(MUTATIONS);
});

test('D-139: a sign-in is fresh for five minutes', () => {
  const signedInAt = new Date('2026-11-21T18:00:00Z');
  const person = { ...staff.admin, authenticatedAt: signedInAt };
  const tryAfter = (ms: number) => () => requireRight(person, 'keys:rotate', new Date(signedInAt.getTime() + ms));
  expect(tryAfter(299_999)()).toBe(person);
  expect(tryAfter(300_000)).toThrow(expect.objectContaining({ code: 'fresh_sign_in_required' }));
});

test('every query needs a right', () => {
  expect(fields('query').filter((field) => rightOf(field) === undefined)).toEqual([]);
});

test('no query answers who is not signed in, or lacks its right', async () => {
  for (const field of fields('query')) {
    const right = rightOf(field);
    const document = documentOf('query', field, isLeafType(getNamedType(field.type)) ? '' : '{ __typename }');
    const others = RIGHT_NAMES.filter((name) => name !== right);
    const refused: [SignedInStaff | undefined, string][] = [
      [undefined, 'sign_in_required'],
      [{ ...staff.admin, authenticatedAt: null, scopes: others }, 'forbidden'],
      ...STAFF_ROLES.filter((role) => right && !roleHas(role, right)).map((role): [SignedInStaff, string] => [
        staff[role],
        'forbidden',
      ]),
    ];
    for (const [person, code] of refused) {
      await expect.soft(runAs(app, person, document), field.name).rejects.toMatchObject({ code });
    }
  }
});

test('D-273: a member of a partner is refused all that is not marked for partners', async () => {
  const { id } = await app.context().em.findOneOrFail(Partner, { name: 'Front Row' });
  const member = await newMember(app, id);
  const forStaff = ({ extensions }: Field) => !(extensions.subGraphs as string[]).includes('partner');
  for (const field of fields('query').filter(forStaff)) {
    const document = documentOf('query', field, isLeafType(getNamedType(field.type)) ? '' : '{ __typename }');
    const refused = expect.soft(runAs(app, member, document), field.name).rejects;
    await refused.toMatchObject({ code: 'sign_in_required' });
  }
  for (const field of fields('mutation').filter(forStaff)) {
    const document = documentOf('mutation', field, '{ ... on Refusal { code } }');
    expect.soft(await runAs(app, member, document)).toEqual({ [field.name]: { code: 'sign_in_required' } });
  }
});

test('every mutation answers with a refusal as a value', () => {
  for (const { name, type } of fields('mutation'))
    expect(schema.getPossibleTypes(getNamedType(type) as never).map(String), name).toContain('Refusal');
});

function documentOf(kind: 'query' | 'mutation', field: Field, selection: string): string {
  const required = field.args.filter((argument) => isNonNullType(argument.type));
  const given = required.map((argument) => `${argument.name}: ${sampleOf(argument.type)}`).join(', ');
  return `${kind} { ${field.name}${given && `(${given})`} ${selection} }`;
}

/** The code of the refusal; undefined where it was not refused. */
async function attempt(person: SignedInStaff | undefined, name: string): Promise<string | undefined> {
  const field = fields('mutation').find((candidate) => candidate.name === name);
  if (!field) throw new Error(`there is no mutation ${name}`);
  return (await askAs(app, person, documentOf('mutation', field, '{ ... on Refusal { code } }'))).code;
}

const refusalsOf = (role: StaffRole) =>
  app.context().em.count(AuditEntry, { action: 'staff.refused', subject: staff[role].id });
const REFUSED = ['sign_in_required', 'forbidden', 'fresh_sign_in_required'];

describe.each(Object.entries(MUTATIONS))('%s', (name, right) => {
  test('nobody may who is not signed in', async () => {
    expect(await attempt(undefined, name)).toBe('sign_in_required');
  });

  test.each(STAFF_ROLES)('role %s', async (role) => {
    const before = await refusalsOf(role);
    const code = await attempt(staff[role], name);
    if (roleHas(role, right)) expect(REFUSED).not.toContain(code);
    else expect(code).toBe('forbidden');
    expect(await refusalsOf(role)).toBe(before + (roleHas(role, right) ? 0 : 1));
  });

  test('a sign-in of long ago', async () => {
    const admin = { ...staff.admin, authenticatedAt: new Date(Date.now() - 3_600_000) };
    const before = await refusalsOf('admin');
    const code = await attempt(admin, name);
    if (RIGHTS[right].fresh) expect(code).toBe('fresh_sign_in_required');
    else expect(REFUSED).not.toContain(code);
    // who has the right is asked for a sign-in, which is no attempt at what they may not
    expect(await refusalsOf('admin')).toBe(before);
  });

  test('a token with this right, and one with every other', async () => {
    const by = (scopes: RightName[]) => attempt({ ...staff.admin, authenticatedAt: null, scopes }, name);
    expect(await by(RIGHT_NAMES.filter((candidate) => candidate !== right))).toBe('forbidden');
    const code = await by([right]);
    if (RIGHTS[right].fresh || BY_PEOPLE_ONLY.includes(name)) expect(code).toBe('forbidden');
    else expect(REFUSED).not.toContain(code);
  });
});

const ask = (field: string): Promise<List> => askAs(app, admin, `{ ${field} }`);
const namesOf = ({ nodes }: List) => nodes.map(({ name }) => name);

/** The names of a whole list, read page by page to its end, and back again. */
async function walk(field: string, args: string): Promise<{ there: string[]; back: string[] }> {
  const there: string[] = [];
  let page = await ask(`${field}(first: 2, ${args}) { ${PAGE} }`);
  there.push(...namesOf(page));
  while (page.pageInfo.hasNextPage) {
    page = await ask(`${field}(first: 2, after: "${page.pageInfo.endCursor}", ${args}) { ${PAGE} }`);
    there.push(...namesOf(page));
  }
  const back = namesOf(page);
  while (page.pageInfo.hasPreviousPage) {
    page = await ask(`${field}(last: 2, before: "${page.pageInfo.startCursor}", ${args}) { ${PAGE} }`);
    back.unshift(...namesOf(page));
  }
  return { there, back };
}

describe('the order of a list', () => {
  const PRODUCTION = { mode: 'production' as const, redirectUris: ['https://queue.example/cb'] };

  test('a text sorts in either case, both ways, and each row is on one page, in both directions', async () => {
    for (const name of ['sort beta', 'Sort Alpha', 'sort gamma', 'Sort Delta', 'Sort 100 %'])
      await newPartner(app, name);
    const sorted = ['Sort 100 %', 'Sort Alpha', 'sort beta', 'Sort Delta', 'sort gamma'];
    const up = await walk('partners', 'search: "sort", sort: NAME');
    const down = await walk('partners', 'search: "sort", sort: NAME_DESC');
    expect([up.there, up.back]).toEqual([sorted, sorted]);
    expect([down.there, down.back]).toEqual([sorted.toReversed(), sorted.toReversed()]);
  });

  test('rows with equal values, or with none, keep their places from page to page', async () => {
    const { em } = app.context();
    const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')];
    const signedIn = { a: null, b: early, c: early, d: early, e: late, f: null, g: null };
    for (const [name, lastSignInAt] of Object.entries(signedIn)) {
      const person = { issuer: 'https://ties.example', subject: name, name: `tie ${name}`, role: 'support' as const };
      em.create(Staff, { ...person, createdAt: new Date(), lastSignInAt });
    }
    await em.flush();

    for (const [order, last] of [
      ['LAST_SIGN_IN', 'tie e'],
      ['LAST_SIGN_IN_DESC', 'tie a'],
    ] as const) {
      const { there, back } = await walk('staff', `search: "tie ", sort: ${order}`);
      expect(there.toSorted()).toEqual(Object.keys(signedIn).map((name) => `tie ${name}`));
      expect(back).toEqual(there);
      expect(there.at(-1)).toBe(last);
    }
  });

  test('a state sorts by its place in the life cycle', async () => {
    await makeClient(app, { name: 'cycle draft', ...PRODUCTION });
    const clientId = await makeClient(app, { name: 'cycle in review', ...PRODUCTION });
    await makeClient(app, { name: 'cycle sandbox' });
    await takeClientStep(app.context(), 'submit', { clientId, reason: 'Ready.' }, 'system');

    const { there, back } = await walk('clients', 'search: "cycle", sort: STATUS');
    expect([there, back]).toEqual(Array(2).fill(['cycle draft', 'cycle sandbox', 'cycle in review']));
  });

  test('a queue has its oldest entry first', async () => {
    for (const name of ['first in', 'second in', 'third in']) {
      const clientId = await makeClient(app, { name, ...PRODUCTION });
      await takeClientStep(app.context(), 'submit', { clientId, reason: 'Ready.' }, 'system');
    }
    const { nodes } = await askAs(app, admin, '{ reviewQueue { nodes { client { name } } } }');
    const expected = ['first in', 'second in', 'third in'].map((name) => ({ client: { name } }));
    expect(nodes.slice(-3)).toEqual(expected);
  });

  test('a cursor of another order is refused by name', async () => {
    const plain = (await ask(`partners(first: 1) { ${PAGE} }`)).pageInfo.endCursor;
    const bySort = (await ask(`partners(first: 1, sort: NAME) { ${PAGE} }`)).pageInfo.endCursor;
    const foreign = Buffer.from(JSON.stringify(['ptn_x', 'a\0b'])).toString('base64url');
    for (const args of [`sort: NAME, after: "${plain}"`, `after: "${bySort}"`, `sort: NAME, after: "${foreign}"`]) {
      await expect(ask(`partners(${args}) { ${PAGE} }`)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    const noDate = Buffer.from(JSON.stringify([admin.id, 'yesterday'])).toString('base64url');
    const bad = ask(`staff(sort: LAST_SIGN_IN, after: "${noDate}") { ${PAGE} }`);
    await expect(bad).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('the total of a list', () => {
  const count = (args = '') => askAs(app, admin, `{ auditEntries(first: 0${args}) { totalCount hasMoreThanTotal } }`);

  test('is exact up to 10,000, and above says that there are more', async () => {
    const { em } = app.context();
    await em.execute(
      `insert into audit_entry (at, actor, action, subject, details)
       select now(), 'system', 'grant.given', 'many' || (n > 10000), '{}' from generate_series(1, 20001) n`,
    );
    const totalCount = 10_000;
    expect(await count(', filter: { subject: "manyfalse" }')).toEqual({ totalCount, hasMoreThanTotal: false });
    expect(await count(', filter: { subject: "manytrue" }')).toEqual({ totalCount, hasMoreThanTotal: true });
  });

  test('is counted once, to its limit, only if it is asked for, and then without reading rows', async () => {
    const counts = (statements: string[]) => statements.filter((text) => text.includes('count('));
    const page = await countStatements(() => ask('auditEntries(first: 25) { nodes { id name: action } }'));
    expect(counts(page.statements)).toEqual([]);
    const total = await countStatements(count);
    expect(counts(total.statements)).toHaveLength(1);
    expect(counts(total.statements)[0]).toMatch(/limit (10001|\$\d+|\?)/);
    expect(total.statements.filter((text) => text.includes('from "audit_entry"'))).toHaveLength(1);
  });
});
