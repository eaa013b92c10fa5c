import { LockMode } from '@mikro-orm/core';
import { Permit } from '../entities/permit.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import { knownId } from '../platform/identifier/known-id.ts';
import { givenReason } from '../record/audit/reason.ts';
import { type AuditFactOfEach, recordAuditOfEach } from '../record/audit/record-audit.ts';

const MOST_AT_ONCE = 50;

type ChangeContext = Pick<Context, 'em' | 'now' | 'requestId'>;

/** A change of a permit's state, made by one conditional update. */
interface PermitChange {
  from: { revokedAt: null | { $ne: null } };
  to: { revokedAt: Date | null };
  /** The end of the refusal where a permit is not in `from`: "already revoked". */
  refusal: string;
  fact: AuditFactOfEach;
}

/**
 * Revokes test permits, all or none. From then on partners neither see their tickets nor get anything signed for them, and fans
 * cannot claim them. The ticket program cannot revoke a permit, so the account on the test network stays.
 * @param request.permitIds 1 to 50
 * @throws DomainError `not_found`; `invalid_request` for a production permit; `conflict` where one is already revoked
 */
export async function revokePermits(
  context: ChangeContext,
  request: { permitIds: readonly string[]; reason: string },
  actor: string,
): Promise<Permit[]> {
  return changePermits(context, request.permitIds, {
    from: { revokedAt: null },
    to: { revokedAt: context.now() },
    refusal: 'already revoked',
    fact: { actor, action: 'permit.revoked', details: { reason: givenReason(request.reason) } },
  });
}

/**
 * Undoes the revocation of test permits, all or none. Safe at any time: ownership is reconciled for revoked permits too.
 * @param permitIds 1 to 50
 * @throws DomainError `not_found`; `invalid_request` for a production permit; `conflict` where one is not revoked
 */
export async function restorePermits(
  context: ChangeContext,
  permitIds: readonly string[],
  actor: string,
): Promise<Permit[]> {
  return changePermits(context, permitIds, {
    from: { revokedAt: { $ne: null } },
    to: { revokedAt: null },
    refusal: 'not revoked',
    fact: { actor, action: 'permit.restored' },
  });
}

async function changePermits(
  context: ChangeContext,
  permitIds: readonly string[],
  change: PermitChange,
): Promise<Permit[]> {
  const ids = [...new Set(permitIds.map((id) => knownId('perm', id)))];
  if (ids.length < 1 || ids.length > MOST_AT_ONCE) {
    throw new DomainError('invalid_request', `permitIds must have 1 to ${MOST_AT_ONCE} entries.`);
  }
  return context.em.transactional(async (em) => {
    // always in this order, against deadlocks
    await em.find(Permit, { id: { $in: ids } }, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });
    const permits = await em.find(Permit, { id: { $in: ids } }, { populate: ['ticket.ticketType.event'] });
    if (permits.length < ids.length) throw new DomainError('not_found', 'One of these permits was not found.');
    const real = permits.find((permit) => permit.ticket.ticketType.event.mode !== 'sandbox');
    if (real) throw new DomainError('invalid_request', `${real.id} is not a test permit.`);
    const changed = await em.nativeUpdate(Permit, { id: { $in: ids }, ...change.from }, change.to);
    if (changed < ids.length) throw new DomainError('conflict', `One of these permits is ${change.refusal}.`);
    await recordAuditOfEach({ ...context, em }, change.fact, ids);
    return em.find(Permit, { id: { $in: ids } }, { orderBy: { id: 'asc' }, refresh: true });
  });
}
