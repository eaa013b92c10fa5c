/**
 * The partitions of the request log, one per day of UTC. The job `purge` makes them a week ahead and drops them as a whole, however many
 * rows they have. There is no default partition, since each new one would lock it and read it. A process that finds no partition for its
 * rows makes it (`record/activity/activity-log.ts`), so that nothing is lost where the job does not run.
 *
 * @module
 */
import type { Pool } from 'pg';
import { LOCKS } from '../platform/database/advisory-lock.ts';
import { prepared } from '../platform/database/prepared.ts';
import { after, DAY } from '../platform/time.ts';

const DAYS_AHEAD = 7;

/**
 * SQL: the partitions, with the times between which their rows are. The first, from before there were days, begins at `-infinity`. By a
 * function: Citus sends no statement with a catalog table to the worker that has the log.
 */
export const LOG_DAYS = `(
  select name, starts, lead(starts, 1, 'infinity') over (order by starts) as ends from (
    select relid::text as name,
      coalesce(to_date(substring(relid::text from '\\d{8}$'), 'YYYYMMDD')::timestamp at time zone 'UTC', '-infinity') as starts
    from pg_partition_tree('request_log') where isleaf) parts)`;

const readOldest = prepared<{ name: string }>(
  `select name from ${LOG_DAYS} days where ends <= $1 order by starts limit 1`,
);
const readMissing = prepared<{ day: string }>(
  `select day from unnest($1::text[]) as wanted (day) where to_regclass('request_log_' || day) is null`,
);

/** Makes the partitions of today and of the week after. @returns false: there is no more to do */
export async function makeNextLogDays(pool: Pool, now: Date): Promise<false> {
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => after(now, ahead * DAY));
  await makeLogDays(pool, days);
  return false;
}

/** Makes the partitions for rows of these times. Readers and writers of the log go on. */
export async function makeLogDays(pool: Pool, times: readonly Date[]): Promise<void> {
  const days = new Set(times.map((time) => time.toISOString().slice(0, 10).replaceAll('-', '')));
  for (const { day } of await readMissing(pool, [[...days]])) {
    // the exceptions: another process made it, or the first partition has the day
    await pool.query(`do $$ begin
        perform pg_advisory_xact_lock(${LOCKS.requestLogDays});
        create table request_log_${day} (like request_log including defaults);
        alter table request_log attach partition request_log_${day}
          for values from ('${day} 00:00Z') to (timestamptz '${day} 00:00Z' + interval '24 hours');
      exception when duplicate_table or invalid_object_definition then null;
      end $$`);
  }
}

/** Drops the oldest partition that ended before a moment. @returns whether there may be more */
export async function dropLogDay(pool: Pool, before: Date): Promise<boolean> {
  const [oldest] = await readOldest(pool, [before]);
  // statements of the log queue up behind one that waits for its lock
  if (oldest !== undefined) await pool.query(`set local lock_timeout = '2s'; drop table if exists ${oldest.name}`);
  return oldest !== undefined;
}
