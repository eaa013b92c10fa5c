import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDashboard } from '../../../src/record/activity/read-dashboard.ts';
import { listRequests } from '../../../src/record/activity/request-list.ts';
import { type Citus, MOVE_COUNTS, NO_CITUS, startWithLogMoved } from '../../support/citus.ts';
import { callFan, refresh, signIn } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

const WITH_LOG = 'to the worker of the log';
const WAYS: Record<string, (table: string) => string> = {
  [WITH_LOG]: (table) => `create_distributed_table('${table}', null, colocate_with => 'request_log')`,
  'by its key': (table) => `create_distributed_table('${table}', '${table === 'ticket_feed' ? 'ticket_id' : 'id'}')`,
  'as a reference table': (table) => `create_reference_table('${table}')`,
};
const [MAY_MOVE, TRIGGERS, UNIQUE] = ['moves', 'because it has triggers', 'cannot create constraint'];
const FOREIGN_KEY = 'must be a distributed table or a reference table';
const CASCADE = 'can only be defined with NO ACTION or RESTRICT';
/** What Citus says to each of the ways. The table of docs/runbook/scaling.md says what follows. */
const TABLES: Record<string, string[]> = {
  audit_entry: [TRIGGERS, TRIGGERS, TRIGGERS],
  notification: [FOREIGN_KEY, FOREIGN_KEY, CASCADE],
  notification_attempt: [FOREIGN_KEY, FOREIGN_KEY, CASCADE],
  traffic: [MAY_MOVE, UNIQUE, MAY_MOVE],
  latency: [MAY_MOVE, UNIQUE, MAY_MOVE],
  ticket_feed: [FOREIGN_KEY, FOREIGN_KEY, CASCADE],
};
const CASES = Object.entries(TABLES).flatMap(([table, told]) =>
  Object.keys(WAYS).map((way, at) => ({ table, way, told: told[at] ?? '' })),
);

describe.skipIf(NO_CITUS !== undefined)(`other tables than the log (skipped: ${NO_CITUS ?? 'no'})`, () => {
  let citus: Citus;
  let app: TestApp;
  const run = (sql: string) => citus.coordinator.run(sql);
  beforeAll(async () => {
    citus = await startWithLogMoved();
    app = await startApp({ databaseUrl: citus.coordinator.url });
  });
  afterAll(async () => {
    await app?.stop();
    await citus?.close();
  });

  it.each(CASES)('$table $way: $told', async ({ table, way, told }) => {
    const said = await run(`begin; select ${WAYS[way]?.(table)}; rollback`).then(
      () => MAY_MOVE,
      ({ message }: Error) => message,
    );
    expect(said).toContain(told);
  });

  it('the audit log can go with the log, still append-only; then no sign-in ends while the worker is away', async () => {
    await run(`set citus.enable_unsafe_triggers = on; select ${WAYS[WITH_LOG]?.('audit_entry')}`);
    const { refresh_token: token } = await signIn(app);
    await expect(run('delete from audit_entry')).rejects.toThrow('append-only');
    const { worker } = await citus.placeOfLog();
    await worker.kill();
    await expect(signIn(app)).rejects.toThrow();
    await worker.start();
    expect((await refresh(app, token)).status).toBe(200);
    await run(`select undistribute_table('audit_entry')`);
  });

  it('the counts can go with the log, and the charts count on', async () => {
    const charts = async () => {
      await signIn(app);
      await app.runtime.activity.flush();
      const { tokens, latency } = await readDashboard(app.context(), { period: 'day' });
      expect(latency.map(({ operation }) => operation)).toContain('token.exchange');
      return tokens.find(({ name }) => name === 'exchanged')?.total ?? 0;
    };
    const before = await charts();
    await run(MOVE_COUNTS);
    expect(await charts()).toBe(before + 1);
    expect(await charts()).toBe(before + 2);
    for (const table of ['traffic', 'latency']) await run(`select undistribute_table('${table}')`);
    expect(await charts()).toBe(before + 3);
  });

  it('the log by its id, over all workers: sign-ins and calls work, lists of requests are refused', async () => {
    await run(`select undistribute_table('request_log')`);
    await run(`select create_distributed_table('request_log', 'id')`);
    const { access_token: token } = await signIn(app);
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
    await app.runtime.activity.flush();
    const page = { direction: 'newest', limit: 25 } as const;
    await expect(listRequests(app.context(), {}, page)).rejects.toThrow('subquery in LIMIT is not supported');
    await expect(listRequests(app.context(), { outcome: 'failed' }, page)).rejects.toThrow('recursive CTEs');
  });
});
