import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { purge } from '../../../../src/entities/retention.ts';
import { type ActivityEntry, createActivityLog } from '../../../../src/record/activity/activity-log.ts';
import { createDatabase } from '../../../support/database.ts';

const database = await createDatabase();
const pool = new pg.Pool({ connectionString: database.url });
beforeEach(async () => {
  for (const table of ['api_request', 'traffic', 'latency']) await pool.query(`delete from ${table}`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const AT = new Date('2026-11-21T18:07:31.250Z');
const silent = pino({ level: 'silent' });

function entry(traits: Partial<ActivityEntry> = {}): ActivityEntry {
  return {
    id: randomUUID(),
    at: AT,
    operation: 'tickets.list',
    method: 'GET',
    status: 200,
    outcome: 'ok',
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
  const { rows } = await pool.query<{ kept: number }>('select count(*)::int as kept from api_request');
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

  it('takes no more than 50,000 entries into memory; what was dropped is told', async () => {
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
    expect((await pool.query('select outcome from api_request')).rows).toEqual([{ outcome: 'x'.repeat(60) }]);
  });
});

describe('the purge', () => {
  it('deletes requests of more than 30 days, counts of minutes and hours of more than 2 and daily ones of more than 31', async () => {
    const log = createActivityLog({ pool, log: silent });
    const ago = (days: number) => new Date(AT.getTime() - days * 86_400_000);
    for (const days of [0, 1.9, 2.1, 29.9, 30.1, 32.1]) log.record(entry({ at: ago(days) }));
    await log.flush();
    await purge({ pool, now: () => AT });
    expect(await kept()).toBe(4);
    const left = await counts();
    const counted = (minutes: number) =>
      left.filter(({ span_minutes }) => span_minutes === minutes).reduce((sum, { count }) => sum + count, 0);
    expect([counted(5), counted(60), counted(1440)]).toEqual([2, 2, 5]);
  });

  it('comes to its end over many batches', async () => {
    await pool.query(
      `insert into api_request (id, at, operation, method, status, outcome, duration_ms)
       select gen_random_uuid(), $1::timestamptz - interval '31 days', 'other', 'GET', 200, 'ok', 1 from generate_series(1, 20100)`,
      [AT],
    );
    await purge({ pool, now: () => AT });
    expect(await kept()).toBe(0);
  });
});
