import type { Context } from '../context.ts';
import { type Id, idOf, type Uuid, uuidOf } from '../identifier/type-id.ts';
import { FAN_OPERATIONS } from './operations.ts';
import { preparedMoments } from './prepared-moments.ts';

const readLastUse = preparedMoments<{ id: Uuid; at: Date }>(
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
  grantIds: readonly Id<'grant'>[],
): Promise<Map<Id<'grant'>, Date>> {
  const rows = await readLastUse(pool, [grantIds.map((id) => uuidOf('grant', id)), FAN_OPERATIONS]);
  return new Map(rows.map(({ id, at }) => [idOf('grant', id), at]));
}

/** What an app tried with a grant and was refused, again and again within one hour or once. */
export interface RefusedAttempts {
  /** Of the newest one. */
  at: Date;
  grant: Id<'grant'>;
  /** A call of the Fan API or `token.refresh`. */
  operation: string;
  /** Stable code of the refusal. */
  outcome: string;
  times: number;
}

/** That a token had run out, or that calls came too fast, says nothing of the fan. Faults of ours are no refusals. */
const readRefused = preparedMoments<{ at: Date; grant_id: Uuid; operation: string; outcome: string; times: number }>(
  `select * from (
     select max(at) as at, grant_id, operation, outcome, count(*)::int as times from api_request
     where grant_id = any($1) and outcome <> 'ok' and outcome not in ('access_token_expired', 'rate_limited')
       and status between 400 and 499 and operation = any($2) and at < date_trunc('hour', $3::timestamptz) + interval '1 hour'
     group by grant_id, operation, outcome, date_trunc('hour', at)
   ) refused where at < $3 order by at desc fetch first $4 rows with ties`,
  'at',
);

/**
 * What was tried with grants and refused, of the last 30 days: one entry for all of an hour, the newest first.
 * @param grantIds `grant_…`
 * @param page how many, and only what is older than `before`; what happened at one moment is not torn apart
 */
export async function refusedAttempts(
  { pool }: Pick<Context, 'pool'>,
  grantIds: readonly Id<'grant'>[],
  page: { before: Date; limit: number },
): Promise<RefusedAttempts[]> {
  const grants = grantIds.map((id) => uuidOf('grant', id));
  const rows = await readRefused(pool, [grants, [...FAN_OPERATIONS, 'token.refresh'], page.before, page.limit]);
  return rows.map(({ grant_id, ...row }) => ({ ...row, grant: idOf('grant', grant_id) }));
}
