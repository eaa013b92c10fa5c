import { LockMode } from '@mikro-orm/core';
import { Partner } from '../../entities/partner.ts';
import { type MemberRole, PartnerMember } from '../../entities/partner-member.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { countOne } from '../../platform/keyed-limit.ts';
import type { WithMail } from '../../platform/mail/mail-sender.ts';
import type { SignedInMember } from '../account/find-session.ts';
import { type Condition, inviteMember, notByPartner, readEmail, reinviteMember } from './invite-member.ts';
import { revokeMember } from './revoke-member.ts';
import { setMemberRole } from './set-member-role.ts';

type OwnContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'requestId' | 'log'> & WithMail & WithSecrets;

/** The administrator of the partner who acts. */
type Acting = Pick<SignedInMember, 'id' | 'partner' | 'role'>;

/** Members of a partner, invited ones among them, up to which its administrators invite more themselves. */
export const MOST_OWN_MEMBERS = 200;

/** E-mails with an invitation that the administrators of one partner ask for, also those that are refused. */
export const INVITATION_LIMIT = {
  name: 'workspace invitations',
  limit: 50,
  seconds: 24 * 3600,
  refusal: 'Your company has sent 50 invitations within a day.',
};

/**
 * Invites a person to one's own partner, as one of its administrators.
 * @throws DomainError as `inviteMember`; `forbidden`, `rate_limited`, `conflict` with too many members
 */
export async function inviteOwnMember(
  context: OwnContext,
  acting: Acting,
  wish: { name: string; email: string; role: MemberRole },
): Promise<PartnerMember> {
  await countInvitation(context, acting);
  return inviteMember(context, { ...wish, partnerId: acting.partner }, `member:${acting.id}`, async (em) => {
    await requireAdministrator(acting)(em);
    const members = await em.count(PartnerMember, { partner: acting.partner, revokedAt: null });
    if (members >= MOST_OWN_MEMBERS)
      throw new DomainError('conflict', `A partner can have up to ${MOST_OWN_MEMBERS} members. Ask staff for more.`);
    const email = readEmail(wish.email) ?? '';
    const elsewhere = { email, revokedAt: null, partner: { $ne: acting.partner } };
    if ((await em.count(PartnerMember, elsewhere)) > 0) throw notByPartner(email);
  });
}

/** Sends another invitation. The caller checks that the member is the partner's. @throws DomainError as `reinviteMember`; `forbidden`, `rate_limited` */
export async function reinviteOwnMember(
  context: OwnContext,
  acting: Acting,
  memberId: Id<'mem'>,
): Promise<PartnerMember> {
  await countInvitation(context, acting);
  return reinviteMember(context, memberId, `member:${acting.id}`, requireAdministrator(acting));
}

/** Removes somebody else. The caller checks that the member is the partner's. @throws DomainError as `revokeMember`; `forbidden`, `conflict` for oneself */
export async function removeOwnMember(
  context: OwnContext,
  acting: Acting,
  { memberId, reason }: { memberId: Id<'mem'>; reason: string },
): Promise<PartnerMember> {
  refuseOneself(acting, memberId);
  return revokeMember(context, memberId, reason, `member:${acting.id}`, requireAdministrator(acting));
}

/** Gives somebody else a role. The caller checks that the member is the partner's. @throws DomainError as `setMemberRole`; `forbidden`, `conflict` for oneself */
export async function setOwnMemberRole(
  context: OwnContext,
  acting: Acting,
  wish: { memberId: Id<'mem'>; role: MemberRole },
): Promise<PartnerMember> {
  refuseOneself(acting, wish.memberId);
  return setMemberRole(context, wish, `member:${acting.id}`, requireAdministrator(acting));
}

/**
 * Requires that the acting member is an administrator now, under the lock of the partner's row: of two who remove each other, the
 * second no longer is one. Nobody changes themselves, so a partner that has an administrator keeps one.
 */
function requireAdministrator({ id, partner }: Acting): Condition {
  return async (em) => {
    await em.findOneOrFail(Partner, { id: partner }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const standing = { id, partner, role: 'administrator', revokedAt: null } as const;
    if ((await em.count(PartnerMember, standing)) === 0) throw notAdministrator();
  };
}

function notAdministrator(): DomainError {
  return new DomainError('forbidden', 'Only administrators of your company’s workspace do this. Ask one of them.');
}

function refuseOneself(acting: Acting, memberId: Id<'mem'>): void {
  if (acting.id === memberId)
    throw new DomainError('conflict', 'You can’t change or remove yourself. Ask another administrator, or staff.');
}

/** Counts an invitation, except by a developer, who is refused. */
async function countInvitation(context: OwnContext, { partner, role }: Acting): Promise<void> {
  if (role !== 'administrator') throw notAdministrator();
  await countOne(context, INVITATION_LIMIT, partner, context.now());
}
