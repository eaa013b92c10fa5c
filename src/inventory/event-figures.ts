import type { Context } from '../platform/context.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { Uuid } from '../platform/identifier/type-id.ts';
import { IS_UNNEEDED } from './issuing/waiting-permits.ts';

/** Figures are counted up to here. */
export const MOST_COUNTED = 10_000;

/** How many there are; `more` than `count` where there are over 10,000. */
export interface Figure {
  count: number;
  more: boolean;
}

/** The live tickets, listings and grants of an event, which end or are hidden when it is cancelled. */
export interface EventInUse {
  /** Valid tickets whose permit is not revoked. */
  tickets: Figure;
  /** Open listings of its tickets. */
  listings: Figure;
  /** Grants that show one of its tickets to an app. */
  grants: Figure;
}

const LIVE_TICKETS = `event e join ticket_type tt on tt.event_id = e.id join ticket t on t.ticket_type_id = tt.id
  join permit p on p.ticket_id = t.id and p.revoked_at is null`;

/** SQL that counts the rows of a query to one more than `MOST_COUNTED`. */
function counted(query: string): string {
  return `(select count(*)::int from (${query} limit ${MOST_COUNTED + 1}) few)`;
}

const ticketsOf = prepared<{ id: Uuid; tickets: number }>(`
  select wanted.id, ${counted(
    'select from ticket_type tt join ticket t on t.ticket_type_id = tt.id where tt.event_id = wanted.id',
  )} as tickets
  from unnest($1::uuid[]) as wanted(id)`);

/** Listings and grants are looked up from the side that has fewer rows. */
const inUse = prepared<Record<keyof EventInUse, number>>(`
  select ${counted(`select from ${LIVE_TICKETS} where e.id = $1 and t.status = 'valid'`)} as tickets,
    ${counted(`
      select from listing l where l.closed_at is null and exists (
        select from permit p join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id
        where p.id = l.permit_id and tt.event_id = $1)`)} as listings,
    ${counted(`
      select from consent_grant g join client c on c.id = g.client_id
      where g.revoked_at is null and exists (
        select from ticket t join ticket_type tt on tt.id = t.ticket_type_id
          join permit p on p.ticket_id = t.id and p.revoked_at is null
        where t.owner_id = g.fan_id and tt.event_id = $1 and t.status = 'valid'
          and (g.mode = 'all_current_future' or t.id = any(g.ticket_ids))
          and (p.partner_id is null or p.partner_id = c.partner_id))`)} as grants`);

/** Counts the tickets of events, in the order of the given `uuid`s. */
export async function countTickets({ pool }: Pick<Context, 'pool'>, events: readonly Uuid[]): Promise<Figure[]> {
  const counts = new Map((await ticketsOf(pool, [events])).map(({ id, tickets }) => [id, tickets]));
  return events.map((id) => figureOf(counts.get(id) ?? 0));
}

/** Counts what is live of an event. */
export async function countInUse({ pool }: Pick<Context, 'pool'>, event: Uuid): Promise<EventInUse> {
  const [{ tickets, listings, grants } = { tickets: 0, listings: 0, grants: 0 }] = await inUse(pool, [event]);
  return { tickets: figureOf(tickets), listings: figureOf(listings), grants: figureOf(grants) };
}

/** What has come back of a closed event. */
export interface EventClosing {
  /** Its permits, also those that were never issued. */
  permits: number;
  closed: number;
  /** Lamports of its account and of its permits. */
  returned: bigint;
  /** Why others are not closed yet, and how many wait for each reason. */
  waits: { reason: string; permits: number }[];
}

const closingOf = prepared<Omit<EventClosing, 'returned'> & { returned: string }>(`
  with of_event as materialized (
    select p.id, p.closed_at, p.returned from ticket_type tt join ticket t on t.ticket_type_id = tt.id join permit p on p.ticket_id = t.id
    where tt.event_id = $1
  )
  select count(*)::int as permits, count(closed_at)::int as closed,
    (coalesce(sum(returned), 0) + (select returned from event where id = $1))::text as returned,
    (select coalesce(json_agg(w order by w.permits desc), '[]') from (
      select w.reason, count(*)::int as permits from of_event join waiting_permit w on w.permit_id = of_event.id
      where w.tries > 0 and w.closes and w.reason is not null group by w.reason limit 20
    ) w) as waits
  from of_event`);

/** Reads what has come back of a closed event. The cost grows with its tickets. */
export async function readClosing({ pool }: Pick<Context, 'pool'>, event: Uuid): Promise<EventClosing> {
  const [found] = await closingOf(pool, [event]);
  if (found === undefined) throw new RangeError('an aggregate has one row');
  return { ...found, returned: BigInt(found.returned) };
}

/** The permits of an event by where they are. */
export interface EventPermits {
  issued: number;
  /** In the queue. */
  waiting: number;
  /** Not issued, because no app may list their ticket. */
  unneeded: number;
}

const permitsOf = prepared<EventPermits>(`
  select count(p.issued_at)::int as issued,
    (count(*) filter (where p.issued_at is null and w.retry_at is not null))::int as waiting,
    (count(*) filter (where p.issued_at is null and ${IS_UNNEEDED} and w.permit_id is not null))::int as unneeded
  from ticket_type tt join ticket t on t.ticket_type_id = tt.id join permit p on p.ticket_id = t.id and p.closed_at is null and p.revoked_at is null
    left join waiting_permit w on w.permit_id = p.id and not w.closes
  where tt.event_id = $1`);

/** Counts the permits of an event that are not revoked. The cost grows with its tickets. */
export async function countPermits({ pool }: Pick<Context, 'pool'>, event: Uuid): Promise<EventPermits> {
  const [found] = await permitsOf(pool, [event]);
  if (found === undefined) throw new RangeError('an aggregate has one row');
  return found;
}

function figureOf(counted: number): Figure {
  return { count: Math.min(counted, MOST_COUNTED), more: counted > MOST_COUNTED };
}
