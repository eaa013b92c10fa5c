import { LockMode } from '@mikro-orm/core';
import { type AuditFactOfEach, recordAuditOfEach } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { Permit } from '../entities/permit.ts';
import { DomainError } from '../errors.ts';
import { knownId } from '../identifier/known-id.ts';

const MOST_AT_ONCE = 50;

/** One step in the life of a permit, as one conditional update. */
interface PermitChange {
  from: { revokedAt: null | { $ne: null } };
  to: { revokedAt: Date | null };
  /** Why it can't be where a permit is not in `from`: "revoked already". */
  refusal: string;
  fact: AuditFactOfEach;
}

/**
 * Takes test permits from one state to another, all or none.
 * @param permitIds 1 to 50
 * @throws DomainError `not_found`; `invalid_request` for a production permit; `conflict` where one is in another state
 */
export async function changePermits(
  context: Pick<Context, 'em' | 'now' | 'requestId'>,
  permitIds: readonly string[],
  change: PermitChange,
): Promise<Permit[]> {
  const ids = [...new Set(permitIds.map((id) => knownId('perm', id)))];
  if (ids.length < 1 || ids.length > MOST_AT_ONCE) {
    throw new DomainError('invalid_request', `permitIds must have 1 to ${MOST_AT_ONCE} entries.`);
  }
  return context.em.transactional(async (em) => {
    // in one order for everybody
    await em.find(Permit, { id: { $in: ids } }, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
    const permits = await em.find(Permit, { id: { $in: ids } }, { populate: ['ticket.ticketType.event'] });
    if (permits.length < ids.length) throw new DomainError('not_found', 'One of these permits is not there.');
    const real = permits.find((permit) => permit.ticket.ticketType.event.mode !== 'sandbox');
    if (real) throw new DomainError('invalid_request', `${real.id} is not a test permit.`);
    const changed = await em.nativeUpdate(Permit, { id: { $in: ids }, ...change.from }, change.to);
    if (changed < ids.length) throw new DomainError('conflict', `One of these permits is ${change.refusal}.`);
    await recordAuditOfEach({ ...context, em }, change.fact, ids);
    return em.find(Permit, { id: { $in: ids } }, { orderBy: { id: 'asc' }, refresh: true });
  });
}
