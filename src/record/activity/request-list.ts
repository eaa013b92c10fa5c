import { LOG_DAYS } from '../../entities/request-log-days.ts';
import type { Context } from '../../platform/context.ts';
import { prepared, preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, isUuid, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import type { Mode } from '../../platform/mode.ts';
import { OK } from './operations.ts';
import { kindsOf, kindValues, type RequestFilter } from './request-filter.ts';
import {
  BEGINNING,
  type Direction,
  forEachWay,
  type Place,
  REQUEST_COLUMNS,
  type RequestRow,
  requestCount,
  requestsBeyond,
  valuesInDay,
  withinPeriod,
} from './request-rows.ts';

/** Whose requests are listed: those of a client, of a partner’s clients, of a mode’s clients, or all. All given fields apply. */
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

const requests = {
  newest: forEachWay((narrowed) => requestsBeyond('newest', narrowed)),
  oldest: forEachWay((narrowed) => requestsBeyond('oldest', narrowed)),
};
const counts = forEachWay(requestCount);

const clientsOfMode = prepared<{ id: Uuid }>('select id from client where mode = $1');
const clientsOfPartner = prepared<{ id: Uuid }>(
  'select id from client where partner_id = $1 and ($2::text is null or mode = $2) and ($3::uuid is null or id = $3)',
);
const outcomesThereAre = prepared<{ outcome: string }>(`
  select distinct outcome from ${LOG_DAYS} days cross join lateral (${valuesInDay(['outcome'], ["''"])}) found
  where outcome <> '${OK}' order by outcome`);
const outcomesOfClients = prepared<{ outcome: string }>(`
  select distinct outcome from ${LOG_DAYS} days cross join unnest($1::uuid[]) as wanted (id)
    cross join lateral (${valuesInDay(['client_id', 'outcome'], ['wanted.id', "''"], 'one.client_id = wanted.id')}) found
  where outcome <> '${OK}' order by outcome`);

/** One page of the request log, in its direction. @throws DomainError `invalid_request` for a bad filter */
export async function listRequests(
  context: Pick<Context, 'pool'>,
  filter: RequestListFilter,
  { direction, beyond, limit }: Page,
): Promise<RequestRow[]> {
  const { from = BEGINNING.oldest.at, to = BEGINNING.newest.at } = filter;
  const { clients, kinds, values } = await narrowedBy(context, filter);
  const place = withinPeriod(direction, { from, to }, beyond);
  return requests[direction](clients, kinds)(context.pool, [from, to, limit, place.at, place.id, ...values]);
}

/** Whether a filter narrows clients and kinds, and its SQL values. @throws DomainError `invalid_request` for a bad filter */
async function narrowedBy(context: Pick<Context, 'pool'>, filter: RequestListFilter) {
  const kinds = kindsOf(filter);
  const clients = await clientsOf(context, filter);
  const values = [...(clients ? [clients] : []), ...(kinds ? kindValues(kinds) : [])];
  return { clients: clients !== undefined, kinds: kinds !== undefined, values };
}

/** The outcomes to filter by: the codes of refusals in the log, of all clients or of a partner’s. */
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
  select ${REQUEST_COLUMNS} from request_log
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

/**
 * Counts the requests that match a filter.
 * @param most the count stops here
 * @throws DomainError `invalid_request` for a bad filter
 */
export async function countRequests(
  context: Pick<Context, 'pool'>,
  filter: RequestListFilter,
  most: number,
): Promise<number> {
  const { from = BEGINNING.oldest.at, to = BEGINNING.newest.at } = filter;
  const { clients, kinds, values } = await narrowedBy(context, filter);
  const [row] = await counts(clients, kinds)(context.pool, [from, to, most, ...values]);
  return row?.count ?? 0;
}
