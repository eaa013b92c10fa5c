import { createContext, type Runtime } from '../runtime.ts';
import { provisionOnchain } from './provision-onchain.ts';

/** Runs in progress: one at a time, then one more where it was asked for meanwhile. */
const running = new Map<Runtime['orm'], 'last run' | 'once more'>();

/** Starts provisioning in the background, after something was created. Where it fails, the job that runs every minute retries. */
export function provisionSoon(runtime: Runtime): void {
  if (runtime.chains.sandbox === undefined) return;
  const { orm, log } = runtime;
  if (running.has(orm)) {
    running.set(orm, 'once more');
    return;
  }
  running.set(orm, 'last run');
  provisionOnchain(createContext(runtime, null))
    .catch((err: unknown) => log.warn({ err }, 'provisioning waits for the next job'))
    .finally(() => {
      const again = running.get(orm) === 'once more';
      running.delete(orm);
      if (again) provisionSoon(runtime);
    });
}
