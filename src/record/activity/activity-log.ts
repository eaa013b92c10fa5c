import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { PATH_LENGTH } from '../../entities/request-log.ts';
import { makeLogDays } from '../../entities/request-log-days.ts';
import { isRowFault } from '../../platform/database/faults.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { latencySlot } from './latency.ts';
import type { Operation } from './operation-texts.ts';
import { redactMessage } from './redact-message.ts';
import { sampleSuccesses } from './sample-successes.ts';

/** An answered request, without query, secret or phone. References are `uuid`s. */
export interface ActivityEntry {
  /** The request id of the answer. */
  id: string;
  /** When the request arrived. */
  at: Date;
  operation: Operation;
  /** At most 10 characters. */
  method: string;
  /** Of a call that is no operation; the log leaves out text that looks like a secret. */
  path: string | null;
  status: number;
  /** `ok`, or the stable code of the refusal. */
  outcome: string;
  /** The message of a refusal; the log leaves out text that looks like a secret. */
  message: string | null;
  durationMs: number;
  client: string | null;
  grant: string | null;
  fan: string | null;
  session: string | null;
}

/**
 * The request log of a process. Entries wait in memory; after a second, or when there are 500, one statement writes them
 * and adds them to the counts of the dashboards.
 */
export interface ActivityLog {
  /** Never waits and never throws. */
  record(entry: ActivityEntry): void;
  /** Writes all recorded entries. Where the database fails, throws and keeps them. */
  flush(): Promise<void>;
  /** Writes the remaining entries; never throws. */
  close(): Promise<void>;
}

export interface WithActivity {
  activity: ActivityLog;
}

const FLUSH_AFTER_MS = 1_000;
const FLUSH_AT = 500;
const MAX_BATCH = 2_000;
/** Some minutes of traffic while the database is unavailable; further entries are dropped and counted. */
const MAX_WAITING = 50_000;
const OUTCOME_LENGTH = 60;
const NO_PARTITION = /no partition of relation/;

/**
 * An entry that was written already (the database's answer got lost) is counted once. An unknown client is stored as null:
 * made-up identifiers must not fill the counts. All processes update the counts in one order, to prevent deadlocks. Entries are added up
 * before they are spread over the three spans: 20 µs of PostgreSQL's time for each entry instead of 30.
 */
const write = prepared(`
  with given as (
    select * from json_to_recordset($1::json) as e(id uuid, at timestamptz, operation text, method text, status int,
      outcome text, path text, message text, "durationMs" int, slot int, weight int, client uuid, "grant" uuid, fan uuid, session uuid)
  ), written as (
    insert into request_log (id, at, operation, method, path, status, outcome, message, duration_ms, client_id, grant_id,
      fan_id, session_id, weight)
    select e.id, e.at, e.operation, e.method, e.path, e.status, e.outcome, e.message, e."durationMs", c.id, e."grant", e.fan,
      e.session, e.weight
    from given e left join client c on c.id = e.client
    on conflict (id, at) do nothing
    returning id, at, operation, status, outcome, duration_ms, client_id, weight
  ), kinds as (
    select date_bin('5 minutes', w.at, timestamptz 'epoch') as start, w.client_id, w.operation, w.status, w.outcome, e.slot,
      sum(w.weight)::int as count, sum(w.duration_ms * w.weight) as total_ms
    from written w join given e on e.id = w.id
    group by start, w.client_id, w.operation, w.status, w.outcome, e.slot
  ), spread as (
    select span, date_bin(make_interval(mins => span), start, timestamptz 'epoch') as bucket, client_id, operation, status, outcome,
      slot, count, total_ms
    from kinds cross join (values (5), (60), (1440)) as spans (span)
  ), slots as (
    select span, bucket, owner, operation, slot, sum(count)::int as count
    from spread cross join lateral (select null::uuid as owner union select client_id) as owners
    group by span, bucket, owner, operation, slot
  ), measured as (
    insert into latency (span_minutes, bucket, client_id, operation, counts)
    select s.span, s.bucket, s.owner, s.operation, array_agg(coalesce(c.count, 0) order by n)
    from (select span, bucket, owner, operation, max(slot) as last from slots group by span, bucket, owner, operation) s
      cross join lateral generate_series(0, s.last) as n
      left join slots c on c.span = s.span and c.bucket = s.bucket and c.owner is not distinct from s.owner
        and c.operation = s.operation and c.slot = n
    group by s.span, s.bucket, s.owner, s.operation
    order by s.span, s.bucket, s.owner, s.operation
    on conflict (span_minutes, client_id, bucket, operation) do update set counts = (
      select array_agg(coalesce(one, 0) + coalesce(other, 0) order by n)
      from unnest(latency.counts, excluded.counts) with ordinality as both_of (one, other, n))
  )
  insert into traffic (span_minutes, bucket, client_id, operation, status, outcome, count, total_ms)
  select span, bucket, client_id, operation, status, outcome, sum(count), sum(total_ms)
  from spread
  group by span, bucket, client_id, operation, status, outcome
  order by span, bucket, client_id, operation, status, outcome
  on conflict (span_minutes, bucket, client_id, operation, status, outcome)
  do update set count = traffic.count + excluded.count, total_ms = traffic.total_ms + excluded.total_ms`);

type Row = ActivityEntry & { slot: number; weight: number };

/** Every path and message enters the log here: shortened, and without text that looks like a secret. */
function rowOf(entry: ActivityEntry): Row {
  const { outcome, path, message, durationMs } = entry;
  return {
    ...entry,
    outcome: outcome.slice(0, OUTCOME_LENGTH),
    path: path === null ? null : redactMessage(path).slice(0, PATH_LENGTH),
    message: message === null ? null : redactMessage(message),
    slot: latencySlot(durationMs),
    weight: 1,
  };
}

/**
 * The log holds no connection, and its timer does not keep the process alive.
 * @param successes the share of successes that is kept
 */
export function createActivityLog({
  pool,
  log,
  successes = 1,
}: {
  pool: Pool;
  log: Logger;
  successes?: number;
}): ActivityLog {
  const sample = sampleSuccesses<Row>(successes);
  let waiting: Row[] = [];
  let dropped = 0;
  let failing = false;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, MAX_BATCH);
    await writeSplitting(batch);
    waiting = waiting.slice(batch.length);
  }

  /** Makes the days that the job has not made. */
  async function writeIntoDays(entries: Row[]): Promise<void> {
    const values = [JSON.stringify(entries)];
    await write(pool, values).catch(async (err: unknown) => {
      if (!(err instanceof Error && NO_PARTITION.test(err.message))) throw err;
      await makeLogDays(
        pool,
        entries.map(({ at }) => at),
      );
      await write(pool, values);
    });
  }

  /** Where the database rejects an entry's values, halves the batch until only that entry is left out. */
  async function writeSplitting(entries: Row[]): Promise<void> {
    try {
      await writeIntoDays(entries);
    } catch (err) {
      if (!isRowFault(err)) throw err;
      if (entries.length === 1) {
        log.error({ err }, 'an entry of the request log could not be written and is left out');
        return;
      }
      const middle = Math.ceil(entries.length / 2);
      await writeSplitting(entries.slice(0, middle));
      await writeSplitting(entries.slice(middle));
    }
  }

  /** @param all false: only while there is a full batch */
  async function drain(all: boolean): Promise<void> {
    while (waiting.length >= (all ? 1 : FLUSH_AT)) await writeBatch();
    if (failing || dropped > 0)
      log.warn({ dropped }, 'the request log is being written again; dropped entries are lost');
    failing = false;
    dropped = 0;
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (writing !== undefined) await writing.catch(() => undefined);
    await startDrain(true);
  }

  function startDrain(all: boolean): Promise<void> {
    writing = drain(all).finally(() => {
      writing = undefined;
    });
    return writing;
  }

  function writeInBackground(all: boolean): void {
    if (writing !== undefined) return;
    void startDrain(all)
      .catch((err: unknown) => {
        if (!failing) log.warn({ err }, 'the request log can’t be written; entries are kept in memory for now');
        failing = true;
      })
      .finally(scheduleFlush);
  }

  function scheduleFlush(): void {
    if (waiting.length === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      writeInBackground(true);
    }, FLUSH_AFTER_MS).unref();
  }

  return {
    record(entry) {
      if (waiting.length >= MAX_WAITING) {
        dropped++;
        return;
      }
      waiting.push(...sample.take(rowOf(entry)));
      if (waiting.length >= FLUSH_AT && !failing) writeInBackground(false);
      scheduleFlush();
    },
    flush,
    async close() {
      waiting.push(...sample.rest());
      await flush().catch((err: unknown) => {
        log.warn({ err, entries: waiting.length }, 'the end of the request log could not be written');
      });
    },
  };
}
