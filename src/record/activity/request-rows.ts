/**
 * Statements that read requests. Each costs the same however long the log is: a filter is answered from the index that
 * has the kinds of requests (operation, status, outcome) in front of the time. The kinds are few; their newest rows are
 * read one kind after the other, and the newest of all remain.
 *
 * @module
 */
import { type Prepared, preparedWithDates } from '../../platform/database/prepared.ts';
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
 * The kinds that there are, of all clients or of the one in `client`: each is looked up in the index after the one
 * before, without reading the rows between them.
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
const ORDER = { newest: 'at desc, id desc', oldest: 'at, id' } as const;

/** The place of a row in the order. */
export interface Place {
  at: Date;
  id: string;
}

/** Where a direction begins. */
export const BEGINNING: Readonly<Record<Direction, Place>> = {
  newest: { at: new Date('9999-01-01T00:00:00Z'), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  oldest: { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' },
};

/** Of all clients: from `$1`, before `$2`, at most `$3`, beyond the place `($4, $5)` in the direction. */
export const allRequests = (direction: Direction): Prepared<RequestRow> =>
  preparedWithDates<RequestRow>(`
    select ${REQUEST_COLUMNS} from api_request where at >= $1 and at < $2 and ${beyond('$4', '$5', direction)}
    order by ${ORDER[direction]} limit $3`);

/** As `allRequests`, of the kinds in `$6` to `$9`. */
export const requestsOfKinds = (direction: Direction): Prepared<RequestRow> =>
  preparedWithDates<RequestRow>(`
    select found.* from (${kindsThereAre(undefined)}) kind
      cross join lateral (${ofKind(direction, ['operation', 'status', 'outcome'], 'kind')}) found
    where ${kindCondition('kind', 6)}
    order by ${ORDER[direction]} limit $3`);

/** As `allRequests`, of the clients in `$6`. */
export const requestsOfClients = (direction: Direction): Prepared<RequestRow> =>
  preparedWithDates<RequestRow>(`
    select found.* from unnest($6::uuid[]) as wanted (value) cross join lateral (
      select ${REQUEST_COLUMNS} from api_request
      where client_id = wanted.value and at >= $1 and at < $2 and ${beyond('$4', '$5', direction)}
      order by ${ORDER[direction]} limit $3) found
    order by ${ORDER[direction]} limit $3`);

/** As `requestsOfClients`, of the kinds in `$7` to `$10`. */
export const requestsOfKindsOfClients = (direction: Direction): Prepared<RequestRow> =>
  preparedWithDates<RequestRow>(`
    select found.* from unnest($6::uuid[]) as wanted (value)
      cross join lateral (${kindsThereAre('wanted.value')}) kind
      cross join lateral (select wanted.value as client_id, kind.*) own
      cross join lateral (${ofKind(direction, ['client_id', 'operation', 'status', 'outcome'], 'own')}) found
    where ${kindCondition('kind', 7)}
    order by ${ORDER[direction]} limit $3`);

/**
 * Of one kind: the part of its index between two places. Equalities would let the planner walk the index of the time
 * instead, past all requests of other kinds.
 */
function ofKind(direction: Direction, columns: readonly string[], kind: string): string {
  const place = [...columns, 'at'].join(', ');
  const values = columns.map((column) => `${kind}.${column}`).join(', ');
  const [bound, way] =
    direction === 'newest'
      ? [`>= (${values}, $1::timestamptz) and $2::timestamptz is not null`, 'desc']
      : [`< (${values}, $2::timestamptz) and $1::timestamptz is not null`, 'asc'];
  const order = [...columns, 'at', 'id'].map((column) => `${column} ${way}`).join(', ');
  return `select ${REQUEST_COLUMNS} from api_request
    where (${place}) ${bound}
      and (${place}, id) ${way === 'desc' ? '<' : '>'} (${values}, $4::timestamptz, $5::uuid)
    order by ${order} limit $3`;
}

/** The nearer one of a place and the end of a period: from there on nothing is read that is not wanted. */
export function withinPeriod(direction: Direction, { from, to }: { from: Date; to: Date }, beyond?: Place): Place {
  const end: Place =
    direction === 'newest'
      ? { at: to, id: BEGINNING.oldest.id }
      : { at: new Date(from.getTime() - 1), id: BEGINNING.newest.id };
  if (beyond === undefined) return end;
  const isNearer = direction === 'newest' ? beyond.at < end.at : beyond.at > end.at;
  return isNearer ? beyond : end;
}

/** Without a case for "no place", which would keep the index from beginning there. */
function beyond(at: string, id: string, direction: Direction): string {
  return `(at, id) ${direction === 'newest' ? '<' : '>'} (${at}::timestamptz, ${id}::uuid)`;
}
