import type { Pool } from 'pg';
import { LOCKS } from '../../platform/database/advisory-lock.ts';
import { inTransaction, prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { type FeedPlace, isIn, isOf, readCursor, unknownCursor } from './feed-cursor.ts';

/** Tickets that get their positions together: a change of one of them waits for some milliseconds. */
const AT_ONCE = 1_000;

const takeLock = prepared<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${LOCKS.feedPositions}) as taken`);

/** Changes when PostgreSQL starts again, and when the table is made or filled anew. */
const SERVER = `concat_ws(' ', pg_postmaster_start_time(), (select oid from pg_database where datname = current_database()),
  'ticket_feed'::regclass::oid, pg_relation_filenode('ticket_feed'))`;

/** A ticket that somebody is changing is left out: its change is not committed, so it gets its position later. */
const give = prepared<{ given: number }>(`
  with newest as (
    select *, ${SERVER} as running from feed_span order by number desc limit 1
  ), due as (
    select ticket_id from ticket_feed where pending order by ticket_id limit ${AT_ONCE} for update skip locked
  ), numbered as (
    select ticket_id, row_number() over () as n from due
  ), given as (
    update ticket_feed f set pending = false, position = newest.last + numbered.n from numbered, newest
    where f.ticket_id = numbered.ticket_id returning 1
  ), total as (
    select count(*)::int as given from given
  ), same as (
    update feed_span s set last = s.last + total.given from newest, total
    where s.number = newest.number and newest.server = newest.running and total.given > 0
  ), next as (
    insert into feed_span (number, id, server, last, began_at)
    select number + 1, gen_random_uuid(), running, last + total.given, clock_timestamp() from newest, total
    where server <> running and total.given > 0
  )
  select given from total`);

/**
 * Gives the next positions to tickets that have changed. One caller at a time does, so that positions are committed in their order: no
 * reader can be past one that appears later. Others return immediately, and read what is there.
 * @param patienceMs after which the rest is left to the next call
 */
export async function givePositions(pool: Pool, patienceMs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  let given: number;
  do {
    given = await inTransaction(pool, async (client) => {
      const [lock] = await takeLock(client, []);
      // the next statement sees all that was given before
      const [total] = lock?.taken ? await give(client, []) : [];
      return total?.given ?? 0;
    });
  } while (given === AT_ONCE && performance.now() < until);
}

interface StateRow {
  database: Uuid;
  span: number;
  span_id: Uuid;
  last: number;
  pending: boolean;
  named_id: Uuid | null;
  named_last: number | null;
}

/** `$1` is the number of a span that a cursor names. */
const readState = prepared<StateRow>(`
  select (select id from feed_span order by number limit 1) as database, newest.number as span, newest.id as span_id,
    newest.last::float8 as last, named.id as named_id, named.last::float8 as named_last,
    exists (select from ticket_feed where pending) as pending
  from (select * from feed_span order by number desc limit 1) newest left join feed_span named on named.number = $1`);

/** The end of the feed: the place of the last position that was given. */
export interface FeedEnd extends FeedPlace {
  /** Whether tickets wait for their positions. */
  pending: boolean;
}

/** Where the feed ends now. */
export async function readEnd(pool: Pool): Promise<FeedEnd> {
  return endOf(await stateWith(pool, 0));
}

/** Gives positions where tickets wait for them. @returns where the feed ends then */
export async function readNewEnd(pool: Pool, patienceMs: number): Promise<FeedEnd> {
  const end = await readEnd(pool);
  if (!end.pending) return end;
  await givePositions(pool, patienceMs);
  return readEnd(pool);
}

/**
 * The position of a cursor.
 * @throws DomainError `invalid_request` for one that is unknown, or of another database; `cursor_ahead` for one from a time before the
 * database was restored to an earlier state
 */
export async function positionOf(pool: Pool, cursor: string): Promise<number> {
  const place = readCursor(cursor);
  const state = await stateWith(pool, place.span);
  if (!isOf(place, state.database)) throw unknownCursor();
  const { named_id: id, named_last: last } = state;
  if (id === null || last === null || !isIn(place, id) || place.position > last) {
    throw new DomainError(
      'cursor_ahead',
      'The cursor is ahead of the feed: the database was restored to an earlier time. Take a snapshot (GET …/feed), and follow from its cursor.',
    );
  }
  return place.position;
}

async function stateWith(pool: Pool, span: number): Promise<StateRow> {
  // a span has an integer of 32 bits
  const [state] = await readState(pool, [Math.min(span, 2 ** 31 - 1)]);
  if (!state) throw new Error('the feed has no span');
  return state;
}

function endOf({ database, span, span_id: spanId, last: position, pending }: StateRow): FeedEnd {
  return { database, span, spanId, position, pending };
}
