import { PartnerLink, PartnerMember } from '../../entities/partner-member.ts';
import type { Context } from '../../platform/context.ts';
import { hashOf, newMemberLinkSecret } from '../../platform/identifier/secret-value.ts';
import type { WithMail } from '../../platform/mail/mail-sender.ts';
import { after } from '../../platform/time.ts';
import { invitationMail } from './mails.ts';

/** Seconds. */
export const INVITATION_LIFETIME = 7 * 24 * 3600;

/** The link of an invitation, with the secret that is in its e-mail only. */
export interface Invitation {
  secret: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Makes the link of an invitation, in the caller's transaction. The e-mail follows after the commit. */
export function makeInvitation({ em, now }: Pick<Context, 'em' | 'now'>, member: PartnerMember): Invitation {
  const secret = newMemberLinkSecret();
  const createdAt = now();
  const expiresAt = after(createdAt, INVITATION_LIFETIME);
  em.create(PartnerLink, { secretHash: hashOf(secret), member, kind: 'invitation', createdAt, expiresAt });
  return { secret, createdAt, expiresAt };
}

/**
 * Sends the e-mail of an invitation whose transaction has committed, so that no link in a mailbox is one that was rolled back, and
 * no connection waits for a mail server. The links before it end only now: without the e-mail they still work.
 *
 * An e-mail that the mail server did not take leaves the member `invitationUnsent`, as does a process that ends in between.
 * Nothing is tried again by itself: the mail server may have it all the same. Whoever invites sees it and sends it again.
 * @param member with its partner
 */
export async function sendInvitation(
  context: Pick<Context, 'em' | 'config' | 'log'> & WithMail,
  member: PartnerMember,
  { secret, createdAt, expiresAt }: Invitation,
): Promise<void> {
  const em = context.em.fork();
  const { id, email: to, name, partner } = member;
  try {
    await context.mail.send(invitationMail(context.config, { to, name, partner: partner.name, secret, expiresAt }));
  } catch {
    // the sender has logged why
    context.log.warn({ member: id }, 'the e-mail of an invitation was not sent');
    return;
  }
  await em.nativeUpdate(PartnerMember, { id }, { invitationUnsent: false });
  await em.nativeDelete(PartnerLink, { member: id, createdAt: { $lt: createdAt } });
  member.invitationUnsent = false;
}
