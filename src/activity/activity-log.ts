import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isRowFault } from '../database/is-row-fault.ts';
import { prepared } from '../database/prepared.ts';
import type { Operation } from './operations.ts';

/** A request that was answered. References are `uuid`s. No body, no query, no secret, no phone. */
export interface ActivityEntry {
  /** The request id that the answer carried. */
  id: string;
  /** When the request came. */
  at: Date;
  operation: Operation;
  /** At most 10 characters. */
  method: string;
  status: number;
  /** `ok`, or the stable code of the refusal. */
  outcome: string;
  durationMs: number;
  client: string | null;
  grant: string | null;
  fan: string | null;
  session: string | null;
}

/**
 * The request log of a process. A request only leaves its entry in memory; a second later, or with 500 of them, one
 * statement writes them all and adds them up for the dashboards.
 */
export interface ActivityLog {
  /** Never waits and never throws. */
  record(entry: ActivityEntry): void;
  /** Writes what has been recorded so far. Throws where the database does not take it; it is kept then. */
  flush(): Promise<void>;
  /** Writes what is left, as far as the database is there. */
  close(): Promise<void>;
}

/** The part of a context that holds the request log. */
export interface WithActivity {
  activity: ActivityLog;
}

const FLUSH_AFTER_MS = 1_000;
const FLUSH_AT = 500;
const MOST_AT_ONCE = 2_000;
/** Some minutes of traffic while the database is away; what comes after that is counted and not kept. */
const MOST_WAITING = 50_000;
const OUTCOME_LENGTH = 60;

/**
 * An entry that was written already (the answer to it got lost) is counted once. A client that does not exist, however
 * well its identifier is formed, is none: otherwise made-up ones would fill the counts. The order of the counts is the
 * same for every process, so that two of them do not wait for each other in a circle.
 */
const write = prepared(`
  with given as (
    select * from json_to_recordset($1::json) as e(id uuid, at timestamptz, operation text, method text, status int,
      outcome text, "durationMs" int, client uuid, "grant" uuid, fan uuid, session uuid)
  ), written as (
    insert into api_request (id, at, operation, method, status, outcome, duration_ms, client_id, grant_id, fan_id,
      session_id)
    select e.id, e.at, e.operation, e.method, e.status, e.outcome, e."durationMs", c.id, e."grant", e.fan, e.session
    from given e left join client c on c.id = e.client
    on conflict (id) do nothing
    returning at, operation, status, outcome, duration_ms, client_id
  ), counted as (
    select date_bin('5 minutes', at, timestamptz 'epoch') as at, client_id, operation, status, outcome,
      count(*) as count, sum(duration_ms) as total_ms
    from written group by 1, 2, 3, 4, 5
  )
  insert into traffic (span_minutes, bucket, client_id, operation, status, outcome, count, total_ms)
  select span, date_bin(make_interval(mins => span), at, timestamptz 'epoch') as bucket, client_id, operation, status,
    outcome, sum(count), sum(total_ms)
  from counted cross join (values (5), (60), (1440)) as spans (span)
  group by span, bucket, client_id, operation, status, outcome
  order by span, bucket, client_id, operation, status, outcome
  on conflict (span_minutes, bucket, client_id, operation, status, outcome)
  do update set count = traffic.count + excluded.count, total_ms = traffic.total_ms + excluded.total_ms`);

/** Opens the log. It holds no connection, and its timer keeps no process alive. */
export function createActivityLog({ pool, log }: { pool: Pool; log: Logger }): ActivityLog {
  let waiting: ActivityEntry[] = [];
  let dropped = 0;
  let failing = false;
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function writeBatch(): Promise<void> {
    const batch = waiting.slice(0, MOST_AT_ONCE);
    await writeApart(batch);
    waiting = waiting.slice(batch.length);
  }

  /** Where the database refuses entries for what is in them, each half is tried again, down to the one that is left out. */
  async function writeApart(entries: ActivityEntry[]): Promise<void> {
    try {
      await write(pool, [JSON.stringify(entries)]);
    } catch (err) {
      if (!isRowFault(err)) throw err;
      if (entries.length === 1) {
        log.error({ err }, 'an entry of the request log could not be written and is left out');
        return;
      }
      const middle = Math.ceil(entries.length / 2);
      await writeApart(entries.slice(0, middle));
      await writeApart(entries.slice(middle));
    }
  }

  /** One writer at a time. @param all also what is not yet worth a statement of its own */
  async function drain(all: boolean): Promise<void> {
    while (waiting.length >= (all ? 1 : FLUSH_AT)) await writeBatch();
    if (failing || dropped > 0) log.warn({ dropped }, 'the request log is written again; what was dropped is missing');
    failing = false;
    dropped = 0;
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (writing !== undefined) await writing.catch(() => undefined);
    await startWriting(true);
  }

  function startWriting(all: boolean): Promise<void> {
    writing = drain(all).finally(() => {
      writing = undefined;
    });
    return writing;
  }

  function inBackground(all: boolean): void {
    if (writing !== undefined) return;
    startWriting(all)
      .catch((err: unknown) => {
        if (!failing) log.warn({ err }, 'the request log can not be written; it is kept in memory meanwhile');
        failing = true;
      })
      .finally(wakeLater);
  }

  function wakeLater(): void {
    if (waiting.length === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      inBackground(true);
    }, FLUSH_AFTER_MS).unref();
  }

  return {
    record(entry) {
      if (waiting.length >= MOST_WAITING) {
        dropped++;
        return;
      }
      waiting.push(
        entry.outcome.length > OUTCOME_LENGTH ? { ...entry, outcome: entry.outcome.slice(0, OUTCOME_LENGTH) } : entry,
      );
      if (waiting.length >= FLUSH_AT && !failing) inBackground(false);
      wakeLater();
    },
    flush,
    async close() {
      await flush().catch((err: unknown) => {
        log.warn({ err, entries: waiting.length }, 'the end of the request log could not be written');
      });
    },
  };
}
