import type { PoolClient } from 'pg';
import type { Context } from '../context.ts';
import { type MovesOrigin, orderClosings } from '../custody-move/order-moves.ts';
import { filterOnly } from '../database/filter-only.ts';
import { inTransaction, prepared } from '../database/prepared.ts';
import type { Uuid } from '../identifier/type-id.ts';
import { lockPermits } from '../ticket/lock-permits.ts';

/** Seconds after which a co-signed listing can't appear any more. */
const MAY_APPEAR_SECONDS = 180;
const REASON = 'The ticket is no longer valid.';

interface Withdrawn {
  permitId: Uuid;
  /** The owner. Nobody here can close the listing of a permit in a wallet that is not ours. */
  from: Uuid;
}

const ofPermits = prepared<Withdrawn>(`
  select p.id as "permitId", t.owner_id as "from" from permit p join ticket t on t.id = p.ticket_id
  where p.id = any($1) and p.issued_at is not null and t.owner_id is not null
    and (exists (select from listing l where l.permit_id = p.id and ${filterOnly('l.closed_at is null')})
      or exists (select from listing_signature s where s.permit_id = p.id and s.action = 'list' and s.signed_at > $2))`);

/** First of all the listings that are open, with the permits that are withdrawn, by two indexes alone: hardly any is both. */
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
 * Has the listings of withdrawn permits closed onchain, also one that was co-signed a moment ago and may still appear (D-208). Within
 * the transaction that withdraws and has locked them.
 */
export async function closeListingsOf(client: PoolClient, permits: readonly Uuid[], asked: Asked): Promise<void> {
  if (permits.length === 0) return;
  const since = new Date(asked.now.getTime() - MAY_APPEAR_SECONDS * 1000);
  await orderClosings(client, await ofPermits(client, [permits, since]), { reason: REASON, ...asked });
}

/** Finds open listings of withdrawn permits that nobody is closing, however they came to be. */
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
