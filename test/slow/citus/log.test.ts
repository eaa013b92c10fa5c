import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purge } from '../../../src/entities/retention.ts';
import { type Citus, NO_CITUS, startWithLogMoved } from '../../support/citus.ts';
import { callFan, refresh, signIn } from '../../support/partner.ts';
import { refusedBy } from '../../support/refused.ts';
import type { TestApp } from '../../support/start-app.ts';
import { startBeside } from '../../support/start-beside.ts';
import { openStatementWire } from '../../support/statement-wire.ts';

const DAY_S = 86_400;
const CALLERS = 3;

describe.skipIf(NO_CITUS !== undefined)(`the request log on a worker of Citus (skipped: ${NO_CITUS ?? 'no'})`, () => {
  let citus: Citus;
  let wire: Awaited<ReturnType<typeof openStatementWire>>;
  /** Two processes; the first has a wire to the database that a test cuts. */
  let cutOff: TestApp;
  let app: TestApp;
  /** A third one, whose clock is ahead. */
  let ahead: TestApp;
  beforeAll(async () => {
    citus = await startWithLogMoved();
    wire = await openStatementWire(citus.coordinator.url);
    cutOff = await startBeside(wire.url);
    app = await startBeside(citus.coordinator.url);
    ahead = await startBeside(citus.coordinator.url);
  });
  afterAll(async () => {
    await ahead?.stop();
    await app?.stop();
    await cutOff?.stop();
    await wire?.close();
    await citus?.close();
  });

  /** Tables of the log's partitions on its worker, such as `request_log_20261206_102010`. Citus hides them from the catalog. */
  async function tablesOnWorker(): Promise<string[]> {
    const named = await citus.coordinator.run<{ name: string }>(`select shard_name as name from citus_shards`);
    return whichStand(named.map(({ name }) => name).filter((name) => !/^request_log_\d{6}$/.test(name)));
  }

  async function whichStand(names: string[]): Promise<string[]> {
    const { worker } = await citus.placeOfLog();
    const standing = `select name from unnest('{${names}}'::text[]) as named (name) where to_regclass(name) is not null`;
    return (await worker.run<{ name: string }>(standing)).map(({ name }) => name);
  }

  /** Calls a process without pause. @returns ends it, and returns the request ids of all answers */
  function keepCalling(process: TestApp): () => Promise<string[]> {
    const ids: string[] = [];
    let stopped = false;
    const call = async () => {
      while (!stopped) {
        const { access_token: token } = await signIn(process);
        const { status, headers } = await callFan(process, '/tickets', token);
        expect(status).toBe(200);
        ids.push(headers.get('x-request-id') ?? '');
      }
    };
    const called = Promise.allSettled(Array.from({ length: CALLERS }, call));
    return async () => {
      stopped = true;
      expect((await called).map(({ status }) => status)).toEqual(Array(CALLERS).fill('fulfilled'));
      await process.runtime.activity.flush();
      return ids;
    };
  }

  /** Expects the rows of these requests. @returns the partitions that have them */
  async function partitionsOf(ids: string[]): Promise<string[]> {
    const { rows } = await app.runtime.pool.query<{ name: string; count: number }>(
      `select case when at < date_trunc('day', now(), 'UTC') + interval '7 days' then 'first' else 'later' end as name,
         count(*)::int as count from request_log where id = any($1::uuid[]) group by name`,
      [ids],
    );
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
    return rows.map(({ name }) => name);
  }

  it('a day that no job has made is made while calls run, and the oldest is dropped; no call fails, no row is missing', async () => {
    const stopPresent = keepCalling(app);
    await sleep(1_500);
    ahead.advance(9 * DAY_S);
    const day = `request_log_${ahead.runtime.now().toISOString().slice(0, 10).replaceAll('-', '')}`;
    const stopAhead = keepCalling(ahead);
    await expect.poll(tablesOnWorker, { timeout: 20_000 }).toContainEqual(expect.stringContaining(day));
    const before = await tablesOnWorker();
    expect(before).toHaveLength(2);
    expect(await partitionsOf(await stopAhead())).toEqual(['later']);
    expect(await partitionsOf(await stopPresent())).toEqual(['first']);

    ahead.advance(60 * DAY_S);
    const stop = keepCalling(ahead);
    await sleep(1_500);
    await purge(ahead.context());
    expect(await partitionsOf(await stop())).toEqual(['later']);
    expect(await whichStand(before)).toEqual([expect.stringContaining(day)]);
    expect(await tablesOnWorker()).toHaveLength(9);
  });

  it('D-226: a refresh whose answer was lost is repeated, and one whose answer the log has is not', async () => {
    const lost = await signIn(app);
    const { lookForWorkMs } = cutOff.runtime.config;
    cutOff.runtime.config.lookForWorkMs = 200;
    wire.cutAt(1, 'answer', true);
    expect((await refresh(cutOff, lost.refresh_token)).status).toBe(503);
    await wire.mend();
    cutOff.runtime.config.lookForWorkMs = lookForWorkMs;
    expect((await refresh(app, lost.refresh_token)).status).toBe(200);

    const heard = await signIn(app);
    expect((await refresh(app, heard.refresh_token)).status).toBe(200);
    expect(await refresh(cutOff, heard.refresh_token)).toMatchObject(refusedBy('invalid_grant'));
  });
});
