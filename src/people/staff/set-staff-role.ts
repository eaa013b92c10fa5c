import { LOCAL_ISSUER, type Staff } from '../../entities/staff.ts';
import { personBehind } from '../../partners/person.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endSessions } from '../account/sessions.ts';
import { lockStaff } from './disable-staff.ts';
import { LOCAL_ADMIN } from './make-link.ts';

type StaffContext = Pick<Context, 'em' | 'now' | 'requestId'>;

/**
 * Gives a member of staff who signs in with links another role. It counts from the person's next call on, also for their tokens. The
 * same role again changes nothing.
 * @param wish with a reason of 1 to 1,000 characters
 * @throws DomainError `not_found`, `invalid_request`; `conflict` for oneself, the local admin, or somebody whose groups decide
 */
export async function setStaffRole(
  context: StaffContext,
  wish: { staffId: string; role: StaffRole; reason: string },
  actor: string,
): Promise<Staff> {
  const reason = givenReason(wish.reason);
  return context.em.fork().transactional(async (em) => {
    const staff = await lockStaff(em, wish.staffId);
    if (staff.issuer !== LOCAL_ISSUER) {
      throw new DomainError(
        'conflict',
        `The groups of ${staff.name} at the company’s sign-in service decide the role.`,
      );
    }
    if (staff.subject === LOCAL_ADMIN) throw new DomainError('conflict', 'The local admin stays an admin.');
    if ((await personBehind({ em }, actor)).accounts.has(`staff:${staff.id}`)) {
      throw new DomainError('conflict', 'You can’t change your own role. Ask another admin.');
    }
    const { role: from } = staff;
    if (from === wish.role) return staff;
    staff.role = wish.role;
    const details = { from, to: wish.role, reason };
    recordAudit({ ...context, em }, { actor, action: 'staff.role_changed', subject: staff.id, details });
    return staff;
  });
}

/**
 * Ends every session of a member of staff, in all browsers, and the links that would start one. Access tokens stay.
 * @param reason 1 to 1,000 characters
 * @throws DomainError `not_found`, `invalid_request`
 */
export async function endStaffSessions(
  context: StaffContext,
  staffId: string,
  reason: string,
  actor: string,
): Promise<Staff> {
  const given = givenReason(reason);
  return context.em.fork().transactional(async (em) => {
    const staff = await lockStaff(em, staffId);
    const sessions = await endSessions({ em }, staff.id);
    const details = { sessions, reason: given };
    recordAudit({ ...context, em }, { actor, action: 'staff.sessions_ended', subject: staff.id, details });
    return staff;
  });
}
