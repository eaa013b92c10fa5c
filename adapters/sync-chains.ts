import { setTimeout as sleep } from 'node:timers/promises';
import { settleDueClaims } from '../src/claim/settle-due-claims.ts';
import { MODES } from '../src/entities/mode.ts';
import { runPermitTasks } from '../src/inventory/run-permit-tasks.ts';
import { settleEvents } from '../src/inventory/settle-events.ts';
import { createContext, type Runtime, type ServiceContext } from '../src/runtime.ts';
import { reconcile } from '../src/ticket/reconcile.ts';
import { isDependencyDown } from './http/dependency.ts';

/** How long a change made outside this service may go unseen. */
const RECONCILE_PAUSE_MS = 2_000;
/** Claims that a crash left are settled while their transactions can still land; the queue's minute may be too long. */
const SETTLE_PAUSE_MS = 5_000;
/** What the company's rows ask of the chain, and of the permits of cancelled events. */
const INVENTORY_PAUSE_MS = 5_000;

/**
 * Reconciles each mode's tickets with its chain, settles the claims that a crash left, and does what the inventory waits for, until
 * stopped. Every process does: all are idempotent. Each mode has a loop of its own, so that a slow cluster does not hold up the
 * other mode.
 */
export function syncChains(runtime: Runtime): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const repeat = async (task: string, pauseMs: number, work: (context: ServiceContext) => Promise<void>) => {
    while (!stopped.signal.aborted) {
      await work(createContext(runtime, null)).catch((err: unknown) => {
        runtime.log[isDependencyDown(err) ? 'warn' : 'error']({ err, what: task }, 'syncing with the chain failed');
      });
      await sleep(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const loops = Promise.all([
    ...MODES.map((mode) =>
      repeat(`reconciling ${mode}`, RECONCILE_PAUSE_MS, async (context) => {
        // a cluster that was down at the start joins later
        if (context.chains[mode] !== undefined) await reconcile(context, mode);
      }),
    ),
    repeat('settling claims', SETTLE_PAUSE_MS, settleDueClaims),
    repeat('settling events', INVENTORY_PAUSE_MS, settleEvents),
    repeat('doing permit tasks', INVENTORY_PAUSE_MS, runPermitTasks),
  ]);
  return {
    async stop() {
      stopped.abort();
      await loops;
    },
  };
}
