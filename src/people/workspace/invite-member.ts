import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { AccountLink } from '../../entities/account.ts';
import { Partner } from '../../entities/partner.ts';
import { type MemberRole, PartnerMember } from '../../entities/partner-member.ts';
import { Staff } from '../../entities/staff.ts';
import { memberIn, personAt, personBehind } from '../../partners/person.ts';
import type { Context } from '../../platform/context.ts';
import { rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { nameFault } from '../../platform/identifier/name-fault.ts';
import { newId } from '../../platform/identifier/type-id.ts';
import type { WithMail } from '../../platform/mail/mail-sender.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { rowsOf } from '../account/account.ts';
import { addLink, type NewLink } from '../account/links.ts';
import { invitationMail } from './mails.ts';

type InviteContext = Pick<Context, 'em' | 'now' | 'config' | 'requestId' | 'log'> & WithMail;

export interface MemberWish {
  partnerId: string;
  /** 1 to 120 characters. */
  name: string;
  /** Not the address of a member of any partner. */
  email: string;
  /** A developer if omitted. */
  role?: MemberRole;
}

/** A condition of the change, checked first in its transaction. */
export type Condition = (em: Context['em']) => Promise<unknown>;

const MOST_EMAIL = 254;
const Email = z.email().max(MOST_EMAIL);

/**
 * Invites a person to the workspace of a partner, by e-mail. Where the mail server does not accept the e-mail, the member is
 * `invitationUnsent`.
 * @throws DomainError `invalid_request`, `not_found`, `conflict`; `forbidden` for one's own address, or for one of staff by a non-admin
 */
export async function inviteMember(
  context: InviteContext,
  wish: MemberWish,
  actor: string,
  condition?: Condition,
): Promise<PartnerMember> {
  const name = wish.name.trim();
  const fault = nameFault(name);
  if (fault !== undefined) throw new DomainError('invalid_request', `name ${fault}.`);
  const email = readEmail(wish.email);
  if (email === undefined) throw new DomainError('invalid_request', 'email must be an e-mail address.');
  const { now } = context;
  const { role = 'developer' } = wish;
  const { member, invitation } = await context.em.fork().transactional(async (em) => {
    await condition?.(em);
    const partner = await rowUnder(em, Partner, 'ptn', wish.partnerId);
    await requireInvitable(em, email, actor);
    const id = newId('mem');
    const invited = { invitedBy: actor, invitedAt: now(), invitationUnsent: true };
    const member = em.create(PartnerMember, { id, partner, name, email, role, ...invited });
    const details = { partner: partner.id, name, email, role };
    recordAudit({ ...context, em }, { actor, action: 'partner_member.invited', subject: id, details });
    await em.flush().catch((error: unknown) => {
      throw error instanceof UniqueConstraintViolationException ? addressTaken(email) : error;
    });
    return { member, invitation: addLink({ em, now }, member.id, 'invitation') };
  });
  await sendInvitation(context, member, invitation);
  return member;
}

/**
 * Sends another invitation; once it is sent, the links of the ones before end.
 * @throws DomainError `not_found`, `conflict` where the person has joined or is revoked
 */
export async function reinviteMember(
  context: InviteContext,
  memberId: string,
  actor: string,
  condition?: Condition,
): Promise<PartnerMember> {
  const { now } = context;
  const { member, invitation } = await context.em.fork().transactional(async (em) => {
    await condition?.(em);
    const id = knownId('mem', memberId);
    const waiting = { id, revokedAt: null, joinedAt: null };
    // who chose the address stays the inviter
    const invited = { invitedAt: now(), invitationUnsent: true };
    const changed = await em.nativeUpdate(PartnerMember, waiting, invited);
    const member = await rowUnder(em, PartnerMember, 'mem', id, { populate: ['partner'] });
    if (changed !== 1) {
      const why = member.revokedAt ? 'is revoked' : 'has joined already';
      throw new DomainError('conflict', `${member.name} ${why}.`);
    }
    await requireInvitable(em, member.email, actor);
    const details = { partner: member.partner.id };
    recordAudit({ ...context, em }, { actor, action: 'partner_member.reinvited', subject: id, details });
    return { member, invitation: addLink({ em, now }, member.id, 'invitation') };
  });
  await sendInvitation(context, member, invitation);
  return member;
}

/**
 * Sends the e-mail of an invitation whose transaction has committed, so that no link in a mailbox is one that was rolled back, and
 * no connection waits for a mail server. The links before it end only now: without the e-mail they still work.
 *
 * Where the mail server does not accept the e-mail, or the process ends in between, the member stays `invitationUnsent`. Nothing is
 * retried automatically, because the mail server may have the e-mail all the same: the person who invites sees it and sends it again.
 * @param member with its partner
 */
async function sendInvitation(
  context: Pick<Context, 'em' | 'config' | 'log'> & WithMail,
  member: PartnerMember,
  { secret, createdAt, expiresAt }: NewLink,
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
  await em.nativeDelete(AccountLink, { ...rowsOf(id), createdAt: { $lt: createdAt } });
  member.invitationUnsent = false;
}

function addressTaken(email: string): DomainError {
  return new DomainError('conflict', `${email} is a member of a partner already. Revoke that member first.`);
}

/** Nobody invites themselves, and only an admin invites an address of staff: its person would be on both sides of a review (D-340). */
async function requireInvitable(em: Context['em'], email: string, actor: string): Promise<void> {
  const [{ accounts }, inviter] = [await personAt({ em }, email), await personBehind({ em }, actor)];
  if ([...accounts].some((account) => inviter.accounts.has(account))) {
    throw new DomainError('forbidden', 'You can’t invite yourself. Ask an admin of the staff.');
  }
  if (![...accounts].some((account) => account.startsWith('staff:'))) return;
  if (memberIn(actor) !== undefined) throw notByPartner(email);
  const [admin] = (await em.find(Staff, { role: 'admin' })).filter(({ id }) => actor === `staff:${id}`);
  if (!admin) throw new DomainError('forbidden', `${email} is an address of staff: only an admin can invite them.`);
}

/** Discloses neither that another partner has the address nor that it is one of staff. */
export function notByPartner(email: string): DomainError {
  return new DomainError('conflict', `${email} can’t be invited. Use another address of this person, or ask staff.`);
}

/** An address as it is stored and compared; undefined for a text that is none. */
export function readEmail(text: string): string | undefined {
  const parsed = Email.safeParse(text.trim().toLowerCase());
  return parsed.success ? parsed.data : undefined;
}
