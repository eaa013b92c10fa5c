import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '../src/chain/reconcile.ts';
import { createContext, type Runtime } from '../src/context.ts';
import { MODES } from '../src/entities/mode.ts';
import { isDependencyDown } from './http/dependency.ts';

/** How long a change made outside this service may go unseen. */
const PAUSE_MS = 2_000;

/**
 * Follows each mode's chain for as long as the process lives. Every process does: taking the same state in twice changes
 * nothing, and none depends on another.
 */
export function followChains(runtime: Runtime): { stop(): Promise<void> } {
  const ended = new AbortController();
  const following = follow(runtime, ended.signal);
  return {
    async stop() {
      ended.abort();
      await following;
    },
  };
}

async function follow(runtime: Runtime, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    for (const mode of MODES) {
      if (runtime.chains[mode] === undefined) continue;
      await reconcile(createContext(runtime, null), mode).catch((err: unknown) => {
        const level = isDependencyDown(err) ? 'warn' : 'error';
        runtime.log[level]({ err, mode }, 'the chain could not be followed');
      });
    }
    await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}
