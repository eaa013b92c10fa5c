import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import type { Stand } from '../stand/stand.ts';

/** SIGTERM while something is wrong: the process ends in time, by itself, and the others go on. */
const LIMIT_SECONDS = 6;
/** For what ends after the deadline is named. */
const ALLOWANCE_MS = 1_500;

type Broken = Pick<Fault, 'hits' | 'ready' | 'wholeWithinMs'> & Partial<Pick<Fault, 'inject' | 'heal'>>;

export const STOP_FAULTS: readonly Fault[] = [
  stopped('SIGTERM under load', { hits: 'nothing', ready: 'either' }),
  stopped('SIGTERM while PostgreSQL hangs', {
    hits: 'everything',
    ready: 'either',
    inject: ({ postgres }) => postgres.freeze(),
    heal: ({ postgres }) => postgres.thaw(),
  }),
  stopped('SIGTERM while PostgreSQL is gone', {
    hits: 'everything',
    ready: 'either',
    inject: async ({ wire }) => wire.cut(),
    heal: async ({ wire }) => wire.mend(),
  }),
  stopped('SIGTERM while the Solana node hangs', {
    hits: ['listing', 'claim'],
    ready: 'either',
    inject: async ({ rpc }) => rpc.setRule(() => 'hang'),
    heal: async ({ rpc }) => rpc.reset(),
  }),
  {
    ...stopped('a second SIGTERM while PostgreSQL hangs', { hits: 'everything', ready: 'either' }),
    async inject(stand) {
      await stand.postgres.freeze();
      await sleep(2_000);
      const [first] = stand.services;
      first?.signal('SIGTERM');
      // two within a second are one
      await sleep(1_200);
      first?.signal('SIGTERM');
      await expectEnd(stand, 1_000);
    },
    async heal(stand) {
      await stand.postgres.thaw();
      await stand.services[0]?.start();
    },
  },
];

function stopped(name: string, broken: Broken): Fault {
  return {
    name,
    ...broken,
    stops: true,
    // what has not ended at the deadline is cut off, so where nothing can end a call may go unanswered
    unanswered: broken.hits !== 'nothing',
    stand: { processes: 2, env: { SHUTDOWN_TIMEOUT: String(LIMIT_SECONDS) } },
    holdMs: 0,
    async inject(stand, traffic) {
      await broken.inject?.(stand, traffic);
      await sleep(2_000);
      stand.services[0]?.signal('SIGTERM');
      await expectEnd(stand, LIMIT_SECONDS * 1_000 + ALLOWANCE_MS);
    },
    async heal(stand, traffic) {
      await broken.heal?.(stand, traffic);
      await stand.services[0]?.start();
    },
  };
}

async function expectEnd({ services, notes, problems }: Stand, withinMs: number): Promise<void> {
  const [first] = services;
  if (!first) throw new Error('the stand has no process');
  const end = await Promise.race([first.ended(), sleep(3 * withinMs, undefined)]);
  if (end === undefined) {
    problems.push(`the process has not ended after ${(3 * withinMs) / 1_000} s`);
    first.signal('SIGKILL');
    await first.ended();
    return;
  }
  notes.push(`ended after ${(end.ms / 1_000).toFixed(1)} s with code ${end.code}`);
  if (end.ms > withinMs) problems.push(`ended only after ${(end.ms / 1_000).toFixed(1)} s`);
}
