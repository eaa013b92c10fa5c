import { percentile } from './drive.ts';
import type { MixFigures } from './judge.ts';
import { PATH_NAMES, type PathName } from './paths.ts';
import { type Cpu, cpuSince, medianCpu, readTimes } from './rounds.ts';
import { openServer, type Server } from './server.ts';
import { type Seen, sendSteadily } from './steady.ts';

/** The mix of the page of capacity: how many of a thousand requests a path has. */
export const MIX: Record<PathName, number> = {
  exchange: 50,
  refresh: 100,
  userinfo: 350,
  tickets: 450,
  listings: 45,
  claims: 5,
};

/** So short that the requests of a turn are sent before their codes and blockhashes run out. */
const TURN_SECONDS = 12;
const TURNS = 4;
/** Turns before the first that counts. */
const WARM_UP = 2;

/** Sends the mix to two processes, a thousand requests per second. @returns what a request took, on the whole */
export async function measureMix(): Promise<MixFigures> {
  const server = await openServer({ env: { WORKERS: '2' } });
  try {
    const turns: Cpu[] = [];
    const seen: Seen = { latencies: [], errors: 0 };
    for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
      const cpu = await sendTurn(server, turn < 0 ? { latencies: [], errors: 0 } : seen);
      if (turn >= 0) turns.push(cpu);
    }
    const { latencies, errors } = seen;
    return {
      requests: latencies.length,
      errors,
      p50: percentile(latencies, 50),
      p99: percentile(latencies, 99),
      cpu: medianCpu(turns),
    };
  } finally {
    await server.stop();
  }
}

/** @returns CPU per request while they were sent; what prepared them does not count */
async function sendTurn(server: Server, into: Seen): Promise<Cpu> {
  const loads = await Promise.all(
    PATH_NAMES.map(async (name) => {
      const count = MIX[name] * TURN_SECONDS;
      return { count, rate: MIX[name], load: await server.prepare(name, count) };
    }),
  );
  const before = await readTimes(server);
  await Promise.all(loads.map(({ count, rate, load }) => sendSteadily(server.origin, load, count, rate, into)));
  return cpuSince(
    before,
    server,
    loads.reduce((sum, { count }) => sum + count, 0),
  );
}
