import { type GraphQLField, getNamedType, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { AuditEntry } from '../../src/entities/audit-entry.ts';
import { STAFF_ROLES, type StaffRole } from '../../src/entities/staff.ts';
import {
  RIGHT_NAMES,
  RIGHTS,
  type RightName,
  requireRight,
  roleHas,
  type SignedInStaff,
} from '../../src/staff/rights.ts';
import { sampleOf } from '../support/sample-value.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

/** Which right each mutation needs. A mutation that is not here fails the first test. */
const MUTATIONS: Record<string, RightName> = {
  approveClient: 'clients:review',
  createServiceAccount: 'staff:write',
  approveProposal: 'proposals:decide',
  armFailure: 'sandbox:write',
  disarmFailure: 'sandbox:write',
  endSimulation: 'sandbox:write',
  createStaffLink: 'staff:write',
  createStaffToken: 'tokens:write',
  createStarterKit: 'sandbox:write',
  createTestEvent: 'sandbox:write',
  createTestUsers: 'sandbox:write',
  disableServiceAccount: 'staff:write',
  declineProposal: 'proposals:decide',
  disableStaff: 'staff:write',
  editClient: 'clients:write',
  enableClient: 'clients:enable',
  enableStaff: 'staff:write',
  endMySession: 'console:read',
  endPartnerMemberSessions: 'members:write',
  endStaffSessions: 'staff:write',
  giveUpMove: 'proposals:decide',
  grantPermits: 'sandbox:write',
  endAllAccess: 'grants:revoke',
  signOutFan: 'grants:revoke',
  invitePartnerMember: 'members:write',
  liftKillSwitch: 'switches:write',
  pauseNotificationEndpoint: 'clients:suspend',
  resumeNotificationEndpoint: 'clients:suspend',
  proposeMoveOut: 'proposals:write',
  proposeNumberChange: 'proposals:write',
  proposeReopen: 'proposals:write',
  removePasskey: 'grants:revoke',
  registerClient: 'clients:write',
  registerPartner: 'clients:write',
  rejectClient: 'clients:review',
  removeClientLogo: 'clients:write',
  removePartnerProvider: 'providers:write',
  renamePartner: 'clients:write',
  renewStaffLink: 'staff:write',
  resendPartnerInvitation: 'members:write',
  mendFailures: 'inventory:mend',
  rerunFailures: 'inventory:write',
  resetSandbox: 'sandbox:write',
  restorePermits: 'sandbox:write',
  restoreRegistration: 'clients:enable',
  retryVerification: 'switches:write',
  revealPhone: 'fans:reveal',
  revokeGrant: 'grants:revoke',
  revokePartnerMember: 'members:write',
  revokePermits: 'sandbox:write',
  revokeStaffToken: 'console:read',
  rotateKeys: 'keys:rotate',
  rotateServiceToken: 'staff:write',
  setClientLogo: 'clients:write',
  setPartnerMemberRole: 'members:write',
  setPartnerProvider: 'providers:write',
  setStaffRole: 'staff:write',
  setKillSwitch: 'switches:write',
  submitClient: 'clients:write',
  suspendClient: 'clients:suspend',
  upsertEvents: 'inventory:write',
  upsertTicketTypes: 'inventory:write',
  upsertTickets: 'inventory:write',
  withdrawProposal: 'proposals:write',
  withdrawReview: 'clients:write',
};

/** What a token may not do in any case: it has no sessions, and ends no other token. */
const BY_PEOPLE_ONLY = ['endMySession', 'revokeStaffToken'];

let staff: Record<StaffRole, SignedInStaff>;

const app = await testApp();
beforeAll(async () => {
  const people = await Promise.all(STAFF_ROLES.map((role) => newStaff(app, role)));
  staff = Object.fromEntries(people.map((person) => [person.role, person])) as typeof staff;
});

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
  expect(
    fields('query')
      .filter((field) => rightOf(field) === undefined)
      .map(({ name }) => name),
  ).toEqual([]);
});

test('every mutation answers with a refusal as a value', () => {
  const withoutRefusal = fields('mutation').filter(
    (field) => !schema.getPossibleTypes(getNamedType(field.type) as never).some(({ name }) => name === 'Refusal'),
  );
  expect(withoutRefusal.map(({ name }) => name)).toEqual([]);
});

function documentOf(field: Field): string {
  const required = field.args.filter((argument) => isNonNullType(argument.type));
  const given = required.map((argument) => `${argument.name}: ${sampleOf(argument.type)}`).join(', ');
  return `mutation { ${field.name}${given && `(${given})`} { __typename ... on Refusal { code message } } }`;
}

/** The code of the refusal; undefined where it was not refused. */
async function attempt(person: SignedInStaff | undefined, name: string): Promise<string | undefined> {
  const field = fields('mutation').find((candidate) => candidate.name === name);
  if (!field) throw new Error(`there is no mutation ${name}`);
  const answer = await runAs<Record<string, { code?: string }>>(app, person, documentOf(field));
  return answer[name]?.code;
}

const REFUSED = ['sign_in_required', 'forbidden', 'fresh_sign_in_required'];

describe.each(Object.entries(MUTATIONS))('%s', (name, right) => {
  test('nobody may who is not signed in', async () => {
    expect(await attempt(undefined, name)).toBe('sign_in_required');
  });

  test.each(STAFF_ROLES)('role %s', async (role) => {
    const { em } = app.context();
    const refusals = () => em.count(AuditEntry, { action: 'staff.refused', subject: staff[role].id });
    const before = await refusals();
    const code = await attempt(staff[role], name);
    if (roleHas(role, right)) {
      expect(REFUSED).not.toContain(code);
      expect(await refusals()).toBe(before);
    } else {
      expect(code).toBe('forbidden');
      expect(await refusals()).toBe(before + 1);
    }
  });

  test('a sign-in of long ago', async () => {
    const admin = { ...staff.admin, authenticatedAt: new Date(Date.now() - 3_600_000) };
    const { em } = app.context();
    const refusals = () => em.count(AuditEntry, { action: 'staff.refused', subject: admin.id });
    const before = await refusals();
    const code = await attempt(admin, name);
    if (RIGHTS[right].fresh) expect(code).toBe('fresh_sign_in_required');
    else expect(REFUSED).not.toContain(code);
    // who has the right is asked for a sign-in, which is no attempt at what they may not
    expect(await refusals()).toBe(before);
  });

  test('a token with every other right', async () => {
    const others = RIGHT_NAMES.filter((candidate) => candidate !== right);
    const code = await attempt({ ...staff.admin, authenticatedAt: null, scopes: others }, name);
    expect(code).toBe('forbidden');
  });

  test('a token with this right', async () => {
    const code = await attempt({ ...staff.admin, authenticatedAt: null, scopes: [right] }, name);
    if (RIGHTS[right].fresh || BY_PEOPLE_ONLY.includes(name)) expect(code).toBe('forbidden');
    else expect(REFUSED).not.toContain(code);
  });
});
