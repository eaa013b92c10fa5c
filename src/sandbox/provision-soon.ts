import { putOnchain } from '../inventory/issuing/issue-turn.ts';
import { createContext, type Runtime } from '../runtime.ts';

/** Runs in progress: one at a time, then one more where it was requested meanwhile. */
const running = new Map<Runtime['orm'], 'last run' | 'once more'>();

/** Puts test data onto the chain in the background, right after something was created. Where it fails, `syncChains` goes on. */
export function provisionSoon(runtime: Runtime): void {
  if (runtime.chains.sandbox === undefined) return;
  const { orm, log } = runtime;
  if (running.has(orm)) {
    running.set(orm, 'once more');
    return;
  }
  running.set(orm, 'last run');
  putOnchain(createContext(runtime, null), 'sandbox')
    .catch((err: unknown) => log.warn({ err }, 'provisioning waits for the next turn'))
    .finally(() => {
      const again = running.get(orm) === 'once more';
      running.delete(orm);
      if (again) provisionSoon(runtime);
    });
}
