/**
 * The feed of tickets: what every ticket of the company is, and what it became since. A reader takes a snapshot and follows from its
 * cursor. A line says how a ticket is, so one that is read twice or late does no harm: the last one of a ticket counts.
 *
 * No change is missed, and none comes before an earlier one of its ticket. Numbers that writers take could not do that: one that takes a
 * number early and commits late is skipped by a reader who is past it. Here a change only marks its ticket, and a reader gives the
 * numbers (`give-positions.ts`). A ticket that has changed again is left out until it has its next number, so a cursor never covers more
 * than its position says, also once the database is restored to an earlier time.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { writeCursor } from './feed-cursor.ts';
import { type FeedEnd, readNewEnd } from './give-positions.ts';
import { LINE_COLUMNS, LINE_JOINS, type LineRow, lineOf, type TicketLine } from './ticket-line.ts';

/** Lines that are read by one statement, and are in memory for one reader. */
const AT_ONCE = 250;

/** Between two looks of a waiting reader, and for a whole import before a snapshot. */
export const GIVING_MS = 200;
const GIVING_FOR_SNAPSHOT_MS = 10_000;

const readChanged = preparedWithDates<LineRow & { position: number }>(`
  select f.position::float8 as position, ${LINE_COLUMNS}
  from (
    select * from ticket_feed f where f.position > $1 and f.position <= $2 and not f.pending and ($3::uuid is null or exists (
      select from ticket t join ticket_type tt on tt.id = t.ticket_type_id where t.id = f.ticket_id and tt.event_id = $3))
    order by f.position limit $4
  ) f join ticket t on t.id = f.ticket_id ${LINE_JOINS}
  order by f.position`);

/** A part of the feed. Reads of different callers may share one. */
export interface Page {
  lines: readonly TicketLine[];
  /** Everything up to there is read. */
  position: number;
}

/** The part of the feed to read. */
export interface Span {
  /** Positions: beyond the first, up to the last. */
  after: number;
  upto: number;
  /** Only the tickets of this event; all if null. */
  event: Uuid | null;
}

/**
 * Reads the tickets that changed, each once, in the order of their positions.
 * @param limit how many, of 1 or more
 * @param read `readShared` for a follower
 */
export async function* readChanges(pool: Pool, span: Span, limit: number, read = readPage): AsyncGenerator<Page> {
  for (let after = span.after, left = limit; left > 0 && after < span.upto; ) {
    const page = await read(pool, { ...span, after }, Math.min(left, AT_ONCE));
    after = page.position;
    left -= page.lines.length;
    yield page;
  }
}

async function readPage(pool: Pool, { after, upto, event }: Span, most: number): Promise<Page> {
  const rows = await readChanged(pool, [after, upto, event, most]);
  const last = rows.at(-1);
  return { lines: rows.map(lineOf), position: rows.length < most || last === undefined ? upto : last.position };
}

const pages = new WeakMap<Pool, LRUCache<string, Promise<Page>>>();
const PAGES = { max: 4, ttl: 2_000 };

/**
 * A page that another follower has read a moment ago: all that have read everything read the same. Nobody has seen a newer state of its
 * tickets, as that has a position beyond it; a snapshot may have.
 */
export function readShared(pool: Pool, span: Span, most: number): Promise<Page> {
  const shared = pages.get(pool) ?? new LRUCache<string, Promise<Page>>(PAGES);
  pages.set(pool, shared);
  const key = [span.after, span.upto, span.event, most].join();
  const reading = shared.get(key) ?? readPage(pool, span, most);
  shared.set(key, reading);
  reading.catch(() => shared.delete(key));
  return reading;
}

const readTypes = preparedWithDates<{ id: Uuid }>(`
  select tt.id from event e join ticket_type tt on tt.event_id = e.id
  where e.mode = 'production' and e.reference is not null and (e.id = $1 or $1 is null and e.ends_at > $2) order by e.ends_at, tt.id`);

const readOfType = preparedWithDates<LineRow>(`
  select ${LINE_COLUMNS}
  from (select * from ticket where ticket_type_id = $1 and id > $2 and reference is not null order by id limit ${AT_ONCE}) t ${LINE_JOINS}
  order by t.id`);

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000' as Uuid;

/**
 * Reads every ticket of an event, or of all events that are not over, and then what changed meanwhile, in parts of constant size.
 * @returns the place from which to follow, when all is read
 */
export async function* readSnapshot(
  pool: Pool,
  event: Uuid | null,
  now: Date,
): AsyncGenerator<readonly TicketLine[], FeedEnd> {
  const start = await readNewEnd(pool, GIVING_FOR_SNAPSHOT_MS);
  for (const { id: type } of await readTypes(pool, [event, now])) {
    for (let last: Uuid | undefined = BEFORE_ALL; last !== undefined; ) {
      const rows: LineRow[] = await readOfType(pool, [type, last]);
      yield rows.map(lineOf);
      last = rows.length === AT_ONCE ? rows.at(-1)?.id : undefined;
    }
  }
  const end = await readNewEnd(pool, GIVING_FOR_SNAPSHOT_MS);
  const meanwhile = { after: start.position, upto: end.position, event };
  for await (const { lines } of readChanges(pool, meanwhile, Number.POSITIVE_INFINITY)) yield lines;
  return end;
}

const findEvent = preparedWithDates<{ id: Uuid }>(`select id from event where reference = $1`);

/** The event of the company with a reference; null without one. @throws DomainError `not_found` */
export async function eventToFollow(pool: Pool, reference: string | undefined): Promise<Uuid | null> {
  if (reference === undefined) return null;
  const [event] = reference.includes('\0') ? [] : await findEvent(pool, [reference]);
  if (!event) throw new DomainError('not_found', `There is no event with the reference ${reference}.`);
  return event.id;
}

/** The cursor of a position that was read up to. @param end the end of the feed at that time */
export function cursorAt(end: FeedEnd, position = end.position): string {
  return writeCursor({ ...end, position });
}
