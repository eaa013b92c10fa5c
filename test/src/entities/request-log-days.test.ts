import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeLogDays } from '../../../src/entities/request-log-days.ts';
import { purge } from '../../../src/entities/retention.ts';
import { readConfig } from '../../../src/platform/config/read-config.ts';
import { createActivityLog } from '../../../src/record/activity/activity-log.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

// D-361

let database: TestDatabase;
let pool: pg.Pool;
beforeEach(async () => {
  database = await createDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const DAY_MS = 86_400_000;
/** Beyond the days of the first partition. */
const NOW = new Date(Date.now() + 100 * DAY_MS);
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const nameOf = (time: Date) => `request_log_${time.toISOString().slice(0, 10).replaceAll('-', '')}`;
const contextAt = (now: Date, env: Record<string, string> = {}) => ({ pool, now: () => now, config: readConfig(env) });

async function days(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass order by name`,
  );
  return rows.map(({ name }) => name);
}

async function rowsIn(table: string): Promise<number> {
  return (await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0;
}

/** Writes requests of these times, as a process does. */
async function write(...times: Date[]): Promise<void> {
  const log = createActivityLog({ pool, log: pino({ level: 'silent' }) });
  for (const at of times) {
    const nobody = { client: null, grant: null, fan: null, session: null };
    const answer = {
      operation: 'tickets.list',
      method: 'GET',
      status: 200,
      outcome: 'ok',
      path: null,
      message: null,
    } as const;
    log.record({ id: randomUUID(), at, ...answer, durationMs: 3, ...nobody });
  }
  await log.flush();
}

describe('the days of the request log', () => {
  it('are made a week ahead, each once', async () => {
    const ahead = Array.from({ length: 8 }, (_, n) => nameOf(ago(-n)));
    await purge(contextAt(NOW));
    await purge(contextAt(NOW));
    expect(await days()).toEqual(['api_request', ...ahead]);
  });

  it('that the job has not made are made by what writes: no row is lost, and no other partition takes it', async () => {
    await write(ago(3), ago(3), NOW, ago(-20));
    expect(await days()).toEqual(['api_request', nameOf(ago(3)), nameOf(NOW), nameOf(ago(-20))]);
    expect(await rowsIn(nameOf(ago(3)))).toBe(2);
    expect(await rowsIn('api_request')).toBe(0);
  });

  it('are made once by processes that need one at the same time', async () => {
    await Promise.all([write(NOW), write(NOW), write(NOW), purge(contextAt(NOW))]);
    expect(await rowsIn(nameOf(NOW))).toBe(3);
  });

  it('begin where the partition from before them ends, which takes what is older', async () => {
    const today = new Date();
    await write(today, new Date(today.getTime() - 500 * DAY_MS));
    await makeLogDays(pool, [today]);
    expect(await days()).toEqual(['api_request']);
    expect(await rowsIn('api_request')).toBe(2);
  });

  it('have the indexes of the log, and its columns', async () => {
    await write(NOW);
    const { rows } = await pool.query<{ indexes: number }>(
      `select count(*)::int as indexes from pg_index where indrelid = any($1::regclass[]) group by indrelid`,
      [['request_log', nameOf(NOW)]],
    );
    expect(rows).toEqual([{ indexes: 9 }, { indexes: 9 }]);
  });

  it('are made while somebody reads the log', async () => {
    await write(NOW);
    const reader = await pool.connect();
    await reader.query('begin; select from request_log');
    await write(ago(1));
    await reader.query('commit');
    reader.release();
    expect(await rowsIn(nameOf(ago(1)))).toBe(1);
  });
});

describe('the purge of the request log', () => {
  it('drops the days that ended 30 days ago, however many rows they have, and deletes no row', async () => {
    const times = [29, 30, 31, 32, 33].map(ago);
    await write(...times);
    await pool.query(
      `create function no_delete() returns trigger language plpgsql as $$ begin raise exception 'a row was deleted'; end $$`,
    );
    await pool.query('create trigger no_delete before delete on request_log for each row execute function no_delete()');
    await purge(contextAt(NOW));
    const left = (await days()).filter((name) => name < nameOf(NOW));
    expect(left).toEqual([nameOf(ago(30)), nameOf(ago(29))]);
    expect(await rowsIn('request_log')).toBe(2);
  });

  it('keeps as many days as REQUEST_LOG_DAYS says', async () => {
    await write(...[0, 1, 2, 3, 4].map(ago));
    await purge(contextAt(NOW, { REQUEST_LOG_DAYS: '2' }));
    expect(await rowsIn('request_log')).toBe(3);
  });

  it('deletes old rows from before there were days, and drops their partition when all of it is old', async () => {
    const today = new Date();
    const back = (count: number) => new Date(today.getTime() - count * DAY_MS);
    await write(today, back(29), back(31.5), back(40));
    await purge(contextAt(today));
    expect(await rowsIn('api_request')).toBe(2);
    await write(ago(35));
    await purge(contextAt(NOW));
    expect(await days()).not.toContain('api_request');
    await purge(contextAt(NOW));
  });

  it('gives up on a day that somebody reads for long, so that writers get on, and takes it the next time', async () => {
    await write(ago(40), ago(35), NOW);
    const reader = await pool.connect();
    await reader.query('begin; select from request_log');
    // from the start: it may fail before the writer gets on
    const givenUp = expect(purge(contextAt(NOW))).rejects.toThrow('lock timeout');
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    const from = performance.now();
    await write(NOW);
    expect(performance.now() - from).toBeLessThan(4_000);
    await givenUp;
    expect(await days()).toContain(nameOf(ago(40)));
    await reader.query('commit');
    reader.release();
    await purge(contextAt(NOW));
    expect(await days()).not.toContain(nameOf(ago(40)));
  });
});
