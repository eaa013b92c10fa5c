import { setTimeout as sleep } from 'node:timers/promises';
import { settleDueClaims } from '../src/claim/settle-due-claims.ts';
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
 * taking the same state in twice changes nothing, and none depends on another. Each mode has a loop of its own: a cluster that
 * is slow or away does not hold up the other mode.
 */
export function followChains(runtime: Runtime): { stop(): Promise<void> } {
  const ended = new AbortController();
  const following = Promise.all([
    ...MODES.map((mode) =>
      repeat(runtime, ended.signal, { what: `reconciling ${mode}`, pauseMs: RECONCILE_PAUSE_MS }, async (context) => {
        // a cluster that was away at the start joins later
        if (context.chains[mode] !== undefined) await reconcile(context, mode);
      }),
    ),
    repeat(runtime, ended.signal, { what: 'settling claims', pauseMs: SETTLE_PAUSE_MS }, (context) =>
      settleDueClaims(context),
    ),
  ]);
  return {
    async stop() {
      ended.abort();
      await following;
    },
  };
}

interface Repetition {
  /** For the log. */
  what: string;
  pauseMs: number;
}

async function repeat(
  runtime: Runtime,
  ended: AbortSignal,
  { what, pauseMs }: Repetition,
  work: (context: ServiceContext) => Promise<void>,
): Promise<void> {
  while (!ended.aborted) {
    await work(createContext(runtime, null)).catch((err: unknown) => {
      const level = isDependencyDown(err) ? 'warn' : 'error';
      runtime.log[level]({ err, what }, 'the chain could not be followed');
    });
    await sleep(pauseMs, undefined, { signal: ended }).catch(() => undefined);
  }
}
