/**
 * Statements that read requests, one day after the other, until a page is full: a plan for all days at once would look into each of them.
 * A filter is answered from the index that has the kinds of requests (outcome, operation, status) before the time. The kinds are few;
 * their newest rows are read one kind after the other, and the newest of all remain.
 *
 * @module
 */
import { LOG_DAYS } from '../../entities/request-log-days.ts';
import { type Prepared, prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { FAILED, kindCondition } from './request-filter.ts';

export interface RequestRow {
  id: Uuid;
  at: Date;
  operation: string;
  method: string;
  path: string | null;
  status: number;
  outcome: string;
  message: string | null;
  duration_ms: number;
  client_id: Uuid | null;
  grant_id: Uuid | null;
  fan_id: Uuid | null;
  session_id: Uuid | null;
}

export const REQUEST_COLUMNS = `id, at, operation, method, path, status, outcome, message, duration_ms, client_id, grant_id,
  fan_id, session_id`;

/** SQL: the time as the indexes have it. */
export function secondOf(at: string): string {
  return `date_trunc('second', ${at} at time zone 'UTC')`;
}

/** The partition that a statement reads. */
const IN_DAY = 'at >= days.starts and at < days.ends';

/**
 * The distinct values of the first columns of an index, in one of the `days`: each is looked up after the one before, without reading the
 * rows between them.
 * @param least SQL: where to begin
 * @param only SQL: ends where `found` does not fulfil it
 */
export function valuesInDay(columns: readonly string[], least: readonly string[], only = 'true'): string {
  const list = columns.join(', ');
  const next = (place: string) => `(select * from (
    select ${list} from request_log where ${IN_DAY} and (${list}) ${place} order by ${list} limit 1) one where ${only})`;
  return `with recursive found as (
      ${next(`>= (${least.join(', ')})`)}
      union all
      select next.* from found cross join lateral ${next(`> (${columns.map((column) => `found.${column}`).join(', ')})`)} next
    ) select * from found`;
}

export type Direction = 'newest' | 'oldest';

/** The place of a row in the order. */
export interface Place {
  at: Date;
  id: string;
}

/** The place where a direction begins. */
export const BEGINNING: Readonly<Record<Direction, Place>> = {
  newest: { at: new Date('9999-01-01T00:00:00Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  oldest: { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' },
};

/** Whether a statement selects clients, and kinds of requests. */
interface Narrowed {
  ofClients: boolean;
  ofKinds: boolean;
}

const KIND = ['outcome', 'operation', 'status'];

/**
 * The ranges of an index that are read one after the other, of the clients in `$first` and the kinds in the four values after that. Rows
 * are compared as a whole, and ordered by all columns: with equalities the planner could walk the index of the time instead, past all
 * requests of others. The index of a client's times says `is not null`, so that no other statement can use it.
 */
function rangesOf({ ofClients, ofKinds }: Narrowed, first: number) {
  const filter = ofClients ? first + 1 : first;
  const outcome = `nullif($${filter + 1}::text, '${FAILED}')`;
  const client = ofClients ? ['client_id'] : [];
  const kinds = valuesInDay(
    [...client, ...KIND],
    [...client.map(() => 'wanted.client_id'), `coalesce(${outcome}, '')`, "''", '0::smallint'],
    [...client.map(() => 'one.client_id = wanted.client_id'), `coalesce(one.outcome = ${outcome}, true)`].join(' and '),
  );
  const columns = [...client, ...(ofKinds ? KIND : [])];
  const values = columns.map((column) => `${ofKinds ? 'kind' : 'wanted'}.${column}`);
  return {
    from: [
      '(select) as whole',
      ...client.map(() => `unnest($${first}::uuid[]) as wanted (client_id)`),
      ...(ofKinds ? [`lateral (${kinds}) kind`] : []),
    ].join(' cross join '),
    where: ofKinds ? kindCondition('kind', filter) : 'true',
    indexed: ofClients && !ofKinds ? 'client_id is not null' : 'true',
    order: [...columns, secondOf('at')],
    /** A place in the range, at a time and what follows it. */
    at: (time: string, ...rest: string[]) => `(${[...values, secondOf(time), ...rest].join(', ')})`,
  };
}

/** A statement for each way to narrow requests. */
export function forEachWay<Statement>(
  make: (narrowed: Narrowed) => Statement,
): (ofClients: boolean, ofKinds: boolean) => Statement {
  const [all, ofKinds] = [make({ ofClients: false, ofKinds: false }), make({ ofClients: false, ofKinds: true })];
  const [ofClients, ofBoth] = [make({ ofClients: true, ofKinds: false }), make({ ofClients: true, ofKinds: true })];
  return (clients, kinds) => (clients ? (kinds ? ofBoth : ofClients) : kinds ? ofKinds : all);
}

/**
 * Hides the values of a statement from the planner. It would prefer a plan for the given values, which costs more time than it saves: each
 * plan considers every partition.
 */
function unseen(statement: string): string {
  return statement.replaceAll(/(\$\d+)::(\w+(?:\[\])?)/g, '(select $1::$2)::$2');
}

/** Requests from `$1`, before `$2`, at most `$3`, beyond the place `($4, $5)` in the direction; narrowed by `$6` and on. */
export function requestsBeyond(direction: Direction, narrowed: Narrowed): Prepared<RequestRow> {
  const { from, where, indexed, order, at } = rangesOf(narrowed, 6);
  const [way, beyond, days, edge] =
    direction === 'newest'
      ? [
          'desc',
          '<',
          `ends > $1::timestamptz and starts <= $4::timestamptz and $2::timestamptz is not null`,
          `at >= $1::timestamptz and (${order}) >= ${at('$1::timestamptz')}`,
        ]
      : [
          'asc',
          '>',
          `ends > $4::timestamptz and starts < $2::timestamptz and $1::timestamptz is not null`,
          `at < $2::timestamptz and (${order}) <= ${at('$2::timestamptz')}`,
        ];
  const by = (...columns: string[]) => columns.map((column) => `${column} ${way}`).join(', ');
  const statement = `
    select * from (
      select page.* from (select * from ${LOG_DAYS} days where ${days} order by ${by('starts')}) days cross join lateral (
        select found.* from ${from} cross join lateral (
          select ${REQUEST_COLUMNS} from request_log
          where ${IN_DAY} and ${indexed} and ${edge} and (${order}, at, id) ${beyond} ${at('$4::timestamptz', '$4::timestamptz', '$5::uuid')}
          order by ${by(...order, 'at', 'id')} limit $3::int) found
        where ${where} order by ${by('at', 'id')} limit $3::int) page
      limit $3::int) pages
    order by ${by('at', 'id')}`;
  return preparedWithDates<RequestRow>(unseen(statement));
}

/** Counts requests from `$1`, before `$2`, up to `$3`, and reads no further. Narrowed by `$4` and on. */
export function requestCount(narrowed: Narrowed): Prepared<{ count: number }> {
  const { from, where, indexed, order, at } = rangesOf(narrowed, 4);
  const statement = `
    select count(*)::int as count from (
      select from (select * from ${LOG_DAYS} days where ends > $1::timestamptz and starts < $2::timestamptz) days
        cross join ${from} cross join lateral (
          select from request_log
          where ${IN_DAY} and ${indexed} and at >= $1::timestamptz and at < $2::timestamptz
            and (${order}) >= ${at('$1::timestamptz')} and (${order}) <= ${at('$2::timestamptz')}
          order by ${order}
          limit $3::int) found
      where ${where} limit $3::int) few`;
  return prepared(unseen(statement));
}

/** Where reading begins: at the place or at the edge of the period, whichever is further on. */
export function withinPeriod(direction: Direction, { from, to }: { from: Date; to: Date }, beyond?: Place): Place {
  const end: Place =
    direction === 'newest'
      ? { at: to, id: BEGINNING.oldest.id }
      : { at: new Date(from.getTime() - 1), id: BEGINNING.newest.id };
  if (beyond === undefined) return end;
  const isNearer = direction === 'newest' ? beyond.at < end.at : beyond.at > end.at;
  return isNearer ? beyond : end;
}
