import { setTimeout as sleep } from 'node:timers/promises';
import { settleLeftClaims } from '../src/claim/settle-left-claims.ts';
import { MODES } from '../src/entities/mode.ts';
import { createContext, type Runtime, type ServiceContext } from '../src/runtime.ts';
import { reconcile } from '../src/ticket/reconcile.ts';
import { isDependencyDown } from './http/dependency.ts';

/** How long a change made outside this service may go unseen. */
const RECONCILE_PAUSE_MS = 2_000;
/** What a crash left must be taken up while its transaction can still land; the queue's minute may be too long for that. */
const SETTLE_PAUSE_MS = 5_000;

/**
 * Follows each mode's chain for as long as the process lives, and takes up the claims that a crash left. Every process does:
 * taking the same state in twice changes nothing, and none depends on another.
 */
export function followChains(runtime: Runtime): { stop(): Promise<void> } {
  const ended = new AbortController();
  const following = Promise.all([
    repeat(runtime, ended.signal, RECONCILE_PAUSE_MS, reconcileAll),
    repeat(runtime, ended.signal, SETTLE_PAUSE_MS, settleLeftClaims),
  ]);
  return {
    async stop() {
      ended.abort();
      await following;
    },
  };
}

async function repeat(
  runtime: Runtime,
  ended: AbortSignal,
  pauseMs: number,
  work: (context: ServiceContext) => Promise<void>,
): Promise<void> {
  while (!ended.aborted) {
    await work(createContext(runtime, null)).catch((err: unknown) => {
      const level = isDependencyDown(err) ? 'warn' : 'error';
      runtime.log[level]({ err }, 'the chain could not be followed');
    });
    await sleep(pauseMs, undefined, { signal: ended }).catch(() => undefined);
  }
}

async function reconcileAll(context: ServiceContext): Promise<void> {
  const modes = MODES.filter((mode) => context.chains[mode] !== undefined);
  const runs = await Promise.allSettled(modes.map((mode) => reconcile(context, mode)));
  // the cluster of one mode being away holds nobody up in the other
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
}
