import { LockMode } from '@mikro-orm/core';
import { Staff } from '../../entities/staff.ts';
import type { Context } from '../../platform/context.ts';
import { type Id, newId } from '../../platform/identifier/type-id.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { endAccess } from '../account/end-access.ts';
import type { Person } from './provider-sign-in.ts';

type AdmitContext = Pick<Context, 'em' | 'now' | 'requestId'>;

/**
 * Registers a person at the first sign-in and updates name, email and role at each, in the caller's transaction. The row stays
 * locked, so that a session that starts now ends with a concurrent end of access.
 * @returns undefined where disabled
 */
export async function admitStaff(
  context: AdmitContext,
  issuer: string,
  { subject, name, email }: Person,
  role: StaffRole,
): Promise<Id<'stf'> | undefined> {
  const { em, now } = context;
  const key = { issuer, subject };
  const id = newId('stf');
  // of concurrent first sign-ins one makes the row
  const first = { id, ...key, name, email, role, createdAt: now() };
  await em.upsert(Staff, first, { onConflictFields: ['issuer', 'subject'], onConflictAction: 'ignore' });
  const staff = await em.findOneOrFail(Staff, key, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  if (staff.disabledAt) return undefined;
  const { role: from } = staff;
  Object.assign(staff, { name, email, role, lastSignInAt: now() });
  const fact = { actor: 'system', subject: staff.id };
  if (staff.id === id) recordAudit(context, { ...fact, action: 'staff.registered', details: { issuer, name, role } });
  else if (from !== role) recordAudit(context, { ...fact, action: 'staff.role_changed', details: { from, to: role } });
  return staff.id;
}

/** Ends the sessions and tokens of a person who has lost every role at the provider. */
export async function expelStaff(context: AdmitContext, issuer: string, subject: string): Promise<void> {
  await context.em.fork().transactional(async (em) => {
    // locked: a proposal that is being made waits, and then ends too
    const staff = await em.findOne(Staff, { issuer, subject }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!staff) return;
    const ended = await endAccess({ ...context, em }, staff.id);
    if (ended === 0) return;
    recordAudit({ ...context, em }, { actor: 'system', action: 'staff.expelled', subject: staff.id });
  });
}
