import { JOBS } from '../../adapters/process/job-list.ts';
import { issueRun } from '../../src/inventory/issuing/issue-run.ts';
import { issueTurn } from '../../src/inventory/issuing/issue-turn.ts';
import { watchIssuing } from '../../src/inventory/issuing/watch-issuing.ts';
import { settleEvents } from '../../src/inventory/settle-events.ts';
import { reconcile } from '../../src/tickets/ticket/reconcile.ts';
import type { ChainApp } from './chain-app.ts';
import { fillTables } from './fill-tables.ts';

/** Everything that the service does by itself, over and over: the jobs, and the loops of `adapters/process/sync-chains.ts`. */
export const OWN_WORK: readonly { name: string; run: (app: ChainApp) => Promise<unknown> }[] = [
  ...JOBS.map(({ name, run }) => ({
    name,
    run: (app: ChainApp) => run(app.context(), new AbortController().signal),
  })),
  { name: 'reconciling', run: (app) => reconcile(app.context(), 'sandbox') },
  { name: 'issuing', run: (app) => issueTurn(issueRun(app.context(), 'sandbox')) },
  { name: 'watching the payer', run: (app) => watchIssuing(app.context(), 'sandbox', { level: 'enough' }) },
  { name: 'settling events', run: (app) => settleEvents(app.context()) },
];

/** Fills an app with a history of `n` rows per table, once all its own work is done. */
export async function fillWithHistory(app: ChainApp, n: number): Promise<void> {
  // the first run reads every permit
  await reconcile(app.context(), 'sandbox');
  await fillTables(app.runtime.pool, n);
  for (const { run } of OWN_WORK) await run(app);
  // indexes keep entries of what was just done until then
  await app.runtime.pool.query('vacuum analyze');
  // the first who reads past an entry that vacuum had to keep marks it, so that the next need not look at it
  for (const { run } of OWN_WORK) await run(app);
}
