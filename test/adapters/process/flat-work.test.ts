import { describe, expect, it } from 'vitest';
import { sealAudit } from '../../../src/record/audit/seal-audit.ts';
import { consoleLists, PARENT_TYPES, SAMPLE_CLIENT, timelines, typesWithLists } from '../../support/console-lists.ts';
import { measureWork } from '../../support/measure-work.ts';
import { newStaff, runAs } from '../../support/staff-call.ts';
import { testChainApp } from '../../support/test-chain-app.ts';
import { fillWithHistory, OWN_WORK } from '../../support/work-of-service.ts';

/** D-228, with a history that is short but longer than the bound. `test/slow/flat-work.test.ts` has a million. */
const ROWS = 20_000;
/** Rows and index entries. */
const BOUND = 4_000;
/** Lists that are measured together, for measuring takes longer than reading a page. */
const TOGETHER = 8;
const app = await testChainApp({ env: { DATABASE_POOL: '3' } });
const staff = await newStaff(app);
await fillWithHistory(app, ROWS);
/** The planner looks at the ends of a table; a month of the history has hundreds. */
const A_FEW_BLOCKS = 50;
/** Blocks of signatures and claims that were read so far, without those of their indexes. */
async function blocksRead(): Promise<number> {
  // each connection keeps its own counts for a while
  await measureWork(app, async () => {});
  const { rows } = await app.runtime.pool.query<{ blocks: string }>(
    `select sum(heap_blks_read + heap_blks_hit) as blocks from pg_statio_user_tables where relname in ('claim', 'listing_signature')`,
  );
  return Number(rows[0]?.blocks);
}

describe('D-228: what is done costs nothing', () => {
  it.each(OWN_WORK)('$name reads a few rows', async ({ run }) => {
    const cost = await measureWork(app, () => run(app));
    expect(cost.rows, JSON.stringify(cost)).toBeLessThan(BOUND);
  });

  it('a page of every list of the console, with any filter and in any order, reads a few rows', async () => {
    const costly: string[] = [];
    // a part of a text may be anywhere
    const lists = consoleLists().filter(({ name }) => !/(search|text): /.test(name));
    for (let at = 0; at < lists.length; at += TOGETHER) {
      const some = lists.slice(at, at + TOGETHER);
      const all = await measureWork(app, async () => {
        for (const { page } of some) await runAs(app, staff, page);
      });
      if (all.rows <= BOUND) continue;
      for (const { name, page } of some) {
        const cost = await measureWork(app, () => runAs(app, staff, page));
        if (cost.rows > BOUND) costly.push(`${name}: ${JSON.stringify(cost.read)}`);
      }
    }
    expect(lists.length).toBeGreaterThan(100);
    expect(costly).toEqual([]);
  });

  it('a timeline of whatever has one reads a few rows, with any filter', async () => {
    const costly: string[] = [];
    for (const { name, query } of timelines()) {
      const cost = await measureWork(app, () => runAs(app, staff, query));
      if (cost.rows > BOUND) costly.push(`${name}: ${JSON.stringify(cost.read)}`);
    }
    expect(costly).toEqual([]);
  });

  it.each(['', `, clientId: "${SAMPLE_CLIENT}"`])(
    'D-228: the dashboard%s counts in indexes and reads no table',
    async (args) => {
      const before = await blocksRead();
      await runAs(app, staff, `{ dashboard(period: MONTH${args}) { signatures { total } claims { total } } }`);
      expect((await blocksRead()) - before).toBeLessThan(A_FEW_BLOCKS);
    },
  );

  it('clients and jobs that fail are found in a few rows', async () => {
    const cost = await measureWork(app, () => runAs(app, staff, '{ failingClients { client { id } } failingJobs }'));
    expect(cost.rows, JSON.stringify(cost)).toBeLessThan(BOUND);
  });

  it('the test reads every list of the schema', () => {
    expect(PARENT_TYPES.toSorted()).toEqual(typesWithLists().toSorted());
  });

  it('sealing reads each entry that waits a few times, however many wait', async () => {
    const waiting = 6_000;
    await app.runtime.pool.query(
      `insert into audit_entry (at, actor, action, subject, details)
       select now(), 'system', 'test.done', 'subject', '{}' from generate_series(1, ${waiting})`,
    );
    let sealed = 0;
    const cost = await measureWork(app, async () => {
      sealed = await sealAudit(app.context());
    });
    expect(sealed).toBe(waiting);
    expect(cost.rows, JSON.stringify(cost)).toBeLessThan(5 * waiting);
  });
});
