import { beforeAll, describe, expect, it, test } from 'vitest';
import { registerClient } from '../../../src/client/register-client.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Fan } from '../../../src/entities/fan.ts';
import type { Partner } from '../../../src/entities/partner.ts';
import { PartnerMember } from '../../../src/entities/partner-member.ts';
import { Proposal } from '../../../src/entities/proposal.ts';
import { Staff, type StaffRole } from '../../../src/entities/staff.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { after } from '../../../src/oauth/lifetimes.ts';
import { registerPartner } from '../../../src/partner/register-partner.ts';
import { approveProposal, declineProposal, withdrawProposal } from '../../../src/proposal/decide.ts';
import { propose } from '../../../src/proposal/propose.ts';
import { expelStaff } from '../../../src/staff/admit-staff.ts';
import { disableStaff } from '../../../src/staff/disable-staff.ts';
import { normalAddress } from '../../../src/staff/person.ts';
import type { SignedInStaff } from '../../../src/staff/rights.ts';
import { inviteMember, reinviteMember } from '../../../src/workspace/invite-member.ts';
import { inviteOwnMember } from '../../../src/workspace/own-members.ts';
import { setMemberRole } from '../../../src/workspace/set-member-role.ts';
import { runAs } from '../../support/staff-call.ts';
import { testApp } from '../../support/test-app.ts';
import { edit, readClient, restore, reviewsOf, step } from '../client/production-client.ts';

/** D-340: who acts is a person, whichever of their accounts they use. */
const app = await testApp();
const ISSUER = 'https://staff.example';
let partner: Partner;
beforeAll(async () => {
  partner = await registerPartner(app.context(), 'Second Stage', 'system');
  await app.context().em.flush();
});

let made = 0;
async function staffWith(account: Partial<Staff> = {}, role: StaffRole = 'reviewer'): Promise<SignedInStaff> {
  const { em, now } = app.context();
  made += 1;
  const email = `staff-${made}@company.example`;
  const subject = crypto.randomUUID();
  const person = em.create(Staff, {
    issuer: ISSUER,
    subject,
    name: `Pat ${made}`,
    email,
    role,
    createdAt: now(),
    ...account,
  });
  await em.flush();
  return { id: person.id, name: person.name, email: person.email ?? null, role, authenticatedAt: now(), scopes: null };
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
  const registration = {
    name: 'Resale',
    mode: 'production' as const,
    redirectUris: ['https://resale.example/callback'],
    scopes: ['openid', 'fan:tickets:read'],
  };
  const { id } = registerClient(context, partner, registration, by);
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
const refused = (message: string) => ({ code: 'forbidden', message: expect.stringContaining(message) });

/** Two accounts of one person: of staff, and of a member. */
const SAME: Record<string, () => { staff: Partial<Staff>; member: Partial<PartnerMember> }> = {
  'the same address': () => {
    const email = address();
    return { staff: { email }, member: { email } };
  },
  'the same address in another case and Unicode form': () => {
    const email = address();
    return { staff: { email: email.replace('pat', '\uFF30at').toUpperCase() }, member: { email } };
  },
  'a subaddress of the same mailbox': () => {
    const email = address();
    return { staff: { email }, member: { email: email.replace('@', '+partner@') } };
  },
  'the same subject at the same provider, with another address': () => {
    const subject = crypto.randomUUID();
    return { staff: { subject }, member: { issuer: ISSUER, subject } };
  },
  'the same address at the partner’s own provider': () => {
    const email = address();
    return { staff: { email }, member: { email, issuer: 'https://login.partner.example', subject: 'pat' } };
  },
  'the same address of a member who was removed since': () => {
    const email = address();
    return { staff: { email }, member: { email, revokedAt: new Date() } };
  },
};

describe('one person is not four eyes', () => {
  test.each(Object.keys(SAME))(
    'who submitted a client as a member approves and enables it in no account: %s',
    async (how) => {
      const { staff, member } = SAME[how]?.() ?? {};
      const [reviewer, mo] = [await staffWith(staff), { id: await memberWith(member) }];
      const id = await submitted(as(mo));
      await expect(approve(id, as(reviewer))).rejects.toMatchObject(refused('You submitted this for review'));
      await approve(id, as(await staffWith()));
      await expect(step(app, 'enable', id, as(reviewer))).rejects.toMatchObject(
        refused('someone else has to enable it'),
      );
      expect((await step(app, 'enable', id, as(await staffWith()))).status).toBe('enabled');
    },
  );

  it('who edited it as a member approves it in no account', async () => {
    const email = address();
    const [reviewer, mo] = [await staffWith({ email }), { id: await memberWith({ email }) }];
    const id = await submitted(as({ id: await memberWith() }));
    await edit(app, id, { redirectUris: ['https://resale.example/mine'] }, as(mo));
    await expect(approve(id, as(reviewer))).rejects.toMatchObject(refused('You edited this'));
  });

  it('who edited the draft approves it no more than who submitted it', async () => {
    const [editor, other] = [as(await staffWith()), as(await staffWith())];
    const id = await submitted(other);
    const { version } = await readClient(app, id);
    await step(app, 'reject', id, as(await staffWith()), { version });
    await edit(app, id, { redirectUris: ['https://resale.example/mine'] }, editor);
    await step(app, 'submit', id, other);
    await expect(approve(id, editor)).rejects.toMatchObject(refused('You edited this'));
    await approve(id, as(await staffWith()));
    await expect(step(app, 'enable', id, editor)).rejects.toMatchObject(refused('You edited this'));
  });

  it('who belongs to the partner approves, enables and restores nothing of it, whoever submitted it', async () => {
    const email = address();
    const reviewer = await staffWith({ email });
    await memberWith({ email });
    const id = await submitted(as(await staffWith({}, 'support')));
    await expect(approve(id, as(reviewer))).rejects.toMatchObject(refused('You belong to the partner'));
    await approve(id, as(await staffWith()));
    await expect(step(app, 'enable', id, as(reviewer))).rejects.toMatchObject(refused('You belong to the partner'));
    const colleague = as(await staffWith());
    await edit(app, id, { redirectUris: ['https://resale.example/two'] }, colleague);
    await approve(id, as(await staffWith()));
    const [first] = await reviewsOf(app, id);
    await expect(restore(app, id, String(first?.id), as(reviewer))).rejects.toMatchObject(
      refused('You belong to the partner'),
    );
    expect((await restore(app, id, String(first?.id), colleague)).redirectUris).toEqual([
      'https://resale.example/callback',
    ]);
  });

  it('who submitted it as staff does not enable it either', async () => {
    const reviewer = as(await staffWith());
    const id = await approved(reviewer);
    await expect(step(app, 'enable', id, reviewer)).rejects.toMatchObject(refused('someone else has to enable it'));
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
    const { client } = await runAs<{ client: object }>(
      app,
      reviewer,
      'query ($id: ID!) { client(id: $id) { steps { name obstacle } reviews { mayApprove } } }',
      { id },
    );
    expect(client).toEqual({
      steps: [{ name: 'ENABLE', obstacle: 'NEEDS_SECOND_PERSON' }],
      reviews: [{ mayApprove: false }],
    });
  });
});

describe('a proposal', () => {
  async function proposed(by: SignedInStaff): Promise<Proposal> {
    const { em, now } = app.context();
    const subject = String((await em.findOneOrFail(Fan, { mode: 'sandbox' })).id);
    const about = {
      kind: 'fan.reopen',
      subject,
      details: { provedAt: now().toISOString() },
      reason: 'Asked by phone',
    } as const;
    const proposal = em.create(Proposal, {
      ...about,
      proposedBy: as(by),
      proposedAt: now(),
      expiresAt: after(now(), 3600),
      state: 'proposed',
    });
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
      await expect(decide(app.context(), decision(proposal), other)).rejects.toMatchObject(
        refused('You proposed this'),
      );
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
    await expect(deciding).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('has ended') });
    expect(await read(proposal)).toMatchObject({ state: 'withdrawn' });
  });

  it('that is made while its person is disabled is refused or ends', async () => {
    const { id: subject } = await app.context().em.findOneOrFail(Fan, { mode: 'sandbox' });
    const person = await staffWith();
    await app.context().em.nativeUpdate(Fan, { id: subject }, { mode: 'production' });
    const details = { provedAt: new Date().toISOString() };
    const making = () => propose(app.context(), 'fan.reopen', { subject, details, reason: 'Asked' }, person);
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
      await expect(invite(email.replace('@', '+mine@'), person)).rejects.toMatchObject(
        refused('can’t invite yourself'),
      );
    }
  });

  it('an address of staff becomes a member by an admin only', async () => {
    const email = address();
    await staffWith({ email });
    for (const role of ['support', 'reviewer'] as const) {
      await expect(invite(email, as(await staffWith({}, role)))).rejects.toMatchObject(refused('only an admin'));
    }
    const admin = as(await staffWith({}, 'admin'));
    const { id } = await invite(email, admin);
    await expect(reinviteMember(app.context(), id, as(await staffWith()))).rejects.toMatchObject(
      refused('only an admin'),
    );
    expect((await reinviteMember(app.context(), id, admin)).email).toBe(email);
  });

  it('an administrator of the partner invites no address of staff, and is not told that it is one', async () => {
    const email = address();
    await staffWith({ email });
    const id = await memberWith({ role: 'administrator' });
    const acting = { id, partner: partner.id, role: 'administrator' } as const;
    await expect(
      inviteOwnMember(app.context(), acting, { name: 'Pat', email, role: 'developer' }),
    ).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('can’t be invited') });
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
