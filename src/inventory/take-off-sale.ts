import type { SaleEndCause } from '../entities/ended-access.ts';
import type { Context } from '../platform/context.ts';
import { inTransaction, prepared } from '../platform/database/prepared.ts';
import { DomainError } from '../platform/errors.ts';
import { type Id, isId, type Uuid, uuidOf } from '../platform/identifier/type-id.ts';
import { givenReason } from '../record/audit/reason.ts';
import { openListingOf } from '../tickets/listing/sales.ts';
import { lockPermits } from '../tickets/ticket/lock-permits.ts';
import { orderClosings } from './custody-move/order-moves.ts';

type TakeContext = Pick<Context, 'pool' | 'now' | 'requestId' | 'staffToken'>;

const permitOfTicket = prepared<{ address: string; owner: Uuid | null }>(
  'select p.tix_permit_id as address, t.owner_id as owner from permit p join ticket t on t.id = p.ticket_id where t.id = $1',
);

/** Read after the lock, in which a sale may have gone through. */
const onSale = prepared<{ permitId: Uuid; from: Uuid | null }>(`
  select p.id as "permitId", t.owner_id as "from" from permit p join ticket t on t.id = p.ticket_id
  where p.tix_permit_id = $1 and exists (${openListingOf('p.id')})`);

/**
 * Takes a fan's own ticket off sale, whichever app put it there. Repeating it changes nothing while the ticket is being taken off sale.
 * @throws DomainError `not_found` where the fan has no such ticket; `conflict` where it is not on sale
 */
export async function takeOwnOffSale(context: TakeContext, fanId: Id<'usr'>, ticketId: string): Promise<void> {
  const actor = `fan:${fanId}`;
  const reason = 'The fan took the ticket off sale.';
  await takeOff(
    context,
    ticketId,
    { actor, reason, cause: 'taken_off_by_fan', origin: 'portal' },
    uuidOf('usr', fanId),
  );
}

/**
 * As `takeOwnOffSale`, by staff.
 * @param request `reason`: for the audit log, 1 to 1,000 characters
 * @throws DomainError also `invalid_request` without a reason; `conflict` where the ticket is in a wallet that is not of this service
 */
export async function takeOffSale(
  context: TakeContext,
  request: { ticketId: string; reason: string },
  actor: string,
): Promise<void> {
  const reason = givenReason(request.reason);
  await takeOff(context, request.ticketId, { actor, reason, cause: 'taken_off_by_staff', origin: 'console' });
}

async function takeOff(
  { pool, now, requestId, staffToken }: TakeContext,
  ticketId: string,
  by: { actor: string; reason: string; cause: SaleEndCause; origin: string },
  owner?: Uuid,
): Promise<void> {
  const [permit] = isId('tkt', ticketId) ? await permitOfTicket(pool, [uuidOf('tkt', ticketId)]) : [];
  if (!permit || (owner !== undefined && permit.owner !== owner)) {
    throw new DomainError('not_found', `There is no ticket ${ticketId}.`);
  }
  await inTransaction(pool, async (client) => {
    await lockPermits(client, [[permit.address]]);
    const [sale] = await onSale(client, [permit.address]);
    if (!sale) throw new DomainError('conflict', 'The ticket is not on sale.');
    const { permitId, from } = sale;
    if (from === null || (owner !== undefined && from !== owner)) {
      throw new DomainError('conflict', 'The ticket is in another wallet by now.');
    }
    await orderClosings(client, [{ permitId, from }], { ...by, requestId, staffToken, now: now() });
  });
}
