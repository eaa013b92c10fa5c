import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { kindCondition, kindsOf, kindValues } from './request-filter.ts';
import { clientsOf, periodOf, type RequestListFilter } from './request-list.ts';
import { kindsThereAre } from './request-rows.ts';

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

const ofAll = counted('from api_request where at >= $1 and at < $2');
const ofKinds = counted(`
  from (${kindsThereAre(undefined)}) kind ${between(KIND, 'kind')} where ${kindCondition('kind', 4)}`);
const ofClients = counted(`from unnest($4::uuid[]) as wanted (client_id) ${between(['client_id'], 'wanted')}`);
const ofKindsOfClients = counted(`
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
  const count = clients ? (kinds ? ofKindsOfClients : ofClients) : kinds ? ofKinds : ofAll;
  const [row] = await count(pool, given);
  return row?.count ?? 0;
}
