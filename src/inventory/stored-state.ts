import type { Pool } from 'pg';
import type { TicketStatus } from '../entities/ticket.ts';
import { prepared, preparedWithDates } from '../platform/database/prepared.ts';
import { tryUuidOf, type Uuid } from '../platform/identifier/type-id.ts';
import { wasUsed } from '../sign-in/verification/recycled-number.ts';
import type { InventoryRow } from './parse-row.ts';

/**
 * The stored state of what a batch names, read without locks. `version` is the row's `xmin`: the write checks that nobody
 * changed the row meanwhile. A new row has none.
 *
 * @module
 */

export interface EventState {
  id: Uuid;
  version: string | null;
  reference: string;
  name: string;
  venue: string | null;
  starts_at: Date;
  ends_at: Date;
  time_zone: string;
  /** Null: until it ends. */
  resale_until: Date | null;
  tix_event_id: string;
  /** Whether its account was seen on the chain. */
  registered: boolean;
  /** Whether its account is closed. */
  closed: boolean;
  cancelled_at: Date | null;
  updated_at: Date | null;
  /** Whether its permits must be withdrawn or restored. */
  permits_due: boolean;
}

export interface TicketTypeState {
  id: Uuid;
  version: string | null;
  event_id: Uuid;
  reference: string | null;
  name: string;
  resale: boolean;
  updated_at: Date | null;
}

export interface TicketState {
  id: Uuid;
  version: string | null;
  reference: string;
  ticket_type_id: Uuid;
  event_id: Uuid;
  tix_ticket_id: string;
  /** Null while the owner's wallet is not a fan's. */
  owner_id: Uuid | null;
  status: TicketStatus;
  /** Null unless the status is `used`. */
  used_at: Date | null;
  label: string | null;
  purchased_at: Date;
  updated_at: Date | null;
  named_holder_id: Uuid | null;
  named_holder_key: string | null;
  /** Whether somebody has used the account of the named holder; null while that fan has a number. */
  left_used: boolean | null;
  /** Whether the named holder has deleted the account, and with it the name. */
  holder_left: boolean;
  permit_id: Uuid;
  /** The `xmin` of the permit. */
  permit_version: string | null;
  tix_permit_id: string;
  issued: boolean;
  revoked_at: Date | null;
  /** Whether a transfer is under way onchain, or another move that may land. */
  moving: boolean;
  /** The fan to whom a transfer from the present owner is under way. */
  moving_to: Uuid | null;
}

export interface StoredState {
  /** By reference. */
  events: Map<string, EventState>;
  types: TicketTypeState[];
  /** By reference. */
  tickets: Map<string, TicketState>;
  fans: { byPhone: Map<string, Uuid>; ids: Set<Uuid> };
}

const readEvents = preparedWithDates<EventState>(`
  select id, xmin::text as version, reference, name, venue, starts_at, ends_at, time_zone, resale_until, tix_event_id, cancelled_at,
    registered_at is not null as registered, closed_at is not null as closed, source_updated_at as updated_at, false as permits_due
  from event where reference = any($1)`);

const readTypes = preparedWithDates<TicketTypeState>(`
  select tt.id, tt.xmin::text as version, tt.event_id, tt.reference, tt.name, tt.resale, tt.source_updated_at as updated_at
  from event e join ticket_type tt on tt.event_id = e.id
  where e.reference = any($1) and (tt.reference = any($2) or tt.name = any($3))`);

const readTickets = preparedWithDates<TicketState>(`
  select t.id, t.xmin::text as version, t.reference, t.ticket_type_id, tt.event_id, t.tix_ticket_id, t.owner_id, t.status, t.used_at, t.label,
    t.purchased_at, t.source_updated_at as updated_at, t.named_holder_id, t.named_holder_key,
    case when h.phone is null then ${wasUsed('h')} end as left_used,
    h.deleted_at is not null as holder_left,
    p.id as permit_id, p.xmin::text as permit_version, p.tix_permit_id, p.issued_at is not null as issued, p.revoked_at,
    coalesce(m.signature is not null or m.kind = 'transfer' and p.issued_at is not null, false) as moving,
    case when m.from_fan_id = t.owner_id then m.to_fan_id end as moving_to
  from ticket t join ticket_type tt on tt.id = t.ticket_type_id join permit p on p.ticket_id = t.id
    left join fan h on h.id = t.named_holder_id
    left join custody_move m on m.permit_id = p.id and m.state = 'open'
  where t.reference = any($1)`);

const readFans = preparedWithDates<{ id: Uuid; phone: string | null }>(`
  select id, phone from fan where mode = 'production' and phone = any($1)
  union select id, phone from fan where mode = 'production' and id = any($2) and deleted_at is null`);

/** Reads every open listing. */
const readListedOf = prepared<{ id: Uuid }>(`
  select distinct named.id from listing l join permit p on p.id = l.permit_id join ticket t on t.id = p.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id cross join lateral unnest(array[tt.id, tt.event_id]) as named(id)
  where l.closed_at is null and named.id = any($1)`);

/** The events and types of which something is on sale, where rows say what may be resold. */
export async function readListed(
  pool: Pool,
  rows: readonly InventoryRow[],
  { events, types }: StoredState,
): Promise<Set<Uuid>> {
  if (!rows.some((row) => 'resale_until' in row || 'resale' in row)) return new Set();
  const listed = await readListedOf(pool, [[...events.values(), ...types].map(({ id }) => id)]);
  return new Set(listed.map(({ id }) => id));
}

/** Reads what the rows name. */
export async function readStored(pool: Pool, rows: readonly InventoryRow[]): Promise<StoredState> {
  const named = namesIn(rows);
  const [events, types, tickets, fans] = await Promise.all([
    readEvents(pool, [named.events]),
    named.types.length === 0 ? [] : readTypes(pool, [named.events, named.types, named.typeNames]),
    named.tickets.length === 0 ? [] : readTickets(pool, [named.tickets]),
    named.phones.length + named.fans.length === 0 ? [] : readFans(pool, [named.phones, named.fans]),
  ]);
  return {
    events: new Map(events.map((event) => [event.reference, event])),
    types,
    tickets: new Map(tickets.map((ticket) => [ticket.reference, ticket])),
    fans: {
      byPhone: new Map(fans.flatMap(({ phone, id }) => (phone === null ? [] : [[phone, id]]))),
      ids: new Set(fans.map(({ id }) => id)),
    },
  };
}

function namesIn(rows: readonly InventoryRow[]) {
  const sets = {
    events: new Set<string>(),
    types: new Set<string>(),
    typeNames: new Set<string>(),
    tickets: new Set<string>(),
    phones: new Set<string>(),
    fans: new Set<string>(),
  };
  for (const row of rows) {
    sets.events.add(row.kind === 'event' ? row.reference : row.event);
    if (row.kind === 'ticket_type') {
      sets.types.add(row.reference);
      sets.typeNames.add(row.name);
    }
    if (row.kind !== 'ticket') continue;
    sets.types.add(row.ticket_type);
    sets.tickets.add(row.reference);
    if (row.holder_phone !== undefined) sets.phones.add(row.holder_phone);
    const fan = row.holder_fan_id === undefined ? undefined : tryUuidOf('usr', row.holder_fan_id);
    if (fan !== undefined) sets.fans.add(fan);
  }
  return Object.fromEntries(Object.entries(sets).map(([name, set]) => [name, [...set]])) as Record<
    keyof typeof sets,
    string[]
  >;
}
