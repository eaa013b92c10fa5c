import { beforeEach, describe, expect, test } from 'vitest';
import { AccountLink, AccountSession } from '../../../../src/entities/account.ts';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { type MemberRole, PartnerMember } from '../../../../src/entities/partner-member.ts';
import { rowsOf } from '../../../../src/people/account/account.ts';
import type { SignedInMember } from '../../../../src/people/account/find-session.ts';
import { addLink } from '../../../../src/people/account/links.ts';
import { inviteMember, reinviteMember } from '../../../../src/people/workspace/invite-member.ts';
import {
  INVITATION_LIMIT,
  inviteOwnMember,
  MOST_OWN_MEMBERS,
  reinviteOwnMember,
  removeOwnMember,
  setOwnMemberRole,
} from '../../../../src/people/workspace/own-members.ts';
import { endMemberSessions } from '../../../../src/people/workspace/revoke-member.ts';
import { lookAtMemberLink } from '../../../../src/people/workspace/spend-link.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import type { Mail } from '../../../../src/platform/mail/mail-sender.ts';
import { newPartner } from '../../../support/make-client.ts';
import { newMember } from '../../../support/member-call.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();

describe('the e-mail of an invitation', () => {
  /** A context whose e-mails arrive here. @param refuse whether the mail server takes none of them */
  function posting({ refuse = false, look = async () => {} }: { refuse?: boolean; look?: () => Promise<void> } = {}) {
    const mails: Mail[] = [];
    const send = async (mail: Mail) => {
      await look();
      if (refuse) throw new DomainError('unavailable', 'The e-mail could not be sent. Try again shortly.');
      mails.push(mail);
    };
    return { mails, context: { ...app.context(), mail: { send } } };
  }

  async function wishOf() {
    const email = `${crypto.randomUUID()}@partner.example`;
    return { partnerId: (await newPartner(app)).id, name: 'Mia Member', email };
  }

  const works = async (mail: Mail | undefined) => {
    const secret = new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '').searchParams.get('secret') ?? '';
    return lookAtMemberLink(app.context(), { secret, browserSecret: undefined }).then(
      () => true,
      () => false,
    );
  };

  const stored = (email: string) => app.context().em.findOneOrFail(PartnerMember, { email });

  test('is not sent where the commit fails', async () => {
    const em = app.context().em;
    await em.execute(`create function refuse_member() returns trigger language plpgsql as
      $$ begin raise exception 'refused at the commit'; end $$`);
    await em.execute(`create constraint trigger refused after insert on partner_member
      deferrable initially deferred for each row execute function refuse_member()`);
    const { context, mails } = posting();
    const wish = await wishOf();
    await expect(inviteMember(context, wish, 'system')).rejects.toThrow('refused at the commit');
    expect(mails).toEqual([]);
    await em.execute('drop trigger refused on partner_member');
    await inviteMember(context, wish, 'system');
    expect(mails).toHaveLength(1);
    expect(await works(mails[0])).toBe(true);
  });

  test('is sent when its link is committed, and no transaction is open meanwhile', async () => {
    const wish = await wishOf();
    const seen: object[] = [];
    const look = async () => {
      const { em } = app.context();
      const [open] = await em.execute<{ open: number }[]>(
        `select count(*)::int as open from pg_stat_activity
         where datname = current_database() and state like 'idle in transaction%'`,
      );
      seen.push({ links: await em.count(AccountLink, rowsOf((await stored(wish.email)).id)), ...open });
    };
    const { context, mails } = posting({ look });
    const member = await inviteMember(context, wish, 'system');
    await reinviteMember(context, member.id, 'system');
    expect(seen).toEqual([
      { links: 1, open: 0 },
      { links: 2, open: 0 },
    ]);
    expect(await Promise.all(mails.map(works))).toEqual([false, true]);
  });

  test('that the mail server did not take shows on the member, and can be sent again', async () => {
    const wish = await wishOf();
    const member = await inviteMember(posting({ refuse: true }).context, wish, 'system');
    expect(member.invitationUnsent).toBe(true);
    expect((await stored(wish.email)).invitationUnsent).toBe(true);
    const { context, mails } = posting();
    expect((await reinviteMember(context, member.id, 'system')).invitationUnsent).toBe(false);
    expect((await stored(wish.email)).invitationUnsent).toBe(false);
    expect(await works(mails[0])).toBe(true);
  });

  test('sent again in vain leaves the link before it at work', async () => {
    const { context, mails } = posting();
    const { id } = await inviteMember(context, await wishOf(), 'system');
    expect((await reinviteMember(posting({ refuse: true }).context, id, 'system')).invitationUnsent).toBe(true);
    expect(await works(mails[0])).toBe(true);
  });

  test('sent again twice at once leaves a link that works', async () => {
    const { context, mails } = posting();
    const { id } = await inviteMember(context, await wishOf(), 'system');
    const again = posting();
    await Promise.all([1, 2].map(() => reinviteMember(again.context, id, 'system')));
    expect(await works(mails[0])).toBe(false);
    expect(again.mails).toHaveLength(2);
    expect(await Promise.all(again.mails.map(works))).toContain(true);
  });
});

describe('own members', () => {
  const reason = 'Left.';
  let partner: Id<'ptn'>;
  let ada: SignedInMember;
  let dev: SignedInMember;

  beforeEach(async () => {
    partner = (await newPartner(app)).id;
    ada = await newMember(app, partner, 'Ada Administrator', 'administrator');
    dev = await newMember(app, partner, 'Dan Developer');
  });

  const wish = (role: MemberRole = 'developer', email = `${crypto.randomUUID()}@partner.example`) => ({
    name: 'New Person',
    email,
    role,
  });

  const roleOf = async ({ id }: SignedInMember) =>
    (await app.context().em.findOneOrFail(PartnerMember, { id }, { refresh: true })).role;

  const invited = (id: Id<'ptn'>) => app.context().em.count(PartnerMember, { partner: id, joinedAt: null });

  describe('an administrator of a partner', () => {
    test('invites people of the own partner, sends again, sets roles and removes, each in the audit log', async () => {
      const member = await inviteOwnMember(app.context(), ada, wish('administrator'));
      expect(member).toMatchObject({ role: 'administrator', invitedBy: `member:${ada.id}`, invitationUnsent: false });
      await reinviteOwnMember(app.context(), ada, member.id);
      await setOwnMemberRole(app.context(), ada, { memberId: member.id, role: 'developer' });
      await removeOwnMember(app.context(), ada, { memberId: member.id, reason });
      const entries = await app.context().em.find(AuditEntry, { subject: member.id }, { orderBy: { id: 'asc' } });
      expect(entries.map(({ action, actor }) => [action, actor])).toEqual(
        ['invited', 'reinvited', 'role_changed', 'revoked'].map((what) => [
          `partner_member.${what}`,
          `member:${ada.id}`,
        ]),
      );
      const change = { before: { role: 'administrator' }, after: { role: 'developer' } };
      expect(entries[2]?.details).toEqual({ partner, ...change });
    });

    test('changes nothing about themselves, so the partner keeps an administrator', async () => {
      const { id: memberId } = ada;
      const removal = removeOwnMember(app.context(), ada, { memberId, reason });
      await expect(removal).rejects.toMatchObject({ code: 'conflict' });
      const step = setOwnMemberRole(app.context(), ada, { memberId, role: 'developer' });
      await expect(step).rejects.toMatchObject({ code: 'conflict' });
      expect(await roleOf(ada)).toBe('administrator');
    });

    type Act = (one: SignedInMember, two: SignedInMember) => Promise<unknown>;
    test.each<[string, Act]>([
      ['remove', (one, { id }) => removeOwnMember(app.context(), one, { memberId: id, reason })],
      ['demote', (one, { id }) => setOwnMemberRole(app.context(), one, { memberId: id, role: 'developer' })],
    ])('and another one who %s each other at the same moment: one of them stays', async (_, act) => {
      const eve = await newMember(app, partner, 'Eve', 'administrator');
      const ends = await Promise.allSettled([act(ada, eve), act(eve, ada)]);
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const left = { partner, role: 'administrator', revokedAt: null } as const;
      expect(await app.context().em.count(PartnerMember, left)).toBe(1);
    });

    test('who was made a developer meanwhile is refused, though the page is still open', async () => {
      const eve = await newMember(app, partner, 'Eve', 'administrator');
      await setOwnMemberRole(app.context(), ada, { memberId: eve.id, role: 'developer' });
      await expect(inviteOwnMember(app.context(), eve, wish())).rejects.toMatchObject({ code: 'forbidden' });
      expect(await invited(partner)).toBe(0);
    });

    test('does not learn whose member somebody elsewhere is', async () => {
      const elsewhere = await newMember(app, (await newPartner(app)).id);
      const theirs = inviteOwnMember(app.context(), ada, wish('developer', elsewhere.email.toUpperCase()));
      await expect(theirs).rejects.toThrow(`${elsewhere.email} can’t be invited. Use another address`);
      await expect(inviteOwnMember(app.context(), ada, wish('developer', dev.email))).rejects.toThrow('is a member');
    });

    test(`invites up to ${INVITATION_LIMIT.limit} times a day, and to ${MOST_OWN_MEMBERS} members`, async () => {
      const { em, now } = app.context();
      for (let each = 2; each < MOST_OWN_MEMBERS - 1; each++)
        em.create(PartnerMember, { partner, ...wish(), invitedBy: 'system', invitedAt: now() });
      await em.flush();
      const ends = await Promise.allSettled([1, 2, 3].map(() => inviteOwnMember(app.context(), ada, wish())));
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (let each = 3; each < INVITATION_LIMIT.limit; each++)
        await inviteOwnMember(app.context(), ada, wish()).catch(({ code }) => expect(code).toBe('conflict'));
      await expect(inviteOwnMember(app.context(), ada, wish())).rejects.toMatchObject({ code: 'rate_limited' });
    });
  });

  test('a developer changes nobody, and uses up none of the invitations', async () => {
    const context = app.context();
    const steps = [
      () => reinviteOwnMember(context, dev, ada.id),
      () => removeOwnMember(context, dev, { memberId: ada.id, reason }),
      () => setOwnMemberRole(context, dev, { memberId: ada.id, role: 'developer' }),
      ...Array.from({ length: INVITATION_LIMIT.limit + 1 }, () => () => inviteOwnMember(context, dev, wish())),
    ];
    for (const step of steps) await expect(step()).rejects.toMatchObject({ code: 'forbidden' });
    expect(await roleOf(ada)).toBe('administrator');
    await inviteOwnMember(app.context(), ada, wish());
  });

  test('staff sign a member out everywhere: every session and sign-in link ends, with an audit entry', async () => {
    const context = app.context();
    const other = await newMember(app, partner);
    addLink(context, dev.id, 'sign_in');
    await context.em.flush();
    await endMemberSessions(app.context(), dev.id, 'Lost the laptop', 'staff:stf_support');
    const { em } = app.context();
    expect(await em.count(AccountSession, rowsOf(dev.id))).toBe(0);
    expect(await em.count(AccountLink, rowsOf(dev.id))).toBe(0);
    expect(await em.count(AccountSession, rowsOf(other.id))).toBe(1);
    const entry = await em.findOneOrFail(AuditEntry, { action: 'partner_member.sessions_ended', subject: dev.id });
    expect(entry.details).toEqual({ partner, sessions: 1, reason: 'Lost the laptop' });
  });
});
