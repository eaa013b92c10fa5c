import { PartnerMember } from '../../entities/partner-member.ts';
import type { WriteContext } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { knownId } from '../../platform/identifier/known-id.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endAccess } from '../account/end-access.ts';
import { endSessions } from '../account/sessions.ts';
import type { Condition } from './invite-member.ts';

/**
 * Revokes a member of a partner, for good: links end, sessions end with the next call at the latest. The person can be
 * invited again, as another member.
 * @param reason 1 to 1,000 characters
 * @throws DomainError `not_found`, `conflict` where it is revoked already, `invalid_request`
 */
export async function revokeMember(
  context: WriteContext,
  memberId: string,
  reason: string,
  actor: string,
  condition?: Condition,
): Promise<PartnerMember> {
  const given = givenReason(reason);
  return context.em.fork().transactional(async (em) => {
    await condition?.(em);
    const id = knownId('mem', memberId);
    const changed = await em.nativeUpdate(PartnerMember, { id, revokedAt: null }, { revokedAt: context.now() });
    const member = await rowUnder(em, PartnerMember, 'mem', id);
    if (changed !== 1) throw new DomainError('conflict', `${member.name} is revoked already.`);
    await endAccess({ ...context, em }, id);
    const details = { partner: member.partner.id, reason: given };
    recordAudit({ ...context, em }, { actor, action: 'partner_member.revoked', subject: id, details });
    return member;
  });
}

/**
 * Ends every session of a member of a partner, and the links that would start one. The member can sign in again.
 * @param reason 1 to 1,000 characters
 * @throws DomainError `not_found`, `invalid_request`
 */
export async function endMemberSessions(
  context: WriteContext,
  memberId: string,
  reason: string,
  actor: string,
): Promise<PartnerMember> {
  const given = givenReason(reason);
  return context.em.fork().transactional(async (em) => {
    const member = await rowUnder(em, PartnerMember, 'mem', memberId, LOCKED);
    const sessions = await endSessions({ em }, member.id);
    const details = { partner: member.partner.id, sessions, reason: given };
    recordAudit({ ...context, em }, { actor, action: 'partner_member.sessions_ended', subject: member.id, details });
    return member;
  });
}
