import { describe, expect, test } from 'vitest';
import { PartnerLink, PartnerMember } from '../../../src/entities/partner-member.ts';
import { DomainError } from '../../../src/errors.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import type { Mail } from '../../../src/mail/mail-sender.ts';
import { registerPartner } from '../../../src/partner/register-partner.ts';
import { inviteMember, reinviteMember } from '../../../src/workspace/invite-member.ts';
import { lookAtMemberLink } from '../../../src/workspace/spend-link.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

async function newPartner(): Promise<Id<'ptn'>> {
  const context = app.context();
  const partner = await registerPartner(context, `Partner ${crypto.randomUUID()}`, 'system');
  await context.em.flush();
  return partner.id;
}

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

async function wishOf(partnerId?: Id<'ptn'>) {
  const email = `${crypto.randomUUID()}@partner.example`;
  return { partnerId: partnerId ?? (await newPartner()), name: 'Mia Member', email };
}

const works = async (mail: Mail | undefined) => {
  const secret = new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '').searchParams.get('secret') ?? '';
  return lookAtMemberLink(app.context(), { secret, browserSecret: undefined }).then(
    () => true,
    () => false,
  );
};

const stored = (email: string) => app.context().em.findOneOrFail(PartnerMember, { email });

describe('the e-mail of an invitation', () => {
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
      seen.push({ links: await em.count(PartnerLink, { member: (await stored(wish.email)).id }), ...open });
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
