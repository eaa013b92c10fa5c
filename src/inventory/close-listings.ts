import type { PoolClient } from 'pg';
import type { Context } from '../platform/context.ts';
import { inTransaction, prepared } from '../platform/database/prepared.ts';
import type { Uuid } from '../platform/identifier/type-id.ts';
import { after } from '../platform/time.ts';
import { openListingOf } from '../tickets/listing/sales.ts';
import { lockPermits } from '../tickets/ticket/lock-permits.ts';
import { type MovesOrigin, orderClosings } from './custody-move/order-moves.ts';
import { MAY_APPEAR_SECONDS } from './custody-move/settle-move.ts';

/** By then a listing that was co-signed has been seen, if it ever landed: reconciling may be some seconds late. */
export const SEEN_SECONDS = MAY_APPEAR_SECONDS + 30;
const REASON = 'The ticket is no longer valid.';

interface Withdrawn {
  permitId: Uuid;
  /** The owner. Nobody here can close the listing of a permit in a wallet that is not ours. */
  from: Uuid;
}

/** Permits on sale, or about to be since `$2`. */
const ON_SALE = `p.issued_at is not null and t.owner_id is not null
    and (exists (${openListingOf('p.id')})
      or exists (select from listing_signature s where s.permit_id = p.id and s.action = 'list' and s.signed_at > $2))`;

const ofPermits = prepared<Withdrawn>(`
  select p.id as "permitId", t.owner_id as "from" from permit p join ticket t on t.id = p.ticket_id
  where p.id = any($1) and ${ON_SALE}`);

const ofTickets = prepared<{ ticket: Uuid; permit: Uuid; address: string }>(`
  select t.id as ticket, p.id as permit, p.tix_permit_id as address from ticket t join permit p on p.ticket_id = t.id
  where t.id = any($1) and ${ON_SALE}`);

/** Joins open listings and withdrawn permits first, by two indexes alone: hardly any permit has both. */
const FORGOTTEN = `with forgotten as materialized (
    select l.permit_id from listing l
    where l.closed_at is null and exists (select from permit w where w.id = l.permit_id and w.revoked_at is not null)
  )`;
const OF_FORGOTTEN = `from forgotten
    join permit p on p.id = forgotten.permit_id and p.revoked_at is not null and p.partner_id is null and p.issued_at is not null
    join ticket t on t.id = p.ticket_id and t.owner_id is not null
  where not exists (select from custody_move m where m.permit_id = p.id and m.state = 'open')`;

const readForgotten = prepared<{ address: string }>(
  `${FORGOTTEN} select distinct p.tix_permit_id as address ${OF_FORGOTTEN} order by address limit 1000`,
);

const ofForgotten = prepared<Withdrawn>(
  `${FORGOTTEN} select distinct p.id as "permitId", t.owner_id as "from" ${OF_FORGOTTEN} and p.tix_permit_id = any($1)`,
);

type Asked = Omit<MovesOrigin, 'reason'> & Partial<Pick<MovesOrigin, 'reason'>>;

/**
 * Orders that the listings of withdrawn permits are closed onchain, also one that was co-signed a moment ago and may still appear
 * (D-202). Runs in the transaction that withdraws the permits and has locked them.
 */
export async function closeListingsOf(client: PoolClient, permits: readonly Uuid[], asked: Asked): Promise<void> {
  if (permits.length === 0) return;
  await orderClosings(client, await ofPermits(client, [permits, appearing(asked.now)]), { reason: REASON, ...asked });
}

/**
 * As `closeListingsOf`, for tickets of an event that is over.
 * @returns the tickets that are on sale
 */
export async function closeListingsOfEnded(
  client: PoolClient,
  tickets: readonly Uuid[],
  origin: MovesOrigin,
): Promise<Set<Uuid>> {
  const found = await ofTickets(client, [tickets, appearing(origin.now)]);
  if (found.length > 0) await lockPermits(client, [found.map(({ address }) => address)]);
  const permits = found.map(({ permit }) => permit);
  await closeListingsOf(client, permits, origin);
  return new Set(found.map(({ ticket }) => ticket));
}

function appearing(now: Date): Date {
  return after(now, -SEEN_SECONDS);
}

/** Orders that open listings of withdrawn permits are closed, where no move does so yet. */
export async function closeForgottenListings({
  pool,
  now,
  requestId,
}: Pick<Context, 'pool' | 'now' | 'requestId'>): Promise<void> {
  const found = await readForgotten(pool, []);
  if (found.length === 0) return;
  const addresses = found.map(({ address }) => address);
  await inTransaction(pool, async (client) => {
    await lockPermits(client, [addresses]);
    const origin = { actor: 'system', origin: 'forgotten listing', reason: REASON, requestId, now: now() };
    await orderClosings(client, await ofForgotten(client, [addresses]), origin);
  });
}
