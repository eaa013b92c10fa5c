import type { PoolClient } from 'pg';
import type { AccessEndCause } from '../entities/ended-access.ts';
import { marketplacesStopped } from '../entities/stopped.ts';
import { LIVE_GRANT } from '../oauth/grant/live-grant.ts';
import { revokeGrantsOf } from '../oauth/grant/revoke-grants-of.ts';
import { REQUIRED_ACTIONS } from '../partners/scopes.ts';
import type { Context } from '../platform/context.ts';
import { inTransaction, prepared, preparedWithDates } from '../platform/database/prepared.ts';
import { idOf, type Uuid } from '../platform/identifier/type-id.ts';
import { after } from '../platform/time.ts';
import { openListingOf, signatureOf } from '../tickets/listing/sales.ts';
import { mayBeResold } from '../tickets/ticket/future-tickets.ts';
import { lockPermits } from '../tickets/ticket/lock-permits.ts';
import { SEEN_SECONDS } from './close-listings.ts';
import { wakeListed } from './custody-move/move-rows.ts';
import { orderClosings } from './custody-move/order-moves.ts';

type EndContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

/** Rows of ended access, and permits, of one statement. */
const AT_ONCE = 1_000;

/** Why, for the audit log. */
const REASONS: Record<AccessEndCause, string> = {
  revoked_by_fan: 'The fan ended the app’s access.',
  revoked_by_client: 'The app gave up its access.',
  revoked_by_staff: 'Staff ended the app’s access.',
  code_reuse: 'The access ended because its code was used twice.',
  refresh_token_reuse: 'The access ended because its refresh token was used twice.',
  action_turned_off: 'The fan no longer lets the app put tickets up for sale.',
  ticket_not_chosen: 'The fan no longer lets the app use the ticket.',
  client_stopped: 'Staff stopped the app.',
  client_suspended: 'Staff suspended the app.',
  fan_stopped: 'Staff stopped the fan.',
  not_for_resale: 'Tickets of this type may no longer be resold.',
  resale_over: 'The time in which the ticket could be resold is over.',
  marketplace_stopped: 'Staff stopped the marketplace.',
};

interface Ended {
  id: string;
  client: Uuid | null;
  /** Of more than one grant. */
  isWide: boolean;
  walked: boolean;
  grantsEndedBy: string | null;
  note: string;
  endedAt: Date;
  /** Whether nothing can appear any more that was co-signed before. */
  isOver: boolean;
}

const readEnded = preparedWithDates<Ended>(`
  select id::text, client_id as client, grant_id is null as "isWide", walked, grants_ended_by as "grantsEndedBy", coalesce(note, '') as note,
    ended_at as "endedAt", ended_at < $2 as "isOver"
  from ended_access where id > $1::bigint order by id limit ${AT_ONCE}`);

const markWalked = prepared('update ended_access set walked = true where id = any($1::bigint[])');

/** An event whose `resale_until` has come, once. */
const endResale = prepared(`
  with due as (
    update event set resale_ended_at = $1 where resale_until <= $1 and resale_ended_at is null and ends_at > $1 returning id
  )
  insert into ended_access (event_id, kept_tickets, cause, ended_at) select id, '{}', 'resale_over', $1 from due`);

const forget = prepared('delete from ended_access where id = any($1::bigint[])');

interface OnSale {
  permitId: Uuid;
  address: string;
  /** The ticket's owner. */
  from: Uuid;
  cause: AccessEndCause;
  grant: Uuid;
}

/**
 * What is on sale by access that has ended (`$1`: rows of `ended_access`), or may be, because it was co-signed since `$2`. A signature
 * belongs to the ended access if it is from before the end, or if its grant could not have it any more; or if what ended it for all still holds at
 * `$6`.
 * Candidates are the permits of the grants' signatures; where a row is of more than one grant (`$3`), those of new signatures, and once
 * (`$5`) every open listing. `$4`: only these addresses, where not null.
 * Permits with an open move need nothing: it takes them off sale, or moves them.
 */
const findOnSale = prepared<OnSale>(`
  with ended as materialized (
    select * from ended_access where id = any($1::bigint[])
  ), candidate as (
    select s.permit_id from ended a join listing_signature s on s.grant_id = a.grant_id and s.action = 'list'
    union select permit_id from listing where closed_at is null and $5
    union select permit_id from listing_signature where action = 'list' and signed_at > $2 and $3
  )
  select distinct on (p.id) p.id as "permitId", p.tix_permit_id as address, t.owner_id as "from", a.cause, g.id as "grant"
  from candidate join permit p on p.id = candidate.permit_id and p.issued_at is not null
    left join lateral (${openListingOf('p.id')}) l on true
    cross join lateral (
      (${signatureOf('l', 'p')})
      union all
      (select * from listing_signature
       where l.id is null and permit_id = p.id and action = 'list' and signed_at > $2 order by signed_at desc limit 1)
    ) s
    join consent_grant g on g.id = s.grant_id join client c on c.id = g.client_id
    join ticket t on t.id = p.ticket_id and t.owner_id = g.fan_id join ticket_type tt on tt.id = t.ticket_type_id
    join event e on e.id = tt.event_id
    join ended a on (a.grant_id = g.id or a.client_id = g.client_id or a.fan_id = g.fan_id or a.ticket_type_id = tt.id
      or a.event_id = tt.event_id or strpos(s.sentence, ' on marketplace ' || a.marketplace || ',') > 0) and t.id <> all(a.kept_tickets)
  where (s.signed_at <= a.ended_at or case
      when a.marketplace is not null then exists (${marketplacesStopped('array[a.marketplace::text]')})
      when a.ticket_type_id is not null or a.event_id is not null then not ${mayBeResold('tt', 'e', '$6')}
      else not (${LIVE_GRANT} and '${REQUIRED_ACTIONS.createAuthorization}' = any(g.actions)) end)
    and not exists (select from custody_move m where m.permit_id = p.id and m.state = 'open')
    and ($4::text[] is null or p.tix_permit_id = any($4))
  order by p.id, a.id limit ${AT_ONCE}`);

/**
 * Orders that the listings of ended access are closed onchain: those that are open, and those that were co-signed before and may still
 * appear (D-202). So are those of tickets that may be resold no longer, and on stopped marketplaces. Ends the grants of clients for which that was decided, first. Any number of processes may run it, and a process that
 * dies leaves the rest to the next run.
 * @param limit once aborted, the rest is left to the next run
 */
export async function endSales(context: EndContext, limit?: AbortSignal): Promise<void> {
  const { pool, now } = context;
  await endResale(pool, [now()]);
  for (let last = '0'; !limit?.aborted; ) {
    const ended = await readEnded(pool, [last, after(now(), -SEEN_SECONDS)]);
    const newest = ended.at(-1);
    if (!newest) break;
    last = newest.id;
    for (const { client, grantsEndedBy: by, endedAt: at, note } of ended) {
      if (client !== null && by !== null) await revokeGrantsOf(context, client, { at, by, note }, limit);
    }
    while (!limit?.aborted && (await orderAmong(context, ended)) === AT_ONCE);
    const walked = ended.flatMap((row) => (row.isWide && !row.walked ? [row.id] : []));
    if (walked.length > 0 && !limit?.aborted) await markWalked(pool, [walked]);
    const over = ended.flatMap(({ id, isOver }) => (isOver ? [id] : []));
    if (over.length > 0 && !limit?.aborted) await forget(pool, [over]);
  }
  await wakeListed(pool, [now()]);
}

/** @returns how many permits were found */
async function orderAmong(context: EndContext, ended: readonly Ended[]): Promise<number> {
  const { pool, now } = context;
  const ids = ended.map(({ id }) => id);
  const isWide = ended.some((row) => row.isWide);
  const isFirst = ended.some((row) => row.isWide && !row.walked);
  const since = after(now(), -SEEN_SECONDS);
  const found = await findOnSale(pool, [ids, since, isWide, null, isFirst, now()]);
  if (found.length === 0) return 0;
  const addresses = found.map(({ address }) => address);
  await inTransaction(pool, async (client) => {
    await lockPermits(client, [addresses]);
    await orderEach(context, client, await findOnSale(client, [ids, since, isWide, addresses, isFirst, now()]));
  });
  return found.length;
}

async function orderEach({ now, requestId }: EndContext, client: PoolClient, found: readonly OnSale[]): Promise<void> {
  const at = now();
  for (const permits of Map.groupBy(found, ({ grant, cause }) => `${grant} ${cause}`).values()) {
    const [{ grant, cause } = {}] = permits;
    if (grant === undefined || cause === undefined) continue;
    const origin = { actor: 'system', origin: idOf('grant', grant), cause, reason: REASONS[cause], requestId, now: at };
    await orderClosings(client, permits, origin);
  }
}
