import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { idOf, uuidOf } from '../identifier/type-id.ts';
import { FAN_OPERATIONS } from './operations.ts';
import { preparedMoments } from './prepared-moments.ts';

const readLastUse = preparedMoments<{ id: string; at: Date }>(
  `
  select wanted.id, used.at from unnest($1::uuid[]) as wanted (id) cross join lateral (
    select at from api_request where grant_id = wanted.id and outcome = 'ok' and operation = any($2)
    order by at desc limit 1) used`,
  'at',
);

/**
 * When each grant was last used: the newest call of the Fan API that was answered. A moment late (the request log is
 * written behind the answers), and of the last 30 days.
 * @param grantIds `grant_…`
 * @returns by grant; those that were not used are not in it
 */
export async function lastUseOf(
  { pool }: Pick<Context, 'pool'>,
  grantIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await readLastUse(pool, [grantIds.map((id) => uuidOf('grant', id)), FAN_OPERATIONS]);
  return new Map(rows.map(({ id, at }) => [idOf('grant', id), at]));
}

/** A call of the Fan API that was refused. */
export interface RefusedAttempt {
  requestId: string;
  at: Date;
  /** Such as `listings.sign`. */
  operation: string;
  status: number;
  /** Stable code of the refusal. */
  outcome: string;
  /** `client_…`; null where it is not known. */
  client: string | null;
  /** `grant_…`; null where it is not known. */
  grant: string | null;
}

interface RefusedRow {
  id: string;
  at: Date;
  operation: string;
  status: number;
  outcome: string;
  client_id: string | null;
  grant_id: string | null;
}

const readRefused = preparedMoments<RefusedRow>(
  `select refused.* from unnest($1::uuid[]) as wanted (id) cross join lateral (
     select id, at, operation, status, outcome, client_id, grant_id from api_request
     where grant_id = wanted.id and outcome <> 'ok' and operation = any($2) order by at desc limit $3) refused
   order by at desc limit $3`,
  'at',
);
const grantsOf = prepared<{ id: string }>('select id from consent_grant where fan_id = $1');

/**
 * What was tried in a fan's name, or with one grant, and refused: the newest of the last 30 days.
 * @param of a fan (`usr_…`) or one grant (`grant_…`)
 */
export async function refusedAttempts(
  { pool }: Pick<Context, 'pool'>,
  of: { fan: string } | { grant: string },
  limit: number,
): Promise<RefusedAttempt[]> {
  const grants =
    'fan' in of ? (await grantsOf(pool, [uuidOf('usr', of.fan)])).map(({ id }) => id) : [uuidOf('grant', of.grant)];
  const rows = await readRefused(pool, [grants, FAN_OPERATIONS, limit]);
  return rows.map(({ id, client_id: client, grant_id: grant, ...row }) => ({
    ...row,
    requestId: id,
    client: client === null ? null : idOf('client', client),
    grant: grant === null ? null : idOf('grant', grant),
  }));
}
