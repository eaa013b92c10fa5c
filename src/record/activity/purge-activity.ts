import type { Context } from '../../platform/context.ts';
import { deleteInTurns, oldRowsOf } from '../../platform/database/in-batches.ts';
import { after } from '../../platform/time.ts';

const DAY = 24 * 3600;
/** Seconds. */
export const REQUESTS_KEPT = 30 * DAY;
/** Buckets of five minutes and hours; they serve the charts of the last hour and day. */
const FINE_TRAFFIC_KEPT = 2 * DAY;
const DAILY_TRAFFIC_KEPT = 31 * DAY;

const oldRequests = oldRowsOf('api_request', 'at');
/** Counts of periods of some minutes, and how long they are kept. */
const COUNTS = [
  [5, FINE_TRAFFIC_KEPT],
  [60, FINE_TRAFFIC_KEPT],
  [1440, DAILY_TRAFFIC_KEPT],
].flatMap(([span, kept = 0]) =>
  ['traffic', 'latency'].map((table) => ({
    kept,
    old: oldRowsOf(table, 'bucket', `span_minutes = ${span}`),
  })),
);

/** Deletes expired entries of the request log and of its counts. @param limit ends the run at the end of a batch */
export async function purgeActivity({ pool, now }: Pick<Context, 'pool' | 'now'>, limit?: AbortSignal): Promise<void> {
  const ago = (seconds: number) => after(now(), -seconds);
  const counts = COUNTS.map(({ kept, old }) => old(pool, ago(kept)));
  await deleteInTurns([oldRequests(pool, ago(REQUESTS_KEPT)), ...counts], limit);
}
