import { REQUESTS_KEPT } from '../../entities/retention.ts';
import type { Context } from '../../platform/context.ts';
import { type Prepared, prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, isUuid, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { after } from '../../platform/time.ts';
import { OK } from './operations.ts';
import { kindCondition, kindsOf, kindValues, type RequestFilter } from './request-filter.ts';
import {
  allRequests,
  BEGINNING,
  type Direction,
  kindsThereAre,
  type Place,
  REQUEST_COLUMNS,
  type RequestRow,
  requestsOfClients,
  requestsOfKinds,
  requestsOfKindsOfClients,
  withinPeriod,
} from './request-rows.ts';

/** Whose requests are listed: of one client, of a partner’s, of all clients of a mode, or of all. What is given all holds. */
export interface RequestListFilter extends RequestFilter {
  partnerId?: Id<'ptn'> | undefined;
  clientId?: Id<'client'> | undefined;
  mode?: Mode | undefined;
}

interface Page {
  /** `newest`: newest first, further back from `beyond`; `oldest`: the other way round. */
  direction: Direction;
  beyond?: Place | undefined;
  limit: number;
}

const both = (make: (direction: Direction) => Prepared<RequestRow>) => ({
  newest: make('newest'),
  oldest: make('oldest'),
});
const ofAll = both(allRequests);
const ofKinds = both(requestsOfKinds);
const ofClients = both(requestsOfClients);
const ofKindsOfClients = both(requestsOfKindsOfClients);

const clientsOfMode = prepared<{ id: Uuid }>('select id from client where mode = $1');
const clientsOfPartner = prepared<{ id: Uuid }>(
  'select id from client where partner_id = $1 and ($2::text is null or mode = $2) and ($3::uuid is null or id = $3)',
);
const outcomesThereAre = prepared<{ outcome: string }>(
  `select distinct outcome from (${kindsThereAre(undefined)}) kinds where outcome <> '${OK}' order by outcome`,
);

const outcomesOfClients = prepared<{ outcome: string }>(`
  select distinct kinds.outcome from unnest($1::uuid[]) as wanted (id)
    cross join lateral (${kindsThereAre('wanted.id')}) kinds
  where kinds.outcome <> '${OK}' order by outcome`);

/** One page of the request log, in its direction. @throws DomainError `invalid_request` for a bad filter */
export async function listRequests(
  context: Pick<Context, 'pool' | 'now'>,
  filter: RequestListFilter,
  { direction, beyond, limit }: Page,
): Promise<RequestRow[]> {
  const kinds = kindsOf(filter);
  const { from, to } = periodOf(context, filter);
  const clients = await clientsOf(context, filter);
  const place = withinPeriod(direction, { from, to }, beyond);
  const page = [from, to, limit, place.at, place.id];
  const { pool } = context;
  if (clients === undefined) {
    return kinds ? ofKinds[direction](pool, [...page, ...kindValues(kinds)]) : ofAll[direction](pool, page);
  }
  return kinds
    ? ofKindsOfClients[direction](pool, [...page, clients, ...kindValues(kinds)])
    : ofClients[direction](pool, [...page, clients]);
}

/** What a filter may ask for: the codes with which requests of the log were refused, of all clients or of a partner’s. */
export async function refusalsInLog(
  context: Pick<Context, 'pool'>,
  whose: Pick<RequestListFilter, 'partnerId'> = {},
): Promise<string[]> {
  const clients = await clientsOf(context, whose);
  const outcomes = clients
    ? await outcomesOfClients(context.pool, [clients])
    : await outcomesThereAre(context.pool, []);
  return outcomes.map(({ outcome }) => outcome);
}

/** The period of a filter, within what is kept. */
export function periodOf({ now }: Pick<Context, 'now'>, { from, to }: RequestFilter): { from: Date; to: Date } {
  const kept = after(now(), -REQUESTS_KEPT);
  return { from: from !== undefined && from > kept ? from : kept, to: to ?? BEGINNING.newest.at };
}

/** The clients of a filter; undefined where it does not narrow them. */
export async function clientsOf(
  { pool }: Pick<Context, 'pool'>,
  { partnerId, clientId, mode }: RequestListFilter,
): Promise<Uuid[] | undefined> {
  if (partnerId !== undefined) {
    const client = clientId === undefined ? null : uuidOf('client', clientId);
    const own = await clientsOfPartner(pool, [uuidOf('ptn', partnerId), mode ?? null, client]);
    return own.map(({ id }) => id);
  }
  if (clientId !== undefined) return [uuidOf('client', clientId)];
  if (mode === undefined) return undefined;
  return (await clientsOfMode(pool, [mode])).map(({ id }) => id);
}

const requestOfPartner = preparedWithDates<RequestRow>(`
  select ${REQUEST_COLUMNS} from api_request
  where id = $1 and client_id in (select c.id from client c where c.partner_id = $2)`);

/**
 * A request of the log that was made with a client of the partner.
 * @param id the `X-Request-Id` of its answer
 * @returns undefined where there is none of this partner
 */
export async function readPartnerRequest(
  { pool }: Pick<Context, 'pool'>,
  id: string,
  partnerId: Id<'ptn'>,
): Promise<RequestRow | undefined> {
  const wanted = id.trim().toLowerCase();
  if (!isUuid(wanted)) return undefined;
  const [row] = await requestOfPartner(pool, [wanted, uuidOf('ptn', partnerId)]);
  return row;
}

const KIND = ['operation', 'status', 'outcome'];

/** Counts up to `$3`: nothing is read beyond. The requests are from `$1`, before `$2`. */
const counted = (requests: string) =>
  prepared<{ count: number }>(`select count(*)::int as count from (select ${requests} limit $3) few`);

/** SQL: the part of an index between two times. @param of alias of a row with the values of the columns in front of the time */
function between(columns: readonly string[], of: string): string {
  const place = [...columns, 'at'].join(', ');
  const at = (time: string) => `(${[...columns.map((column) => `${of}.${column}`), time].join(', ')})`;
  return `cross join lateral (
    select from api_request where (${place}) >= ${at('$1::timestamptz')} and (${place}) < ${at('$2::timestamptz')} limit $3) found`;
}

const countAll = counted('from api_request where at >= $1 and at < $2');
const countKinds = counted(`
  from (${kindsThereAre(undefined)}) kind ${between(KIND, 'kind')} where ${kindCondition('kind', 4)}`);
const countClients = counted(`from unnest($4::uuid[]) as wanted (client_id) ${between(['client_id'], 'wanted')}`);
const countKindsOfClients = counted(`
  from unnest($4::uuid[]) as wanted (client_id) cross join lateral (${kindsThereAre('wanted.client_id')}) kind
    cross join lateral (select wanted.client_id, kind.*) own ${between(['client_id', ...KIND], 'own')}
  where ${kindCondition('kind', 5)}`);

/**
 * How many requests a filter leaves.
 * @param most they are counted up to here
 * @throws DomainError `invalid_request` for a bad filter
 */
export async function countRequests(
  context: Pick<Context, 'pool' | 'now'>,
  filter: RequestListFilter,
  most: number,
): Promise<number> {
  const { pool } = context;
  const kinds = kindsOf(filter);
  const clients = await clientsOf(context, filter);
  const { from, to } = periodOf(context, filter);
  const given = [from, to, most, ...(clients ? [clients] : []), ...(kinds ? kindValues(kinds) : [])];
  const count = clients ? (kinds ? countKindsOfClients : countClients) : kinds ? countKinds : countAll;
  const [row] = await count(pool, given);
  return row?.count ?? 0;
}
