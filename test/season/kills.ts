import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';
import type { Restartable } from './restartable.ts';

/** Ends processes without a word, one after the other, until it is stopped. */
export interface Killer {
  kills: number;
  /** Ends it; what was killed runs again. */
  stop(): Promise<void>;
}

const LIFE_MS = { least: 3_000, more: 12_000 };
const LONGEST_DEATH_MS = 1_500;

export function startKilling(processes: readonly Restartable[], random: Random): Killer {
  const stopped = new AbortController();
  const { signal } = stopped;
  const lived = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined);
  const killer: Killer = {
    kills: 0,
    async stop() {
      stopped.abort();
      await killing;
    },
  };
  const killing = (async () => {
    for (;;) {
      await lived(LIFE_MS.least + random.below(LIFE_MS.more));
      if (signal.aborted) return;
      const victim = random.pick(processes);
      await victim.kill();
      killer.kills += 1;
      await lived(random.below(LONGEST_DEATH_MS));
      await victim.start();
    }
  })();
  return killer;
}
