import { permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { LockMode } from '@mikro-orm/core';
import type { Fan } from '../entities/fan.ts';
import { Partner } from '../entities/partner.ts';
import { Permit } from '../entities/permit.ts';
import { TestUser } from '../entities/test-user.ts';
import { Ticket, TicketType } from '../entities/ticket.ts';
import type { WithConfig, WriteContext } from '../platform/context.ts';
import { rowUnder } from '../platform/database/row-under.ts';
import { DomainError } from '../platform/errors.ts';
import { knownId } from '../platform/identifier/known-id.ts';
import { type Id, newId, uuidOf } from '../platform/identifier/type-id.ts';
import { givenReason } from '../record/audit/reason.ts';
import { type AuditFactOfEach, recordAudit, recordAuditOfEach } from '../record/audit/record-audit.ts';
import { onchainTicketId, programIdOf, tixTicketId } from '../tickets/ticket/onchain-ids.ts';

const MOST_AT_ONCE = 50;

/**
 * Grants a test user a ticket of a test event, visible to one partner's clients. Written with the caller's unit of work;
 * `putOnchain` issues the permit.
 * @see spec §5.14
 */
export function grantPermit(
  context: WriteContext & WithConfig,
  grant: { fan: Fan; partner: Partner; ticketType: TicketType },
  actor: string,
): { ticket: Ticket; permit: Permit } {
  const { em, now, config } = context;
  const id = newId('tkt');
  const ticket = em.create(Ticket, {
    id,
    ticketType: grant.ticketType,
    owner: grant.fan,
    tixTicketId: tixTicketId(id),
    purchasedAt: now(),
    label: seatOf(id),
  });
  const { address } = permitAddress(
    programIdOf(config, 'sandbox'),
    grant.ticketType.event.tixEventId,
    onchainTicketId(id),
  );
  const permit = em.create(Permit, { ticket, partner: grant.partner, tixPermitId: address, createdAt: now() });
  recordAudit(context, {
    actor,
    action: 'permit.granted',
    subject: permit.id,
    details: { ticket: id, fan: grant.fan.id, partner: grant.partner.id },
  });
  return { ticket, permit };
}

/** A seat for a test ticket, so that a fan can tell two of a type apart. @param id `tkt_…` */
function seatOf(id: Id<'tkt'>): string {
  const drawn = Buffer.from(uuidOf('tkt', id).replaceAll('-', ''), 'hex');
  return `Row ${1 + (drawn.readUInt8(15) % 20)}, seat ${1 + (drawn.readUInt8(14) % 30)}`;
}

export interface PermitPlan {
  partnerId: string;
  ticketTypeId: string;
  /** Test users that the partner's sandbox knows, 1 to 50, each for one ticket. A repeated one gets several. */
  fanIds: readonly string[];
}

/**
 * Grants test users of a partner, or of every partner, a ticket each, all or none.
 * @returns in the order of `fanIds`
 * @throws DomainError `not_found`, or `invalid_request` for another partner's test user or event, or an event that is over
 */
export async function grantPermits(
  context: WriteContext & WithConfig,
  plan: PermitPlan,
  actor: string,
): Promise<Permit[]> {
  const { partnerId, ticketTypeId, fanIds } = plan;
  if (fanIds.length < 1 || fanIds.length > MOST_AT_ONCE) {
    throw new DomainError('invalid_request', `fanIds must have 1 to ${MOST_AT_ONCE} entries.`);
  }
  return context.em.transactional(async (em) => {
    // serialises with a reset of the sandbox
    const partner = await rowUnder(em, Partner, 'ptn', partnerId, { lockMode: LockMode.PESSIMISTIC_READ });
    const ticketType = await rowUnder(em, TicketType, 'typ', ticketTypeId, { populate: ['event'] });
    const fault = eventFault(ticketType, partner, context.now());
    if (fault !== undefined) throw new DomainError('invalid_request', fault);
    const ids = fanIds.map((id) => knownId('usr', id));
    const known = { fan: { $in: ids }, $or: [{ partner: null }, { partner }] };
    const testUsers = await em.find(TestUser, known, { populate: ['fan'] });
    return ids.map((id) => {
      const fan = testUsers.find((testUser) => testUser.fan.id === id)?.fan;
      if (!fan) throw new DomainError('invalid_request', `${id} is not a test user of ${partner.name}.`);
      return grantPermit({ ...context, em }, { fan, partner, ticketType }, actor).permit;
    });
  });
}

function eventFault({ event }: TicketType, partner: Partner, now: Date): string | undefined {
  if (event.mode !== 'sandbox') return `${event.name} is not a test event.`;
  if (event.partner && event.partner.id !== partner.id) return `${event.name} is a test event of another partner.`;
  if (event.endsAt <= now || event.closedAt != null) {
    return `${event.name} is over, so its tickets are no longer shown.`;
  }
  return undefined;
}

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
  context: WriteContext,
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
  context: WriteContext,
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
  context: WriteContext,
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
    recordAuditOfEach({ ...context, em }, change.fact, ids);
    return em.find(Permit, { id: { $in: ids } }, { orderBy: { id: 'asc' }, refresh: true });
  });
}
