import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { purge } from '../../../../src/entities/retention.ts';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { type ActivityEntry, createActivityLog } from '../../../../src/record/activity/activity-log.ts';
import { JUDGED_OPERATIONS } from '../../../../src/record/activity/operations.ts';
import { createDatabase } from '../../../support/database.ts';

const database = await createDatabase();
const pool = new pg.Pool({ connectionString: database.url });
beforeEach(async () => {
  for (const table of ['request_log', 'traffic', 'latency']) await pool.query(`delete from ${table}`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const AT = new Date('2026-11-21T18:07:31.250Z');
const context = { pool, now: () => AT, config: readConfig({}) };
const silent = pino({ level: 'silent' });

function entry(traits: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    id: randomUUID(),
    at: AT,
    operation: 'tickets.list',
    method: 'GET',
    status: 200,
    outcome: 'ok',
    path: null,
    message: null,
    durationMs: 7,
    client: null,
    grant: null,
    fan: null,
    session: null,
    ...traits,
  };
}

/** A pool whose statements fail as long as `fault` is set, and which counts them. */
function unsteadyPool() {
  const state = {
    fault: undefined as Error | undefined,
    statements: 0,
    pool: {
      query(...given: Parameters<pg.Pool['query']>) {
        state.statements++;
        return state.fault ? Promise.reject(state.fault) : pool.query(...given);
      },
    } as unknown as pg.Pool,
  };
  return state;
}

/** The log of a process over such a pool, with some entries. */
function filled(count: number, fault?: Error) {
  const unsteady = Object.assign(unsteadyPool(), { fault });
  const log = createActivityLog({ pool: unsteady.pool, log: silent });
  for (let each = 0; each < count; each++) log.record(entry());
  return { unsteady, log };
}

async function counts() {
  const { rows } = await pool.query(
    'select span_minutes, bucket, count, total_ms::int from traffic order by span_minutes, bucket, operation, outcome',
  );
  return rows;
}

async function kept(): Promise<number> {
  const { rows } = await pool.query<{ kept: number }>('select count(*)::int as kept from request_log');
  return rows[0]?.kept ?? 0;
}

describe('the request log of a process', () => {
  it('writes nothing on the path of a request, and all of it in one statement a second later', async () => {
    const { unsteady } = filled(499);
    expect(unsteady.statements).toBe(0);
    await expect.poll(kept, { timeout: 5_000 }).toBe(499);
    expect(unsteady.statements).toBe(1);
  });

  it('500 entries do not wait for the second', async () => {
    const { unsteady, log } = filled(500);
    expect(unsteady.statements).toBe(1);
    await log.close();
    expect(await kept()).toBe(500);
  });

  it('counts by five minutes, by hour and by day of UTC, and adds to what is there: two processes share their counts', async () => {
    const [one, other] = [0, 1].map(() => createActivityLog({ pool, log: silent }));
    for (const log of [one, other]) {
      log?.record(entry());
      log?.record(entry({ at: new Date('2026-11-21T18:09:59.999Z') }));
      log?.record(entry({ at: new Date('2026-11-21T18:10:00.000Z'), durationMs: 1 }));
    }
    await Promise.all([one?.flush(), other?.flush()]);
    expect(await counts()).toEqual([
      { span_minutes: 5, bucket: new Date('2026-11-21T18:05:00Z'), count: 4, total_ms: 28 },
      { span_minutes: 5, bucket: new Date('2026-11-21T18:10:00Z'), count: 2, total_ms: 2 },
      { span_minutes: 60, bucket: new Date('2026-11-21T18:00:00Z'), count: 6, total_ms: 30 },
      { span_minutes: 1440, bucket: new Date('2026-11-21T00:00:00Z'), count: 6, total_ms: 30 },
    ]);
  });

  it('an entry that was written although its answer got lost is counted once', async () => {
    const log = createActivityLog({ pool, log: silent });
    const same = entry();
    log.record(same);
    await log.flush();
    log.record(same);
    log.record(entry());
    await log.flush();
    expect(await kept()).toBe(2);
    expect((await counts()).map(({ count }) => count)).toEqual([2, 2, 2]);
  });

  it('keeps entries while the database is away, and writes them when it is back', async () => {
    const { unsteady, log } = filled(1_200, Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
    await expect(log.flush()).rejects.toThrow('connect');
    expect(await kept()).toBe(0);
    unsteady.fault = undefined;
    await expect.poll(kept, { timeout: 5_000 }).toBe(1_200);
  });

  it('while the database is away it is tried once a second, however many requests come', async () => {
    const { unsteady, log } = filled(500, new Error('away'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = unsteady.statements;
    for (let count = 0; count < 5_000; count++) log.record(entry());
    expect(unsteady.statements).toBe(before);
    unsteady.fault = undefined;
    await log.close();
  });

  it('keeps at most 50,000 entries in memory, and reports how many it dropped', async () => {
    const told: { dropped?: number }[] = [];
    let away = true;
    let written = 0;
    const log = createActivityLog({
      pool: {
        async query({ values: [batch] }: { values: string[] }) {
          if (away) throw new Error('away');
          written += (JSON.parse(batch ?? '[]') as unknown[]).length;
          return { rows: [] };
        },
      } as unknown as pg.Pool,
      log: Object.assign(pino({ level: 'silent' }), { warn: (facts: { dropped?: number }) => told.push(facts) }),
    });
    for (let count = 0; count < 50_007; count++) log.record(entry());
    await log.flush().catch(() => undefined);
    away = false;
    await log.flush();
    expect(written).toBe(50_000);
    expect(told.filter(({ dropped }) => dropped !== undefined)).toEqual([{ dropped: 7 }]);
  });

  it('of a batch, only the entries that the database refuses are left out', async () => {
    const faults: object[] = [];
    const log = createActivityLog({
      pool,
      log: Object.assign(pino({ level: 'silent' }), { error: (fault: object) => faults.push(fault) }),
    });
    for (let count = 0; count < 20; count++) log.record(entry(count % 9 === 4 ? { fan: 'no uuid' } : {}));
    await log.flush();
    expect(await kept()).toBe(18);
    expect(faults).toHaveLength(2);
    expect((await counts()).map(({ count }) => count)).toEqual([18, 18, 18]);
    log.record(entry());
    await log.flush();
    expect(await kept(), 'the next batch is not held up').toBe(19);
  });

  it('writes what is left when it is closed', async () => {
    const log = createActivityLog({ pool, log: silent });
    log.record(entry({ outcome: 'x'.repeat(100) }));
    await log.close();
    expect((await pool.query('select outcome from request_log')).rows).toEqual([{ outcome: 'x'.repeat(60) }]);
  });
});

describe('the purge', () => {
  it('deletes requests of more than 31 days, counts of minutes and hours of more than 2 and daily ones of more than 31', async () => {
    const log = createActivityLog({ pool, log: silent });
    const ago = (days: number) => new Date(AT.getTime() - days * 86_400_000);
    for (const days of [0, 1.9, 2.1, 29.9, 31.1, 32.1]) log.record(entry({ at: ago(days) }));
    await log.flush();
    await purge(context);
    expect(await kept()).toBe(4);
    const left = await counts();
    const counted = (minutes: number) =>
      left.filter(({ span_minutes }) => span_minutes === minutes).reduce((sum, { count }) => sum + count, 0);
    expect([counted(5), counted(60), counted(1440)]).toEqual([2, 2, 4]);
  });

  it('comes to its end over many batches', async () => {
    await pool.query(
      `insert into request_log (id, at, operation, method, status, outcome, duration_ms)
       select gen_random_uuid(), $1::timestamptz - interval '32 days', 'other', 'GET', 200, 'ok', 1 from generate_series(1, 20100)`,
      [AT],
    );
    await purge(context);
    expect(await kept()).toBe(0);
  });
});

describe('D-361: a log that keeps some of its successes', () => {
  const START = new Date('2026-11-21T18:05:00.000Z');
  const PERIOD_MS = 300_000;

  /** What a log writes of entries, which end in the order given; the last ones when it is closed. */
  async function sampled(successes: number, entries: Partial<ActivityEntry>[]) {
    const log = createActivityLog({ pool, log: silent, successes });
    for (const traits of entries) log.record(entry(traits));
    await log.close();
    const { rows } = await pool.query<{ operation: string; outcome: string; rows: number; weight: number }>(
      `select operation, outcome, count(*)::int as rows, sum(weight)::int as weight from request_log
       group by operation, outcome order by operation, outcome`,
    );
    return rows;
  }

  const many = (count: number, traits: Partial<ActivityEntry> = {}) =>
    Array.from({ length: count }, (_, n) => ({ at: new Date(START.getTime() + n), ...traits }));

  it('one in a hundred stands for all: the weights and the counts of every period add up exactly', async () => {
    const second = new Date(START.getTime() + PERIOD_MS);
    const [row] = await sampled(0.01, [...many(20_000), ...many(5_000, { at: second, durationMs: 9 })]);
    expect(row).toMatchObject({ operation: 'tickets.list', weight: 25_000 });
    // 250 are expected, give or take 16
    expect(row?.rows).toBeGreaterThan(150);
    expect(row?.rows).toBeLessThan(350);
    expect((await counts()).map(({ span_minutes, count }) => [span_minutes, count])).toEqual([
      [5, 20_000],
      [5, 5_000],
      [60, 25_000],
      [1440, 25_000],
    ]);
    const { rows } = await pool.query<{ sum: number }>(
      'select (select sum(n) from unnest(counts) n)::int as sum from latency where span_minutes = 1440',
    );
    expect(rows).toEqual([{ sum: 25_000 }]);
  });

  it('every failure is kept', async () => {
    const refused = many(300, { status: 400, outcome: 'version_unknown', message: 'No.' });
    const failed = many(200, { status: 500, outcome: 'internal' });
    expect(await sampled(0.00001, [...refused, ...failed])).toEqual([
      { operation: 'tickets.list', outcome: 'internal', rows: 200, weight: 200 },
      { operation: 'tickets.list', outcome: 'version_unknown', rows: 300, weight: 300 },
    ]);
  });

  it('D-226: what judges a lost answer is always written', async () => {
    const judged = JUDGED_OPERATIONS.flatMap((operation) => many(200, { operation }));
    const rows = await sampled(0.00001, judged);
    expect(rows.map(({ operation, rows, weight }) => [operation, rows, weight])).toEqual(
      JUDGED_OPERATIONS.toSorted().map((operation) => [operation, 200, 200]),
    );
  });

  it('the first of each kind in five minutes is there at once, whoever else calls', async () => {
    const log = createActivityLog({ pool, log: silent, successes: 0.00001 });
    const other = randomUUID();
    for (const entryOf of [{}, { operation: 'listings.sign' }, { status: 302 }, { client: other }] as const) {
      for (const traits of many(50, entryOf)) log.record(entry(traits));
    }
    await log.flush();
    expect(await kept()).toBe(4);
    await log.close();
    const { rows } = await pool.query<{ weight: number }>('select sum(weight)::int as weight from request_log');
    expect(rows).toEqual([{ weight: 200 }]);
  });
});
