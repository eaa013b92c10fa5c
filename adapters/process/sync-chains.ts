import { setTimeout as sleep } from 'node:timers/promises';
import { bookPayments } from '../../src/chain/book-payments.ts';
import { watchChain } from '../../src/chain/watch-chain.ts';
import { carryOutMoves } from '../../src/inventory/custody-move/carry-out-moves.ts';
import { endSales } from '../../src/inventory/end-sales.ts';
import { issueRun } from '../../src/inventory/issuing/issue-run.ts';
import { closeTurn, issueTurn } from '../../src/inventory/issuing/issue-turn.ts';
import { type Watched, watchIssuing } from '../../src/inventory/issuing/watch-issuing.ts';
import { settleEvents } from '../../src/inventory/settle-events.ts';
import { settleProposals } from '../../src/people/proposal/settle-proposals.ts';
import { MODES } from '../../src/platform/mode.ts';
import { createContext, type Runtime, type ServiceContext } from '../../src/runtime.ts';
import { settleDueClaims } from '../../src/tickets/claim/settle-due-claims.ts';
import { reconcile } from '../../src/tickets/ticket/reconcile.ts';
import { isDependencyDown } from '../http/dependency.ts';

/** How long a change made outside this service may go unseen. */
const RECONCILE_PAUSE_MS = 2_000;
/** Between searches for permits that were made elsewhere, and between checks of pending transactions. */
const ISSUE_PAUSE_MS = 1_000;
const ISSUE_BUSY_MS = 200;
/** Between checks of the cluster, the payer's balance and the permits that wait. */
const WATCH_PAUSE_MS = 15_000;
/** Claims that a crash left are settled while their transactions can still land; the queue's minute may be too long. */
const SETTLE_PAUSE_MS = 5_000;
/** Between searches for sales to end and permits to move: a ticket is off sale soon after the access that sold it has ended. */
const MOVE_PAUSE_MS = 1_000;
/** Between checks for permits of cancelled events. */
const INVENTORY_PAUSE_MS = 5_000;

/**
 * Reconciles each mode's tickets with its chain, issues the permits that wait, closes those of past events, settles the claims that a
 * crash left, and does what the inventory waits for, until stopped. Every process does this: it is safe in parallel. Each mode has loops
 * of its own, so that a slow cluster does not hold up the other mode.
 */
export function syncChains(runtime: Runtime): { stop(): Promise<void> } {
  const stopped = new AbortController();
  /** @param work may return milliseconds until its next turn */
  const repeat = async (task: string, pauseMs: number, work: (context: ServiceContext) => Promise<unknown>) => {
    while (!stopped.signal.aborted) {
      const pause = await work(createContext(runtime, null)).catch((err: unknown) => {
        runtime.log[isDependencyDown(err) ? 'warn' : 'error']({ err, what: task }, 'syncing with the chain failed');
      });
      await sleep(typeof pause === 'number' ? pause : pauseMs, undefined, { signal: stopped.signal }).catch(
        () => undefined,
      );
    }
  };
  const setbacks = new Map(MODES.map((mode) => [mode, new Map()] as const));
  const loops = Promise.all([
    ...MODES.map((mode) =>
      repeat(`reconciling ${mode}`, RECONCILE_PAUSE_MS, async (context) => {
        // a cluster that was down at the start joins later
        if (context.chains[mode] !== undefined) await reconcile(context, mode);
      }),
    ),
    ...MODES.map((mode) =>
      repeat(`issuing and closing ${mode}`, ISSUE_PAUSE_MS, async (context) => {
        if (context.chains[mode] === undefined) return undefined;
        const run = { ...issueRun(context, mode), setbacks: setbacks.get(mode) ?? new Map() };
        const { moved, busy } = await issueTurn(run);
        const changed = moved || (await closeTurn(run));
        return changed ? 0 : busy ? ISSUE_BUSY_MS : undefined;
      }),
    ),
    ...MODES.map((mode) => {
      const watched: Watched = { level: 'enough' };
      return repeat(`watching the chain of ${mode}`, WATCH_PAUSE_MS, async (context) => {
        await watchChain(context.chains, mode);
        if (context.chains[mode] === undefined) return;
        await watchIssuing(context, mode, watched);
        await bookPayments(context, mode);
      });
    }),
    repeat('settling claims', SETTLE_PAUSE_MS, settleDueClaims),
    repeat('taking off sale and moving permits', MOVE_PAUSE_MS, async (context) => {
      await endSales(context);
      await carryOutMoves(context);
    }),
    repeat('settling proposals', SETTLE_PAUSE_MS, settleProposals),
    repeat('settling events', INVENTORY_PAUSE_MS, settleEvents),
  ]);
  return {
    async stop() {
      stopped.abort();
      await loops;
    },
  };
}
