/**
 * Statements that read requests. Each costs the same however long the log is: a filter is answered from the index that has the kinds of
 * requests (operation, status, outcome) before the time. The kinds are few; their newest rows are read one kind after the other, and the
 * newest of all remain.
 *
 * @module
 */
import { type Prepared, prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';
import { kindCondition } from './request-filter.ts';

export interface RequestRow {
  id: Uuid;
  at: Date;
  operation: string;
  method: string;
  status: number;
  outcome: string;
  message: string | null;
  duration_ms: number;
  client_id: Uuid | null;
  grant_id: Uuid | null;
  fan_id: Uuid | null;
  session_id: Uuid | null;
}

export const REQUEST_COLUMNS = `id, at, operation, method, status, outcome, message, duration_ms, client_id, grant_id,
  fan_id, session_id`;

/**
 * The kinds in the log, of all clients or of the one in `client`: each is looked up in the index after the one before, without reading
 * the rows between them.
 */
export function kindsThereAre(client: string | undefined): string {
  const one = (after: string) => `(select operation, status, outcome from api_request
    where ${client === undefined ? 'true' : `client_id = ${client}`} ${after} order by operation, status, outcome limit 1)`;
  return `with recursive kind as (
      ${one('')}
      union all
      select next.* from kind cross join lateral
        ${one('and (operation, status, outcome) > (kind.operation, kind.status, kind.outcome)')} next
    ) select * from kind`;
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

const KIND = ['operation', 'status', 'outcome'];

/**
 * The ranges of an index that are read one after the other, of the clients in `$first` and the kinds in the four values after that. With
 * equalities the planner could walk the index of the time instead, past all requests of other kinds.
 */
function partsOf({ ofClients, ofKinds }: Narrowed, first: number) {
  const clients = `unnest($${first}::uuid[]) as wanted (client_id)`;
  const kinds = `lateral (${kindsThereAre(ofClients ? 'wanted.client_id' : undefined)}) kind`;
  const columns = [...(ofClients ? ['client_id'] : []), ...(ofKinds ? KIND : []), 'at'];
  const values = [
    ...(ofClients ? ['wanted.client_id'] : []),
    ...(ofKinds ? KIND.map((column) => `kind.${column}`) : []),
  ];
  return {
    from: [...(ofClients ? [clients] : []), ...(ofKinds ? [kinds] : [])].join(' cross join ') || '(select) as whole',
    where: ofKinds ? kindCondition('kind', ofClients ? first + 1 : first) : 'true',
    columns,
    place: columns.join(', '),
    /** A place in the range, at the values of the time and what follows it. */
    at: (...rest: string[]) => `(${[...values, ...rest].join(', ')})`,
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

/** Requests from `$1`, before `$2`, at most `$3`, beyond the place `($4, $5)` in the direction; narrowed by `$6` and on. */
export function requestsBeyond(direction: Direction, narrowed: Narrowed): Prepared<RequestRow> {
  const { from, where, columns, place, at } = partsOf(narrowed, 6);
  const [bound, way] =
    direction === 'newest'
      ? [`>= ${at('$1::timestamptz')} and $2::timestamptz is not null`, 'desc']
      : [`< ${at('$2::timestamptz')} and $1::timestamptz is not null`, 'asc'];
  const order = [...columns, 'id'].map((column) => `${column} ${way}`).join(', ');
  return preparedWithDates<RequestRow>(`
    select found.* from ${from} cross join lateral (
      select ${REQUEST_COLUMNS} from api_request where (${place}) ${bound}
        and (${place}, id) ${way === 'desc' ? '<' : '>'} ${at('$4::timestamptz', '$5::uuid')}
      order by ${order} limit $3) found
    where ${where} order by at ${way}, id ${way} limit $3`);
}

/** Counts requests from `$1`, before `$2`, up to `$3`, and reads no further. Narrowed by `$4` and on. */
export function requestCount(narrowed: Narrowed): Prepared<{ count: number }> {
  const { from, where, place, at } = partsOf(narrowed, 4);
  return prepared(`select count(*)::int as count from (
    select from ${from} cross join lateral (
      select from api_request where (${place}) >= ${at('$1::timestamptz')} and (${place}) < ${at('$2::timestamptz')} limit $3
    ) found where ${where} limit $3) few`);
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
