import { beforeAll, describe, expect, it } from 'vitest';
import { dropLogDay, makeLogDays } from '../../src/entities/request-log-days.ts';
import { purge } from '../../src/entities/retention.ts';
import type { SignedInStaff } from '../../src/partners/rights.ts';
import { sealAudit } from '../../src/record/audit/seal-audit.ts';
import { consoleLists } from '../support/console-lists.ts';
import { type Cost, measureWork } from '../support/measure-work.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { fillWithHistory } from '../support/work-of-service.ts';

/** D-228 with a million rows of every table that grows: times, where `test/adapters/process/flat-work.test.ts` counts rows. */
const ROWS = Number(process.env.FLAT_ROWS ?? 1_000_000);
/** Rows and index entries: of a page or a run of a job, and of a total, which counts to 10,000 over up to three tables. */
const BOUND = 3_000;
const TOTAL_BOUND = 60_000;
const SLOWEST_MS = 1_000;
const TO_SEAL = 0.3 * ROWS;
const EXPIRED_TABLES = ['authorization_code', 'authorization_session', 'refresh_token_family', 'portal_session'];

const app = await testChainApp({ env: { DATABASE_POOL: '3' } });
let staff: SignedInStaff;
beforeAll(async () => {
  staff = await newStaff(app);
  await fillWithHistory(app, ROWS);
}, 3_600_000);

/** The better one of two: what the work costs once its data is in memory. */
async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const costs = [await measureWork(app, work), await measureWork(app, work)];
  return costs.sort((one, other) => one.ms - other.ms)[0] as Cost;
}

describe('D-228: with a million rows of history', () => {
  it('every list of the console is read and counted in a moment', async () => {
    const costly: string[] = [];
    for (const { name, page, total } of consoleLists()) {
      const isSearch = /(search|text): /.test(name);
      for (const [document, bound] of [
        [page, BOUND],
        [total, TOTAL_BOUND],
      ] as const) {
        const cost = await costOf(() => runAs(app, staff, document));
        // a part of a text may be anywhere
        const tooMany = !isSearch && cost.rows > bound;
        if (tooMany || cost.ms > SLOWEST_MS) costly.push(`${name}: ${JSON.stringify(cost)}`);
      }
    }
    expect(costly).toEqual([]);
  });

  it('hundreds of thousands of entries of the audit log are sealed as fast at the end as at the beginning', async () => {
    await app.runtime.pool.query(
      `insert into audit_entry (at, actor, action, subject, details)
       select now(), 'system', 'test.done', 'subject', '{}' from generate_series(1, ${TO_SEAL})`,
    );
    const spans: number[] = [];
    let sealed = 0;
    const began = performance.now();
    while (sealed < TO_SEAL) {
      const from = performance.now();
      const some = await sealAudit(app.context(), AbortSignal.timeout(2_000));
      sealed += some;
      spans.push((some * 1_000) / (performance.now() - from));
    }
    const rates = spans.map(Math.round);
    process.stdout.write(
      `sealed ${Math.round((sealed * 1_000) / (performance.now() - began))} entries a second: ${rates}\n`,
    );
    expect(Math.min(...spans.slice(-3, -1)), String(rates)).toBeGreaterThan(Math.max(...spans.slice(0, 3)) / 3);
  });

  it('D-361: a day of the request log is dropped at once, however many rows it has', async () => {
    const { pool } = app.runtime;
    const day = new Date(Date.now() + 40 * 86_400_000);
    const next = new Date(day.getTime() + 86_400_000);
    await makeLogDays(pool, [day, next]);
    const client = await pool.connect();
    await client.query('set statement_timeout = 0');
    await client.query(
      `insert into request_log (id, at, operation, method, status, outcome, duration_ms, grant_id)
       select gen_random_uuid(), date_trunc('day', $1::timestamptz, 'UTC') + n * interval '1 day' / ${ROWS}, 'tickets.list',
         'GET', 200, 'ok', 5, gen_random_uuid() from generate_series(0, ${ROWS - 1}) n`,
      [day],
    );
    client.release(true);
    const began = performance.now();
    // with what was before
    while (await dropLogDay(pool, next));
    const ms = performance.now() - began;
    process.stdout.write(`dropped ${ROWS} requests in ${Math.round(ms)} ms\n`);
    expect((await pool.query('select from request_log limit 1')).rowCount).toBe(0);
    expect(ms).toBeLessThan(SLOWEST_MS);
  });

  it('what expired is deleted in runs that end in time, each as fast as the first', async () => {
    const count = async () => {
      const counts = EXPIRED_TABLES.map((table) => app.runtime.pool.query(`select count(*)::int as n from ${table}`));
      return (await Promise.all(counts)).reduce((sum, { rows: [row] }) => sum + Number(row?.n), 0);
    };
    app.advance(40 * 86_400);
    const runs: { seconds: number; deleted: number }[] = [];
    for (let left = await count(); left > 0 && runs.length < 20; ) {
      const began = performance.now();
      await purge(app.context(), AbortSignal.timeout(60_000));
      const seconds = (performance.now() - began) / 1_000;
      const now = await count();
      runs.push({ seconds: Math.round(seconds), deleted: left - now });
      expect(seconds).toBeLessThan(120);
      expect(now).toBeLessThan(left);
      left = now;
    }
    app.resetClock();
    process.stdout.write(`purged in runs of ${JSON.stringify(runs)}\n`);
    expect(await count()).toBe(0);
  });
});
