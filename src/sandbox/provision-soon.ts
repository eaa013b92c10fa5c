import { createContext, type Runtime } from '../runtime.ts';
import { provisionOnchain } from './provision-onchain.ts';

/** Processes that are at it: one run at a time, and one more where something was made meanwhile. */
const underWay = new Map<Runtime['orm'], 'last run' | 'once more'>();

/**
 * Begins to bring what was just made onto the chain, without keeping the caller waiting. Where that fails, the job that
 * runs every minute does it.
 */
export function provisionSoon(runtime: Runtime): void {
  if (runtime.chains.sandbox === undefined) return;
  const { orm, log } = runtime;
  if (underWay.has(orm)) {
    underWay.set(orm, 'once more');
    return;
  }
  underWay.set(orm, 'last run');
  provisionOnchain(createContext(runtime, null))
    .catch((err: unknown) => log.warn({ err }, 'provisioning waits for the next job'))
    .finally(() => {
      const again = underWay.get(orm) === 'once more';
      underWay.delete(orm);
      if (again) provisionSoon(runtime);
    });
}
