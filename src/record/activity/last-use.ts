import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../../platform/identifier/type-id.ts';
import { FAN_OPERATIONS, JUDGED_OPERATIONS } from './operations.ts';

const readLastUse = preparedWithDates<{ id: Uuid; at: Date }>(
  `
  select wanted.id, used.at from unnest($1::uuid[]) as wanted (id) cross join lateral (
    select at from request_log where grant_id = wanted.id and outcome = 'ok' and operation = any($2)
    order by at desc limit 1) used`,
);

/**
 * When each grant was last used: its newest successful call of the Fan API, as far as the request log goes back. Where successes are left
 * out of the log, a token that was issued counts too. Up to a second late. Grants without a use are not in the map.
 */
export async function lastUseOf(
  { pool, config }: Pick<Context, 'pool' | 'config'>,
  grantIds: readonly Id<'grant'>[],
): Promise<Map<Id<'grant'>, Date>> {
  const operations = config.requestLog.successes < 1 ? [...FAN_OPERATIONS, ...JUDGED_OPERATIONS] : FAN_OPERATIONS;
  const rows = await readLastUse(pool, [grantIds.map((id) => uuidOf('grant', id)), operations]);
  return new Map(rows.map(({ id, at }) => [idOf('grant', id), at]));
}

/** Calls of an app with a grant that were refused for the same reason within one hour. */
export interface RefusedAttempts {
  /** Time of the newest call. */
  at: Date;
  grant: Id<'grant'>;
  /** A call of the Fan API or `token.refresh`. */
  operation: string;
  /** Stable code of the refusal. */
  outcome: string;
  times: number;
}

/** Expired tokens and rate limits are of no interest to the fan; 5xx are no refusals. */
const readRefused = preparedWithDates<{ at: Date; grant_id: Uuid; operation: string; outcome: string; times: number }>(
  `select * from (
     select max(at) as at, grant_id, operation, outcome, count(*)::int as times from request_log
     where grant_id = any($1) and outcome <> 'ok' and outcome not in ('access_token_expired', 'rate_limited')
       and status between 400 and 499 and operation = any($2) and at < date_trunc('hour', $3::timestamptz) + interval '1 hour'
     group by grant_id, operation, outcome, date_trunc('hour', at)
   ) refused where at < $3 order by at desc fetch first $4 rows with ties`,
);

/** Refused calls in the log, newest first. @param page entries before `before`; those of one moment stay together */
export async function refusedAttempts(
  { pool }: Pick<Context, 'pool'>,
  grantIds: readonly Id<'grant'>[],
  page: { before: Date; limit: number },
): Promise<RefusedAttempts[]> {
  const grants = grantIds.map((id) => uuidOf('grant', id));
  const rows = await readRefused(pool, [grants, [...FAN_OPERATIONS, 'token.refresh'], page.before, page.limit]);
  return rows.map(({ grant_id, ...row }) => ({ ...row, grant: idOf('grant', grant_id) }));
}
