import { LockMode } from '@mikro-orm/core';
import { LOCAL_ISSUER, Staff } from '../../entities/staff.ts';
import { personBehind } from '../../partners/person.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { isId } from '../../platform/identifier/type-id.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endAccess } from '../account/end-access.ts';
import { endSessions } from '../account/sessions.ts';
import { LOCAL_ADMIN } from './make-link.ts';

/**
 * Disables a member of staff: sessions and tokens end immediately, links become invalid.
 * @param reason 1 to 1,000 characters
 * @throws DomainError `not_found`, `conflict` (oneself, the local admin, or disabled already), `invalid_request`
 */
export async function disableStaff(
  context: WriteContext,
  staffId: string,
  reason: string,
  actor: string,
): Promise<Staff> {
  const given = givenReason(reason);
  if (actor === `staff:${staffId}`) {
    throw new DomainError('conflict', 'You can’t disable yourself. Ask another admin.');
  }
  return context.em.fork().transactional(async (em) => {
    const staff = await lockStaff(em, staffId);
    if (staff.issuer === LOCAL_ISSUER && staff.subject === LOCAL_ADMIN) {
      throw new DomainError('conflict', 'The local admin can’t be disabled.');
    }
    const changed = await em.nativeUpdate(Staff, { id: staff.id, disabledAt: null }, { disabledAt: context.now() });
    if (changed !== 1) throw new DomainError('conflict', `${staff.name} is already disabled.`);
    await endAccess({ ...context, em }, staff.id);
    recordAudit({ ...context, em }, { actor, action: 'staff.disabled', subject: staffId, details: { reason: given } });
    return em.refreshOrFail(staff);
  });
}

/**
 * Lets a member of staff sign in again. Tokens stay revoked.
 * @throws DomainError `not_found`, `conflict` where the person is not disabled
 */
export async function enableStaff(context: WriteContext, staffId: string, actor: string): Promise<Staff> {
  return context.em.fork().transactional(async (em) => {
    const staff = await lockStaff(em, staffId);
    const changed = await em.nativeUpdate(Staff, { id: staff.id, disabledAt: { $ne: null } }, { disabledAt: null });
    if (changed !== 1) throw new DomainError('conflict', `${staff.name} is not disabled.`);
    recordAudit({ ...context, em }, { actor, action: 'staff.enabled', subject: staffId });
    return em.refreshOrFail(staff);
  });
}

/** Locked, so that changes of one person follow each other. @throws DomainError `not_found` */
export async function lockStaff(em: Context['em'], id: string): Promise<Staff> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const staff = isId('stf', id) ? await em.findOne(Staff, { id }, lock) : null;
  if (!staff) throw new DomainError('not_found', 'This person was not found.');
  return staff;
}

/**
 * Gives a member of staff who signs in with links another role. It takes effect on the person's next call, also for their tokens. The
 * same role again changes nothing.
 * @param wish with a reason of 1 to 1,000 characters
 * @throws DomainError `not_found`, `invalid_request`; `conflict` for oneself, the local admin, or a person whose groups decide
 */
export async function setStaffRole(
  context: WriteContext,
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
  context: WriteContext,
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
