import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { after } from '../oauth/lifetimes.ts';

const DAY = 24 * 3600;
/** Seconds. */
export const REQUESTS_KEPT = 30 * DAY;
/** Buckets of five minutes and hours; they serve the charts of the last hour and day. */
export const FINE_TRAFFIC_KEPT = 2 * DAY;
const DAILY_TRAFFIC_KEPT = 31 * DAY;

/** Rows per statement: locks are short, and an interrupted run keeps its progress. */
const BATCH = 10_000;

// `any(array(…))` and not `in (…)`: with statistics from before a burst, PostgreSQL would join every row with every other
const deleteRequests = prepared(
  `delete from api_request where id = any(array(select id from api_request where at < $1 order by at limit ${BATCH})) returning 1`,
);
const deleteCounts = (table: 'traffic' | 'latency') =>
  prepared(
    `delete from ${table} where id = any(array(
       select id from ${table} where span_minutes = any($1) and bucket < $2 limit ${BATCH})) returning 1`,
  );
const COUNTS = [deleteCounts('traffic'), deleteCounts('latency')];

/** Deletes expired entries of the request log and of its counts. */
export async function purgeActivity({ pool, now }: Pick<Context, 'pool' | 'now'>): Promise<void> {
  const ago = (seconds: number) => after(now(), -seconds);
  while ((await deleteRequests(pool, [ago(REQUESTS_KEPT)])).length === BATCH);
  for (const deleteOld of COUNTS) {
    while ((await deleteOld(pool, [[5, 60], ago(FINE_TRAFFIC_KEPT)])).length === BATCH);
    while ((await deleteOld(pool, [[1440], ago(DAILY_TRAFFIC_KEPT)])).length === BATCH);
  }
}
