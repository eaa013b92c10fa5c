import { LockMode } from '@mikro-orm/core';
import { Proposal, type ProposalKindName } from '../../entities/proposal.ts';
import { Staff, StaffSession, StaffToken } from '../../entities/staff.ts';
import type { Context } from '../../platform/context.ts';
import { type Id, idOf, newId, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import type { Person } from './read-person.ts';

type AdmitContext = Pick<Context, 'em' | 'now' | 'requestId'>;

/** Concurrent first sign-ins get the same row; a disabled row stays unchanged. */
const ADMIT = `
  with before as (select role from staff where issuer = ? and subject = ?)
  insert into staff (id, issuer, subject, name, email, role, created_at, last_sign_in_at) values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (issuer, subject) do update
    set name = excluded.name, email = excluded.email, role = excluded.role, last_sign_in_at = excluded.last_sign_in_at
    where staff.disabled_at is null
  returning id, (select role from before) as role_before`;

/** Registers a person at the first sign-in and updates name, email and role at each. @returns undefined where disabled */
export async function admitStaff(
  context: AdmitContext,
  issuer: string,
  { subject, name, email }: Pick<Person, 'subject' | 'name' | 'email'>,
  role: StaffRole,
): Promise<Id<'stf'> | undefined> {
  const { em, now } = context;
  const uuid = uuidOf('stf', newId('stf'));
  const values = [issuer, subject, uuid, issuer, subject, name, email, role, now(), now()];
  const [row] = await em.execute<{ id: Uuid; role_before: StaffRole | null }[]>(ADMIT, values);
  if (!row) return undefined;
  const id = idOf('stf', row.id);
  const from = row.role_before;
  const fact = { actor: 'system', subject: id };
  if (from === null) recordAudit(context, { ...fact, action: 'staff.registered', details: { issuer, name, role } });
  else if (from !== role) recordAudit(context, { ...fact, action: 'staff.role_changed', details: { from, to: role } });
  return id;
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

/** Ends every session, token and open proposal of a member of staff, in the caller's transaction. @returns how many sessions and tokens */
export async function endAccess(context: AdmitContext, staffId: Id<'stf'>): Promise<number> {
  const { em, now } = context;
  await endProposalsOf(context, staffId);
  const sessions = await em.nativeDelete(StaffSession, { staff: staffId });
  const tokens = await em.nativeUpdate(StaffToken, { staff: staffId, revokedAt: null }, { revokedAt: now() });
  return sessions + tokens;
}

/** Ends what a person has proposed and nobody has decided, in the caller's transaction. @param kind of one kind only */
export async function endProposalsOf(
  context: AdmitContext,
  staffId: Id<'stf'>,
  kind?: ProposalKindName,
): Promise<void> {
  const { em, now } = context;
  const open = { state: 'proposed', proposedBy: `staff:${staffId}`, ...(kind && { kind }) } as const;
  const reason = 'The person who proposed it may no longer do so.';
  const ended = { state: 'withdrawn', decidedBy: 'system', decidedAt: now(), note: reason, endedAt: now() } as const;
  for (const { id, kind, subject } of await em.find(Proposal, open, { disableIdentityMap: true })) {
    if ((await em.nativeUpdate(Proposal, { ...open, id }, ended)) === 0) continue;
    const details = { proposal: id, kind, reason };
    recordAudit(context, { actor: 'system', action: 'proposal.withdrawn', subject, details });
  }
}
