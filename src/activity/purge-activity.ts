import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { after } from '../oauth/lifetimes.ts';

const DAY = 24 * 3600;
/** How long the request log is kept, in seconds. */
export const REQUESTS_KEPT = 30 * DAY;
/** Counts of five minutes and of hours are for the charts of the last hour and day, daily ones for the month's. */
const FINE_TRAFFIC_KEPT = 2 * DAY;
const DAILY_TRAFFIC_KEPT = 31 * DAY;

/** Rows of one statement: short locks, and a run that is cut off has not worked in vain. */
const BATCH = 10_000;

const deleteRequests = prepared(
  `delete from api_request where id in (select id from api_request where at < $1 order by at limit ${BATCH}) returning 1`,
);
const deleteTraffic = prepared(
  `delete from traffic where id in
     (select id from traffic where span_minutes = any($1) and bucket < $2 limit ${BATCH}) returning 1`,
);

/** Deletes what the request log and its counts no longer keep. */
export async function purgeActivity({ pool, now }: Pick<Context, 'pool' | 'now'>): Promise<void> {
  const ago = (seconds: number) => after(now(), -seconds);
  while ((await deleteRequests(pool, [ago(REQUESTS_KEPT)])).length === BATCH);
  while ((await deleteTraffic(pool, [[5, 60], ago(FINE_TRAFFIC_KEPT)])).length === BATCH);
  while ((await deleteTraffic(pool, [[1440], ago(DAILY_TRAFFIC_KEPT)])).length === BATCH);
}
