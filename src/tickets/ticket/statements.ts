import { LIVE_GRANT } from '../../oauth/grant/live-grant.ts';
import { grantsAction } from '../../oauth/grant/permission.ts';
import { eventTime } from '../../partners/client/event-time.ts';
import { REQUIRED_ACTIONS } from '../../partners/scopes.ts';
import { filterOnly } from '../../platform/database/filter-only.ts';
import { growingPause } from '../../platform/database/growing-pause.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { givenRows, shareStatement } from '../../platform/database/share-statement.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { INSERT_AUDIT, sqlAction } from '../../record/audit/record-audit.ts';
import { futureTicketsFrom, TICKET_ORDER } from './future-tickets.ts';

/** The input of the statement; null means no filter, no cursor or no limit. */
interface Given {
  grant: Uuid;
  now: Date;
  event: Uuid | null;
  tix_event: string | null;
  after: string | null;
  after_id: string | null;
  most: number | null;
}

/** A ticket as partners see it (spec §2): `TICKET_COLUMNS`. The last is the event's start in seconds since the epoch. */
export type TicketRow = [
  id: Uuid,
  svcEventId: Uuid,
  tixEventId: string,
  tixTicketId: string,
  ticketTypeId: Uuid,
  eventName: string,
  ticketTypeName: string,
  purchaseDate: string,
  startsAt: string,
];

interface Answer {
  n: number;
  live: boolean;
  granted: boolean;
  /** JSON of an array of `TicketRow`; null without tickets. */
  tickets: string | null;
}

const RFC3339 = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const TICKET_COLUMNS = `t.id::text, e.id::text, e.tix_event_id, t.tix_ticket_id, tt.id::text, e.name, tt.name,
  to_char(t.purchased_at at time zone 'utc', ${RFC3339}), extract(epoch from e.starts_at)::text`;

/**
 * One round trip: the grant's row, with the tickets where it is live. They are one JSON text: ten tickets as rows of their own would
 * cost `pg` 25 µs more, and as JSON objects 8 µs more in PostgreSQL.
 */
export const readTickets = shareStatement<Given, Answer>(
  () => `
  with asked as (
    select given.*, ${eventTime('given.now', 'c')} as event_time, g.fan_id, c.partner_id, c.mode, g.mode as grant_mode, g.ticket_ids, ${LIVE_GRANT} as live,
      ${grantsAction(`'${REQUIRED_ACTIONS.fetchTickets}'`)} as granted
    from ${givenRows('"grant" uuid, now timestamptz, event uuid, tix_event text, after text, after_id uuid, most int')} given
      join consent_grant g on g.id = given.grant join client c on c.id = g.client_id
  )
  select asked.n, asked.live, asked.granted, page.tickets
  from asked left join lateral (
    select json_agg(found.ticket)::text as tickets
    from (
      select array[${TICKET_COLUMNS}] as ticket
      from (select asked.fan_id, asked.partner_id, asked.mode) as ${futureTicketsFrom('asked.event_time')}
      where asked.live and asked.granted
        and (asked.grant_mode = 'all_current_future' or t.id = any(asked.ticket_ids))
        and (asked.event is null or e.id = asked.event)
        and (asked.tix_event is null or e.tix_event_id = asked.tix_event)
        and (asked.after is null or (e.starts_at, t.id) > (to_timestamp(asked.after::numeric), asked.after_id))
      order by ${TICKET_ORDER}
      limit asked.most
    ) found
  ) page on true`,
);

/** Permits that are read in one run. */
const AT_ONCE = 500;

export const readUnfinal = prepared<{ tix_permit_id: string; slot: number }>(`
  select p.tix_permit_id, u.slot::float8 as slot
  from unfinal_permit u join permit p on p.id = u.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id and e.mode = $1
  order by u.slot limit ${AT_ONCE}`);

/**
 * Removes the permits whose stored state was read again at the final slot `$2` or later. There is nothing to store, so no permit is
 * locked or written. A permit with a change that is stored meanwhile has another slot, and stays.
 */
export const deleteUnchanged = prepared<{ address: string }>(`
  with seen as (
    select * from jsonb_to_recordset($1::jsonb)
      as s(address text, owner text, state text, marketplace text, price numeric(20,0))
  ), unchanged as (
    select u.permit_id, u.slot, seen.address
    from seen join permit p on p.tix_permit_id = seen.address join unfinal_permit u on u.permit_id = p.id and u.slot <= $2
      join ticket t on t.id = p.ticket_id left join wallet w on w.address = seen.owner
      left join lateral (select * from listing where permit_id = p.id and ${filterOnly('closed_at is null')} limit 1) l on true
    where p.tix_permit_id = any($3) and t.owner_id is not distinct from w.fan_id
      and (seen.state = 'listed') = (l.id is not null)
      and (l.id is null or l.marketplace = seen.marketplace and l.price = seen.price)
  )
  delete from unfinal_permit u using unchanged
  where u.permit_id = unchanged.permit_id and u.slot = unchanged.slot returning unchanged.address`);

/** Removes the permits that were read again and stored at the final slot `$2` or later. A permit that is missing onchain stays. */
export const deleteFinal = prepared(`
  delete from unfinal_permit u using permit p
  where p.id = u.permit_id and p.tix_permit_id = any($1) and u.slot <= $2 and p.chain_slot >= $2`);

export const readCursor = prepared<{ last_signature: string | null; last_slot: string | null }>(
  'select last_signature, last_slot from chain_cluster where mode = $1',
);

/** The process that has read furthest wins. */
export const moveCursor = prepared(
  `update chain_cluster set last_signature = $2, last_slot = $3
   where mode = $1 and (last_slot is null or last_slot <= $3)`,
);

interface OwnPermit {
  tix_permit_id: string;
  /** Whether an earlier try failed. */
  unread: boolean;
}

export const readOwn = prepared<OwnPermit>(
  `select p.tix_permit_id, u.permit_id is not null as unread
   from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
     join event e on e.id = tt.event_id and e.mode = $1 left join unread_permit u on u.permit_id = p.id
   where p.closed_at is null and ($2::text[] is null or p.tix_permit_id = any($2))`,
);

export const readDue = prepared<{ tix_permit_id: string; slot: string }>(
  `select p.tix_permit_id, u.slot
   from unread_permit u join permit p on p.id = u.permit_id join ticket t on t.id = p.ticket_id
     join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id and e.mode = $1
   where u.retry_at <= $2 order by u.retry_at limit 100`,
);

/** Transactions that need no reading: a confirmed claim has synced its permit. */
export const readConfirmed = prepared<{ signature: string }>(
  `select signature from claim where signature = any($1) and state = 'confirmed'`,
);

/**
 * Stores onchain states, each unless a newer one is stored. A ticket's owner becomes the fan whose wallet owns the permit, or null;
 * listings open and close; each change writes an audit entry, and is looked at again once its slot is final (`reconcile.ts`).
 * `$3` repeats the addresses, so that the planner expects few rows: for a JSON of unknown length it scans tables of some thousand rows.
 */
export const storeStates = prepared<{ changed: number; moved: MovedTicket[] }>(`
  with seen as (
    select * from jsonb_to_recordset($1::jsonb)
      as s(address text, owner text, state text, marketplace text, price numeric(20,0), slot bigint, listing_id uuid,
        request_id text)
  ), fresh as (
    update permit p set chain_slot = seen.slot from seen
    where p.tix_permit_id = any($3) and p.tix_permit_id = seen.address and (p.chain_slot is null or p.chain_slot <= seen.slot)
    returning p.id as permit_id, p.ticket_id, seen.*
  ), readable as (
    delete from unread_permit u using permit p where p.tix_permit_id = any($3) and u.permit_id = p.id
  ), owners as (
    select fresh.*, w.fan_id, t.owner_id as fan_before
    from fresh join ticket t on t.id = fresh.ticket_id left join wallet w on w.address = fresh.owner
  ), written as (
    update ticket t set owner_id = owners.fan_id, outside_wallet = case when owners.fan_id is null then owners.owner end
    from owners
    where t.id = owners.ticket_id and (t.owner_id is distinct from owners.fan_id
      or owners.fan_id is null and t.outside_wallet is distinct from owners.owner)
    returning owners.permit_id, owners.ticket_id, owners.fan_id, owners.fan_before, owners.request_id
  ), moved as (
    select * from written where fan_id is distinct from fan_before
  ), listed as materialized (
    select l.id, fresh.permit_id, l.marketplace, l.price
    from fresh, lateral (select * from listing where permit_id = fresh.permit_id and ${filterOnly('closed_at is null')} limit 1) l
  ), closed as (
    update listing l set closed_at = $2,
      outcome = case when l.permit_id in (select permit_id from moved) then 'sold' else 'cancelled' end
    from listed join fresh using (permit_id)
    where l.id = listed.id and (fresh.state = 'held' or listed.marketplace <> fresh.marketplace or listed.price <> fresh.price
        or exists (select from moved where moved.permit_id = listed.permit_id))
    returning l.permit_id, l.outcome
  ), opened as (
    insert into listing (id, permit_id, marketplace, price, opened_at)
    select listing_id, permit_id, marketplace, price, $2 from fresh
    where state = 'listed'
      -- naming "closed" also puts the closing before the opening
      and (exists (select from closed where closed.permit_id = fresh.permit_id)
        or not exists (select from listed where listed.permit_id = fresh.permit_id))
    returning permit_id
  ), changes as (
    select permit_id, ${sqlAction('ticket.moved')} as action from moved
    union all select permit_id,
      case outcome when 'sold' then ${sqlAction('listing.sold')} else ${sqlAction('listing.cancelled')} end from closed
    union all select permit_id, ${sqlAction('listing.opened')} from opened
  ), unfinal as (
    insert into unfinal_permit (permit_id, slot)
    select distinct permit_id, fresh.slot from changes join fresh using (permit_id)
    on conflict (permit_id) do update set slot = excluded.slot
  ), audited as (
    ${INSERT_AUDIT}
    select $2, 'system', changes.action, fresh.address, jsonb_build_object('owner', fresh.owner, 'state', fresh.state,
      'marketplace', fresh.marketplace, 'price', fresh.price::text, 'slot', fresh.slot::text), fresh.request_id
    from changes join fresh using (permit_id)
    returning 1
  )
  select (select count(*)::int from audited) as changed,
    coalesce((
      select json_agg(json_build_object('ticket', ticket_id, 'fan', fan_before, 'requestId', request_id))
      from moved where fan_before is not null), '[]') as moved`);

/** A ticket that has left a fan. */
interface MovedTicket {
  ticket: Uuid;
  fan: Uuid;
  requestId: string | null;
}

const LONGEST_PAUSE_SECONDS = 900;

/** A permit whose state could not be synced. It waits in `unread_permit` for its next try, whose pause doubles each time. */
export interface DeferredPermit {
  permit: string;
  reason: string;
  tries: number;
}

/**
 * A try counts only if it was due, or asked for a newer state: two processes that fail at the same time count as one. An absent permit
 * is deferred only if it was onchain before, and is not being closed.
 */
export const writeUnread = prepared<DeferredPermit>(`
  insert into unread_permit (permit_id, reason, since, tries, slot, retry_at)
  select p.id, given.reason, $2, 1, $3, $2::timestamptz + ${growingPause('0', LONGEST_PAUSE_SECONDS)}
  from jsonb_to_recordset($1::jsonb) as given(address text, reason text, absent boolean)
    join permit p on p.tix_permit_id = given.address
  where given.absent is not true or p.chain_slot is not null and p.closed_at is null
    and not exists (select from waiting_permit w where w.permit_id = p.id and w.closes)
  order by p.id
  on conflict (permit_id) do update set reason = excluded.reason, tries = unread_permit.tries + 1,
    slot = greatest(unread_permit.slot, excluded.slot),
    retry_at = $2::timestamptz + ${growingPause('unread_permit.tries', LONGEST_PAUSE_SECONDS)}
  where unread_permit.retry_at <= $2 or unread_permit.slot < excluded.slot
  returning (select tix_permit_id from permit where id = permit_id) as permit, reason, tries`);

export const removeUnread = prepared(`
  delete from unread_permit
  where permit_id in (select id from permit where tix_permit_id = any($1) and chain_slot is null)`);
