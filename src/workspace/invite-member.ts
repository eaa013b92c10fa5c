import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Partner } from '../entities/partner.ts';
import { PartnerLink, PartnerMember } from '../entities/partner-member.ts';
import { DomainError } from '../errors.ts';
import { knownId, nothingUnder } from '../identifier/known-id.ts';
import { nameFault } from '../identifier/name-fault.ts';
import { hashOf, newMemberLinkSecret } from '../identifier/secret-value.ts';
import { newId } from '../identifier/type-id.ts';
import type { WithMail } from '../mail/mail-sender.ts';
import { after } from '../oauth/lifetimes.ts';
import { invitationMail } from './mails.ts';

type InviteContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId'> & WithMail;

/** Seconds. */
export const INVITATION_LIFETIME = 7 * 24 * 3600;

const MOST_EMAIL = 254;
const Email = z.email().max(MOST_EMAIL);

/**
 * Invites a person to the workspace of a partner, by e-mail.
 * @param wish name of 1 to 120 characters; e-mail address that no member of any partner has
 * @throws DomainError `invalid_request`, `not_found`, `conflict`, `unavailable` where the e-mail can't be sent
 */
export async function inviteMember(
  context: InviteContext,
  wish: { partnerId: string; name: string; email: string },
  actor: string,
): Promise<PartnerMember> {
  const name = wish.name.trim();
  const fault = nameFault(name);
  if (fault !== undefined) throw new DomainError('invalid_request', `name ${fault}.`);
  const email = readEmail(wish.email);
  if (email === undefined) throw new DomainError('invalid_request', 'email must be an e-mail address.');
  const { now } = context;
  return context.em.fork().transactional(async (em) => {
    const partner = await em.findOne(Partner, { id: knownId('ptn', wish.partnerId) });
    if (!partner) throw nothingUnder('ptn', wish.partnerId);
    const id = newId('mem');
    const member = em.create(PartnerMember, { id, partner, name, email, invitedBy: actor, invitedAt: now() });
    const details = { partner: partner.id, name, email };
    recordAudit({ ...context, em }, { actor, action: 'partner_member.invited', subject: id, details });
    await em.flush().catch((error: unknown) => {
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
      throw new DomainError('conflict', `${email} is a member of a partner already. Revoke that member first.`);
    });
    await sendInvitation({ ...context, em }, member, partner.name);
    return member;
  });
}

/**
 * Sends another invitation; the links of the ones before end.
 * @throws DomainError `not_found`, `conflict` where the person has joined or is revoked, `unavailable`
 */
export async function reinviteMember(context: InviteContext, memberId: string, actor: string): Promise<PartnerMember> {
  const { now } = context;
  return context.em.fork().transactional(async (em) => {
    const id = knownId('mem', memberId);
    const waiting = { id, revokedAt: null, joinedAt: null };
    const changed = await em.nativeUpdate(PartnerMember, waiting, { invitedAt: now(), invitedBy: actor });
    const member = await em.findOne(PartnerMember, { id }, { populate: ['partner'] });
    if (!member) throw nothingUnder('mem', memberId);
    if (changed !== 1) {
      const why = member.revokedAt ? 'is revoked' : 'has joined already';
      throw new DomainError('conflict', `${member.name} ${why}.`);
    }
    await em.nativeDelete(PartnerLink, { member: id });
    const details = { partner: member.partner.id };
    recordAudit({ ...context, em }, { actor, action: 'partner_member.reinvited', subject: id, details });
    await sendInvitation({ ...context, em }, member, member.partner.name);
    return member;
  });
}

/** An address as it is stored and compared; undefined for a text that is none. */
export function readEmail(text: string): string | undefined {
  const parsed = Email.safeParse(text.trim().toLowerCase());
  return parsed.success ? parsed.data : undefined;
}

/** Within the transaction: an invitation that was not sent was not made. */
async function sendInvitation(context: InviteContext, member: PartnerMember, partner: string): Promise<void> {
  const { em, now, config, mail } = context;
  const secret = newMemberLinkSecret();
  const expiresAt = after(now(), INVITATION_LIFETIME);
  em.create(PartnerLink, { secretHash: hashOf(secret), member, kind: 'invitation', createdAt: now(), expiresAt });
  await em.flush();
  await mail.send(invitationMail(config, { to: member.email, name: member.name, partner, secret, expiresAt }));
}
