import { percentile } from './drive.ts';
import type { Figures, Quarter } from './judge.ts';
import { PATH_NAMES, type PathName } from './paths.ts';
import { watchMemory } from './process-figures.ts';
import { openServer } from './server.ts';
import { type Seen, sendSteadily } from './steady.ts';

/** Requests are made ready for so long: a code and a blockhash live a minute. */
const TURN_SECONDS = 20;
/** Requests per second of each path, at a steady pace. */
const RATES: Record<PathName, number> = {
  exchange: 5,
  refresh: 10,
  userinfo: 20,
  tickets: 20,
  listings: 2,
  claims: 1,
};

/** All paths at a steady pace for some time. @param done called after each quarter */
export async function measureMixed(
  seconds: number,
  done: (quarter: Quarter) => void,
): Promise<Required<Figures>['mixed']> {
  const server = await openServer();
  const memory = watchMemory(server.pid);
  const quarters: Quarter[] = [];
  let seen: Seen = { latencies: [], errors: 0 };
  try {
    const turns = Math.max(4, Math.round(seconds / TURN_SECONDS));
    for (let turn = 0; turn < turns; turn += 1) {
      const into = seen;
      await Promise.all(PATH_NAMES.map((name) => sendTurn(name, into)));
      if (Math.floor(((turn + 1) * 4) / turns) === quarters.length) continue;
      const quarter = {
        memory: memory.peak(),
        requests: seen.latencies.length,
        errors: seen.errors,
        p50: percentile(seen.latencies, 50),
        p99: percentile(seen.latencies, 99),
      };
      quarters.push(quarter);
      done(quarter);
      seen = { latencies: [], errors: 0 };
    }
    return { seconds: turns * TURN_SECONDS, quarters };
  } finally {
    memory.stop();
    await server.stop();
  }

  async function sendTurn(name: PathName, into: Seen): Promise<void> {
    const count = RATES[name] * TURN_SECONDS;
    await sendSteadily(server.origin, await server.prepare(name, count), count, RATES[name], into);
  }
}
