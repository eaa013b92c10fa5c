import { type MemberRole, PartnerMember } from '../../entities/partner-member.ts';
import { personBehind } from '../../partners/person.ts';
import type { WriteContext } from '../../platform/context.ts';
import { LOCKED, rowUnder } from '../../platform/database/row-under.ts';
import { DomainError } from '../../platform/errors.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { Condition } from './invite-member.ts';

/**
 * Gives a member of a partner another role. It takes effect on the member's next call. The same role again changes nothing.
 * @throws DomainError `not_found`, `conflict` where the member is revoked, or oneself
 */
export async function setMemberRole(
  context: WriteContext,
  { memberId, role }: { memberId: string; role: MemberRole },
  actor: string,
  condition?: Condition,
): Promise<PartnerMember> {
  return context.em.fork().transactional(async (em) => {
    await condition?.(em);
    const member = await rowUnder(em, PartnerMember, 'mem', memberId, LOCKED);
    const { id } = member;
    if (member.revokedAt) throw new DomainError('conflict', `${member.name} is revoked.`);
    if (member.role === role) return member;
    if ((await personBehind({ em }, actor)).accounts.has(`member:${id}`)) {
      throw new DomainError('conflict', 'You can’t change yourself. Ask somebody else.');
    }
    const details = { partner: member.partner.id, before: { role: member.role }, after: { role } };
    member.role = role;
    recordAudit({ ...context, em }, { actor, action: 'partner_member.role_changed', subject: id, details });
    return member;
  });
}
