import { describe, expect, it, test } from 'vitest';
import { auditNames } from '../../../schema/audit-names.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { PartnerMember } from '../../../src/entities/partner-member.ts';
import { Proposal } from '../../../src/entities/proposal.ts';
import { ServiceAccount } from '../../../src/entities/service-account.ts';
import { LOCAL_ISSUER, Staff, StaffToken } from '../../../src/entities/staff.ts';
import { registerClient } from '../../../src/partners/client/register-client.ts';
import { normalAddress } from '../../../src/partners/person.ts';
import { RIGHT_NAMES, requireRight, SERVICE_RIGHTS, type SignedInStaff } from '../../../src/partners/rights.ts';
import { approveProposal, declineProposal, withdrawProposal } from '../../../src/people/proposal/decide.ts';
import { propose } from '../../../src/people/proposal/propose.ts';
import { REOPEN } from '../../../src/people/proposal/reopen.ts';
import { findServiceAccount, findStaffToken } from '../../../src/people/staff/find-token.ts';
import { inviteStaff } from '../../../src/people/staff/make-link.ts';
import { disableStaff } from '../../../src/people/staff/manage-staff.ts';
import { expelStaff } from '../../../src/people/staff/provider-sign-in.ts';
import {
  type AccountWish,
  createServiceAccount,
  disableServiceAccount,
  rotateServiceToken,
} from '../../../src/people/staff/service-accounts.ts';
import { createStaffToken, revokeStaffToken, type TokenWish } from '../../../src/people/staff/staff-tokens.ts';
import { inviteMember, reinviteMember } from '../../../src/people/workspace/invite-member.ts';
import { inviteOwnMember } from '../../../src/people/workspace/own-members.ts';
import { setMemberRole } from '../../../src/people/workspace/set-member-role.ts';
import { browserOf, networkKind, readDevice } from '../../../src/platform/device.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import type { StaffRole } from '../../../src/platform/staff-role.ts';
import { after } from '../../../src/platform/time.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { newPartner } from '../../support/make-client.ts';
import { refused } from '../../support/refused.ts';
import { askAs } from '../../support/staff-call.ts';
import { testApp } from '../../support/test-app.ts';
import { edit, REGISTRATION, readClient, restore, reviewsOf, step } from './client/production-client.ts';

/** D-340: who acts is a person, whichever of their accounts they use. */
const app = await testApp();
const ISSUER = 'https://staff.example';
const partner = await newPartner(app);
let made = 0;

async function staffWith(account: Partial<Staff> = {}, role: StaffRole = 'reviewer'): Promise<SignedInStaff> {
  const { em, now } = app.context();
  made += 1;
  const email = `staff-${made}@company.example`;
  const person = { issuer: ISSUER, subject: crypto.randomUUID(), name: `Pat ${made}`, email, role, createdAt: now() };
  const { id } = em.create(Staff, { ...person, ...account });
  await em.flush();
  return { id, name: person.name, email: account.email ?? email, role, authenticatedAt: now(), scopes: null };
}

async function memberWith(account: Partial<PartnerMember> = {}): Promise<Id<'mem'>> {
  const { em, now } = app.context();
  made += 1;
  const email = `member-${made}@partner.example`;
  const invited = { name: `Mo ${made}`, invitedBy: 'system', invitedAt: now(), joinedAt: now() };
  const member = em.create(PartnerMember, { partner, email, ...invited, ...account });
  await em.flush();
  return member.id;
}

const address = () => `pat-${crypto.randomUUID().slice(0, 8)}@company.example`;
const as = ({ id }: { id: string }) => `${id.startsWith('mem') ? 'member' : 'staff'}:${id}`;

/** A production client of the partner that was submitted. */
async function submitted(by: string): Promise<string> {
  const context = app.context();
  const { id } = registerClient(context, partner, REGISTRATION, by);
  await context.em.flush();
  await step(app, 'submit', id, by);
  return id;
}

async function approved(by: string): Promise<string> {
  const id = await submitted(by);
  await approve(id, as(await staffWith()));
  return id;
}

const approve = async (id: string, by: string) =>
  step(app, 'approve', id, by, { version: (await readClient(app, id)).version });

const forbidden = (message: string) => refused('forbidden', message);

/** Two accounts of one person, by an address or a subject that nobody else has. */
type Same = (own: string) => { staff: Partial<Staff>; member: Partial<PartnerMember> };

describe('one person is not four eyes', () => {
  test.each<[string, Same]>([
    ['the same address', (email) => ({ staff: { email }, member: { email } })],
    [
      'the same address in another case and Unicode form',
      (email) => ({ staff: { email: email.replace('pat', '\uFF30at').toUpperCase() }, member: { email } }),
    ],
    [
      'a subaddress of the same mailbox',
      (email) => ({ staff: { email }, member: { email: email.replace('@', '+partner@') } }),
    ],
    [
      'the same subject at the same provider, with another address',
      (subject) => ({ staff: { subject }, member: { issuer: ISSUER, subject } }),
    ],
    [
      'the same address at the partner’s own provider',
      (email) => ({ staff: { email }, member: { email, issuer: 'https://login.partner.example', subject: 'pat' } }),
    ],
    [
      'the same address of a member who was removed since',
      (email) => ({ staff: { email }, member: { email, revokedAt: new Date() } }),
    ],
  ])('who submitted a client as a member approves and enables it in no account: %s', async (_, accounts) => {
    const { staff, member } = accounts(address());
    const [reviewer, mo] = [await staffWith(staff), { id: await memberWith(member) }];
    const id = await submitted(as(mo));
    await expect(approve(id, as(reviewer))).rejects.toEqual(forbidden('You submitted this for review'));
    await approve(id, as(await staffWith()));
    await expect(step(app, 'enable', id, as(reviewer))).rejects.toEqual(forbidden('someone else has to enable it'));
    expect((await step(app, 'enable', id, as(await staffWith()))).status).toBe('enabled');
  });

  it('who edited it as a member approves it in no account', async () => {
    const email = address();
    const [reviewer, mo] = [await staffWith({ email }), { id: await memberWith({ email }) }];
    const id = await submitted(as({ id: await memberWith() }));
    await edit(app, id, { redirectUris: ['https://resale.example/mine'] }, as(mo));
    await expect(approve(id, as(reviewer))).rejects.toEqual(forbidden('You edited this'));
  });

  it('who edited the draft approves it no more than who submitted it', async () => {
    const [editor, other] = [as(await staffWith()), as(await staffWith())];
    const id = await submitted(other);
    const { version } = await readClient(app, id);
    await step(app, 'reject', id, as(await staffWith()), { version });
    await edit(app, id, { redirectUris: ['https://resale.example/mine'] }, editor);
    await step(app, 'submit', id, other);
    await expect(approve(id, editor)).rejects.toEqual(forbidden('You edited this'));
    await approve(id, as(await staffWith()));
    await expect(step(app, 'enable', id, editor)).rejects.toEqual(forbidden('You edited this'));
  });

  it('who belongs to the partner approves, enables and restores nothing of it, whoever submitted it', async () => {
    const email = address();
    const reviewer = await staffWith({ email });
    await memberWith({ email });
    const id = await submitted(as(await staffWith({}, 'support')));
    await expect(approve(id, as(reviewer))).rejects.toEqual(forbidden('You belong to the partner'));
    await approve(id, as(await staffWith()));
    await expect(step(app, 'enable', id, as(reviewer))).rejects.toEqual(forbidden('You belong to the partner'));
    const colleague = as(await staffWith());
    await edit(app, id, { redirectUris: ['https://resale.example/two'] }, colleague);
    await approve(id, as(await staffWith()));
    const [first] = await reviewsOf(app, id);
    await expect(restore(app, id, String(first?.id), as(reviewer))).rejects.toEqual(
      forbidden('You belong to the partner'),
    );
    expect((await restore(app, id, String(first?.id), colleague)).redirectUris).toEqual([
      'https://resale.example/callback',
    ]);
  });

  it('who submitted it as staff does not enable it either', async () => {
    const reviewer = as(await staffWith());
    const id = await approved(reviewer);
    await expect(step(app, 'enable', id, reviewer)).rejects.toEqual(forbidden('someone else has to enable it'));
  });

  it('whom staff with a one-time link invited, and whom those invited, may be the same person', async () => {
    const local = () => staffWith({ issuer: LOCAL_ISSUER, email: null });
    const [inviter, other] = [await local(), await local()];
    const administrator = { id: await memberWith({ invitedBy: as(inviter), role: 'administrator' }) };
    const developer = { id: await memberWith({ invitedBy: as(administrator) }) };
    for (const member of [administrator, developer]) {
      const id = await submitted(as(member));
      const refusal = forbidden('You invited the member who submitted or edited this');
      await expect(approve(id, as(inviter))).rejects.toEqual(refusal);
      await approve(id, as(other));
      await expect(step(app, 'enable', id, as(inviter))).rejects.toEqual(refusal);
      expect((await step(app, 'enable', id, as(other))).status).toBe('enabled');
    }
    // staff whose provider says who they are invite partners and review
    const known = await staffWith();
    const theirs = await submitted(as({ id: await memberWith({ invitedBy: as(known) }) }));
    expect((await approve(theirs, as(known))).status).toBe('approved');
  });

  it('an invitation that was never accepted and is revoked makes nobody a member', async () => {
    const email = address();
    const reviewer = as(await staffWith({ email }));
    await memberWith({ email, joinedAt: null, revokedAt: new Date() });
    expect((await approve(await submitted(as({ id: await memberWith() })), reviewer)).status).toBe('approved');
  });

  it('the console says so before', async () => {
    const email = address();
    const reviewer = await staffWith({ email });
    const id = await approved(as({ id: await memberWith({ email }) }));
    const shown = `{ client(id: "${id}") { steps { name obstacle } reviews { mayApprove } } }`;
    expect(await askAs(app, reviewer, shown)).toEqual({
      steps: [{ name: 'ENABLE', obstacle: 'NEEDS_SECOND_PERSON' }],
      reviews: [{ mayApprove: false }],
    });
  });
});

describe('a proposal', () => {
  async function proposed(by: SignedInStaff): Promise<Proposal> {
    const { em, now } = app.context();
    const subject = String((await em.findOneOrFail(Fan, { mode: 'sandbox' })).id);
    const details = { provedAt: now().toISOString() };
    const about = { kind: 'fan.reopen', subject, details, reason: 'Asked by phone', state: 'proposed' } as const;
    const times = { proposedAt: now(), expiresAt: after(now(), 3600) };
    const proposal = em.create(Proposal, { ...about, ...times, proposedBy: as(by) });
    await em.flush();
    return proposal;
  }
  const decision = ({ id }: Proposal) => ({ proposalId: id, reason: 'Not checked' });
  const read = ({ id }: Proposal) => app.context().em.findOneOrFail(Proposal, { id });

  it('is decided in no other account of the person who proposed it', async () => {
    const email = address();
    const [one, other] = [await staffWith({ email }), await staffWith({ email: email.toUpperCase() })];
    const proposal = await proposed(one);
    for (const decide of [approveProposal, declineProposal]) {
      await expect(decide(app.context(), decision(proposal), other)).rejects.toEqual(forbidden('You proposed this'));
    }
    expect((await withdrawProposal(app.context(), decision(proposal), other)).state).toBe('withdrawn');
  });

  it('of somebody who is disabled, or has lost every group, ends then', async () => {
    const context = () => app.context();
    const remove: ((person: SignedInStaff) => Promise<unknown>)[] = [
      ({ id }) => disableStaff(context(), id, 'left', 'staff:stf_admin'),
      async ({ id }) => expelStaff(context(), ISSUER, (await context().em.findOneOrFail(Staff, { id })).subject),
    ];
    for (const end of remove) {
      const person = await staffWith();
      const proposal = await proposed(person);
      await end(person);
      expect(await read(proposal)).toMatchObject({ state: 'withdrawn', decidedBy: 'system' });
      const [entry] = await context().em.find(
        AuditEntry,
        { action: 'proposal.withdrawn', subject: proposal.subject },
        { orderBy: { id: 'desc' } },
      );
      expect(entry).toMatchObject({ actor: 'system', details: { proposal: proposal.id } });
    }
  });

  it('of somebody whose role no longer has the right to propose it ends when it is decided', async () => {
    const person = await staffWith();
    const proposal = await proposed(person);
    await app.context().em.nativeUpdate(Staff, { id: person.id }, { disabledAt: new Date() });
    const deciding = approveProposal(app.context(), decision(proposal), await staffWith());
    await expect(deciding).rejects.toEqual(refused('conflict', 'has ended'));
    expect(await read(proposal)).toMatchObject({ state: 'withdrawn' });
  });

  it('that is made while its person is disabled is refused or ends', async () => {
    const { id: subject } = await app.context().em.findOneOrFail(Fan, { mode: 'sandbox' });
    const person = await staffWith();
    await app.context().em.nativeUpdate(Fan, { id: subject }, { mode: 'production' });
    const details = { provedAt: new Date().toISOString() };
    const making = () => propose(app.context(), REOPEN, { subject, details, reason: 'Asked' }, person);
    await Promise.allSettled([making(), disableStaff(app.context(), person.id, 'left', 'staff:stf_admin')]);
    expect(await app.context().em.count(Proposal, { proposedBy: as(person), state: 'proposed' })).toBe(0);
    await expect(making()).rejects.toMatchObject({ code: 'forbidden' });
    await app.context().em.nativeUpdate(Fan, { id: subject }, { mode: 'sandbox' });
  });
});

describe('who is invited to a partner', () => {
  const wish = (email: string) => ({ partnerId: partner.id, name: 'Pat', email });
  const invite = (email: string, by: string) => inviteMember(app.context(), wish(email), by);

  it('nobody invites themselves, an admin neither', async () => {
    for (const role of ['support', 'reviewer', 'admin'] as const) {
      const email = address();
      const person = as(await staffWith({ email: email.toUpperCase() }, role));
      await expect(invite(email.replace('@', '+mine@'), person)).rejects.toEqual(forbidden('can’t invite yourself'));
    }
  });

  it('an address of staff becomes a member by an admin only', async () => {
    const email = address();
    await staffWith({ email });
    for (const role of ['support', 'reviewer'] as const) {
      await expect(invite(email, as(await staffWith({}, role)))).rejects.toEqual(forbidden('only an admin'));
    }
    const admin = as(await staffWith({}, 'admin'));
    const { id } = await invite(email, admin);
    await expect(reinviteMember(app.context(), id, as(await staffWith()))).rejects.toEqual(forbidden('only an admin'));
    expect((await reinviteMember(app.context(), id, admin)).email).toBe(email);
  });

  it('an administrator of the partner invites no address of staff, and is not told that it is one', async () => {
    const email = address();
    await staffWith({ email });
    const id = await memberWith({ role: 'administrator' });
    const acting = { id, partner: partner.id, role: 'administrator' } as const;
    await expect(inviteOwnMember(app.context(), acting, { name: 'Pat', email, role: 'developer' })).rejects.toEqual(
      refused('conflict', 'can’t be invited'),
    );
  });

  it('nobody gives themselves a role through their account of staff', async () => {
    const email = address();
    const memberId = await memberWith({ email });
    const change = async (by: SignedInStaff) =>
      setMemberRole(app.context(), { memberId, role: 'administrator' }, as(by));
    await expect(change(await staffWith({ email }, 'support'))).rejects.toMatchObject({ code: 'conflict' });
    expect((await change(await staffWith({}, 'support'))).role).toBe('administrator');
  });
});

test.each([
  ['Pat@Company.Example', 'pat@company.example'],
  [' \uFF50at+box@company.example ', 'pat@company.example'],
  ['pat@B\u00FCcher.example', 'pat@xn--bcher-kva.example'],
  ['pat@Bu\u0308cher.example', 'pat@xn--bcher-kva.example'],
  ['no address', 'no address'],
])('the address %j is %j', (given, normal) => {
  expect(normalAddress(given)).toBe(normal);
});

const clock = freezeClock(app);

describe('staff access tokens', () => {
  const WISH: TokenWish = { name: 'nightly report', scopes: ['console:read', 'clients:write'], days: 30 };

  async function signedIn(role: StaffRole): Promise<SignedInStaff> {
    const name = `${role} ${crypto.randomUUID()}`;
    const { staffId } = await inviteStaff(app.context(), { name, role }, 'staff:stf_test');
    return { id: staffId, name, email: null, role, authenticatedAt: app.runtime.now(), scopes: null };
  }

  it('stand for their owner, limited to their scopes; the database holds no value', async () => {
    const owner = await signedIn('support');
    const { value, token } = await createStaffToken(app.context(), WISH, owner);
    expect(value).toMatch(/^st_[\w-]{43}$/);
    expect(await findStaffToken(app.context(), value)).toEqual({
      ...owner,
      authenticatedAt: null,
      scopes: WISH.scopes,
      tokenId: token.id,
    });
    const rows = await app.context().em.execute<{ row: string }[]>('select t::text as row from staff_token t');
    const audit = await app.context().em.find(AuditEntry, { action: 'staff_token.created' });
    expect(JSON.stringify([rows, audit])).not.toContain(value.slice(3));
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name that can’t be stored', { name: 'a\0b' }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['everything'] }, 'everything'],
    ['a scope above the role', { scopes: ['audit:read'] }, 'audit:read'],
    ['a scope that asks for a fresh sign-in', { scopes: ['tokens:write'] }, 'tokens:write'],
    ['a scope twice', { scopes: ['console:read', 'console:read'] }, 'duplicate'],
    ['no day', { days: 0 }, 'days'],
    ['more than a year', { days: 366 }, 'days'],
    ['half a day', { days: 0.5 }, 'days'],
  ])('are refused with %s', async (_, change, named) => {
    const refusal = createStaffToken(app.context(), { ...WISH, ...change }, await signedIn('support'));
    await expect(refusal).rejects.toEqual(refused('invalid_request', named));
  });

  it('make and revoke no tokens themselves', async () => {
    const owner = { ...(await signedIn('admin')), scopes: ['console:read'] };
    await expect(createStaffToken(app.context(), WISH, owner)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(revokeStaffToken(app.context(), 'stk_x', owner)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are revoked once, by their owner or by an admin with a fresh sign-in, from the next use on', async () => {
    const owner = await signedIn('support');
    const { token, value } = await createStaffToken(app.context(), WISH, owner);
    const revokeAs = (staff: SignedInStaff) => revokeStaffToken(app.context(), token.id, staff);
    await expect(revokeAs(await signedIn('reviewer'))).rejects.toMatchObject({ code: 'forbidden' });
    const stale = { ...(await signedIn('admin')), authenticatedAt: null };
    await expect(revokeAs(stale)).rejects.toMatchObject({ code: 'fresh_sign_in_required' });
    expect(await findStaffToken(app.context(), value)).toBeDefined();
    const outcomes = await Promise.allSettled([revokeAs(owner), revokeAs(await signedIn('admin'))]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await findStaffToken(app.context(), value)).toBeUndefined();
    expect(await app.context().em.count(AuditEntry, { action: 'staff_token.revoked', subject: token.id })).toBe(1);
  });

  it.each([
    ['of a person', signedToken],
    ['of a service account', serviceToken],
  ])('%s say when they were last used, to the minute, and expire', async (_, make) => {
    const { find, lastUsed } = await make();
    expect(await lastUsed()).toBeNull();
    await find();
    const first = app.runtime.now();
    clock.pass(59);
    await find();
    expect(await lastUsed()).toEqual(first);
    clock.pass(1);
    await find();
    expect(await lastUsed()).toEqual(app.runtime.now());
    clock.pass(86_339);
    expect(await find()).toBeDefined();
    clock.pass(1);
    expect(await find()).toBeUndefined();
  });

  async function signedToken() {
    const { token, value } = await createStaffToken(app.context(), { ...WISH, days: 1 }, await signedIn('support'));
    return {
      find: () => findStaffToken(app.context(), value),
      lastUsed: async () => (await app.context().em.findOneOrFail(StaffToken, { id: token.id })).lastUsedAt,
    };
  }

  async function serviceToken() {
    const wish = { name: 'Box office', scopes: ['inventory:write'], days: 1, callsPerMinute: 60 };
    const { token, value } = await createServiceAccount(app.context(), wish, 'staff:stf_test');
    return {
      find: () => findServiceAccount(app.context(), value),
      lastUsed: async () => (await app.context().em.refreshOrFail(token)).lastUsedAt,
    };
  }

  it.each<[string, Partial<Staff>]>([
    ['a disabled person', { disabledAt: new Date() }],
    ['the staff of another sign-in service', { issuer: 'https://id.example' }],
  ])('that are left over of %s stand for nobody', async (_, owner) => {
    const { token, value } = await createStaffToken(app.context(), WISH, await signedIn('support'));
    await app.context().em.nativeUpdate(Staff, { id: token.staff.id }, owner);
    expect(await findStaffToken(app.context(), value)).toBeUndefined();
  });

  it('lose what their owner’s role loses', async () => {
    const owner = await signedIn('reviewer');
    const { value } = await createStaffToken(app.context(), { ...WISH, scopes: ['audit:read'] }, owner);
    await app.context().em.nativeUpdate(Staff, { id: owner.id }, { role: 'support' });
    const caller = await findStaffToken(app.context(), value);
    expect(caller).toMatchObject({ role: 'support', scopes: ['audit:read'] });
    expect(() => requireRight(caller, 'audit:read', app.runtime.now())).toThrow('needs the role reviewer');
  });
});

describe('service accounts', () => {
  const WISH: AccountWish = { name: 'Box office', scopes: ['inventory:write'], days: 30, callsPerMinute: 60 };

  const create = (change: Partial<AccountWish> = {}) =>
    createServiceAccount(app.context(), { ...WISH, ...change }, 'staff:stf_test');

  const rotate = (id: string, days = 30, overlapHours = 24) =>
    rotateServiceToken(app.context(), id, { days, overlapHours }, 'staff:stf_test');

  const find = (value: string) => findServiceAccount(app.context(), value);

  describe('a service account', () => {
    it('is the caller behind its token; the database and the record hold no value', async () => {
      const { account, token, value } = await create();
      expect(value).toMatch(/^sv_[\w-]{43}$/);
      expect(await find(value)).toEqual({
        id: account.id,
        name: 'Box office',
        role: 'admin',
        authenticatedAt: null,
        scopes: ['inventory:write'],
        tokenId: token.id,
        callsPerMinute: 60,
      });
      const rows = await app.context().em.execute<object[]>('select t::text as row from service_token t');
      const audit = await app.context().em.find(AuditEntry, { subject: account.id });
      expect(audit.map(({ action }) => action)).toEqual(['service_account.created']);
      expect(JSON.stringify([rows, audit])).not.toContain(value.slice(3));
    });

    it.each([
      ['no name', { name: ' ' }, 'name'],
      ['no right', { scopes: [] }, 'scopes'],
      ['an unknown right', { scopes: ['everything'] }, 'everything'],
      ['a right twice', { scopes: ['inventory:write', 'inventory:write'] }, 'duplicate'],
      ['no day', { days: 0 }, 'days'],
      ['more than a year', { days: 366 }, 'days'],
      ['no call', { callsPerMinute: 0 }, 'callsPerMinute'],
      ['calls without end', { callsPerMinute: 20_001 }, 'callsPerMinute'],
    ])('is refused with %s', async (_, change, named) => {
      await expect(create(change)).rejects.toEqual(refused('invalid_request', named));
    });

    it.each(RIGHT_NAMES.filter((name) => !SERVICE_RIGHTS.some((right) => right === name)))(
      'can’t be given %s',
      async (right) => {
        await expect(create({ scopes: [right] })).rejects.toMatchObject({ message: expect.stringContaining(right) });
      },
    );

    it('has no other right even where its row says so', async () => {
      const { account, value } = await create();
      await app.context().em.nativeUpdate(ServiceAccount, { id: account.id }, { scopes: [...RIGHT_NAMES] });
      const caller = await find(value);
      for (const right of RIGHT_NAMES) {
        const attempt = () => requireRight(caller, right, app.runtime.now());
        if (SERVICE_RIGHTS.some((each) => each === right)) expect(attempt()).toBe(caller);
        else expect(attempt).toThrow(expect.objectContaining({ code: 'forbidden' }));
      }
    });

    it('is named by the audit log', async () => {
      const { account } = await create({ name: 'Night import' });
      expect(await auditNames([`service:${account.id}`, account.id], app.context())).toEqual([
        'Night import',
        'Night import',
      ]);
    });
  });

  describe('a rotation', () => {
    it('leaves two tokens valid until the overlap is over, and never three', async () => {
      const { account, value: first } = await create();
      const { value: second } = await rotate(account.id, 30, 24);
      expect([await find(first), await find(second)]).toEqual([expect.anything(), expect.anything()]);
      const { value: third } = await rotate(account.id, 30, 1);
      expect(await find(first)).toBeUndefined();
      expect([await find(second), await find(third)]).toEqual([expect.anything(), expect.anything()]);
      clock.pass(3_600);
      expect(await find(second)).toBeUndefined();
      expect(await find(third)).toBeDefined();
    });

    it('makes no token live longer', async () => {
      const { account, value } = await create({ days: 1 });
      await rotate(account.id, 30, 168);
      clock.pass(86_400);
      expect(await find(value)).toBeUndefined();
    });

    it('without an overlap ends the token before it at once', async () => {
      const { account, value } = await create();
      await rotate(account.id, 30, 0);
      expect(await find(value)).toBeUndefined();
    });

    it('twice at once leaves two tokens valid', async () => {
      const { account, value } = await create();
      const made = await Promise.all([rotate(account.id), rotate(account.id)]);
      const live = await Promise.all([value, ...made.map((each) => each.value)].map(find));
      expect(live.filter(Boolean)).toHaveLength(2);
      expect(live[0]).toBeUndefined();
    });

    it.each([
      ['days', 0, 24],
      ['overlapHours', 30, 169],
      ['overlapHours', 30, 0.5],
    ])('is refused with a wrong %s', async (named, days, overlapHours) => {
      const { account } = await create();
      await expect(rotate(account.id, days, overlapHours)).rejects.toEqual(refused('invalid_request', named));
    });
  });

  const disable = (id: string) => disableServiceAccount(app.context(), id, 'Leaked', 'staff:stf_test');

  it('disabling refuses every token at once, and any new one', async () => {
    const { account, value } = await create();
    const { value: second } = await rotate(account.id);
    const outcomes = await Promise.allSettled([disable(account.id), disable(account.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([await find(value), await find(second)]).toEqual([undefined, undefined]);
    await expect(rotate(account.id)).rejects.toMatchObject({ code: 'conflict' });
    const disabled = { action: 'service_account.disabled', subject: account.id };
    const audit = await app.context().em.find(AuditEntry, disabled);
    expect(audit.map(({ details }) => details)).toEqual([{ name: 'Box office', reason: 'Leaked' }]);
  });
});

describe('the browser of a session', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'Chrome 131 on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.2903.70',
      'Microsoft Edge 131 on Windows',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox 133 on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari 18 on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari 18 on iOS',
    ],
  ])('%s is named by what people call it', (userAgent, name) => {
    expect(browserOf(userAgent)).toBe(name);
  });

  it('what names no browser has no name', () => {
    for (const userAgent of [null, 'curl-like', '-', '\u{1f600}']) expect(browserOf(userAgent)).toBeUndefined();
  });
});

describe('where a session is used', () => {
  it.each([
    ['127.0.0.1', 'this machine'],
    ['127.8.9.1', 'this machine'],
    ['::1', 'this machine'],
    ['::ffff:127.0.0.1', 'this machine'],
    ['10.1.2.3', 'private network'],
    ['172.31.0.1', 'private network'],
    ['172.32.0.1', undefined],
    ['192.168.178.20', 'private network'],
    ['fd00::1', 'private network'],
    ['fe80::1', 'private network'],
    ['203.0.113.7', undefined],
    ['2001:db8::1', undefined],
    ['not an address', undefined],
  ])('%s is of %s', (address, kind) => {
    expect(networkKind(address)).toBe(kind);
  });

  it('is kept in the form in which people read it; what is no address or time zone is left out', () => {
    expect(readDevice('::ffff:203.0.113.7', ' Some agent\0 ', 'Europe/Berlin')).toEqual({
      address: '203.0.113.7',
      userAgent: 'Some agent',
      timeZone: 'Europe/Berlin',
    });
    expect(readDevice('fe80::1%eth0', 'x'.repeat(900), 'America/Argentina/Buenos_Aires')).toEqual({
      address: 'fe80::1',
      userAgent: 'x'.repeat(300),
      timeZone: 'America/Argentina/Buenos_Aires',
    });
    for (const zone of ['', 'Mars/Olympus', '<b>', 'x'.repeat(61), "Europe/Berlin' --"]) {
      expect(readDevice('unix', '', zone)).toEqual({ address: null, userAgent: null, timeZone: null });
    }
  });
});
