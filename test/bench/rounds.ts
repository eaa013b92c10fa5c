import { type Driven, drive, median, withSpares } from './drive.ts';
import type { Load } from './load.ts';
import { CONNECTIONS, PATHS, type PathName } from './paths.ts';
import { type CpuTime, cpuTime } from './process-figures.ts';
import type { Side } from './server.ts';

/** CPU milliseconds per request. */
interface Cpu extends CpuTime {
  database: number;
}

export interface Stretch extends Driven {
  cpu: Cpu;
}

/** Sends one stretch of requests to a side, and reads its CPU time before and after. */
export async function measureStretch(
  side: Side,
  load: Load,
  requests: number,
  connections = CONNECTIONS,
): Promise<Stretch> {
  const before = await readTimes(side);
  const driven = await drive(side.origin, load, requests, connections);
  const after = await readTimes(side);
  const per = (each: keyof Cpu) => (after[each] - before[each]) / driven.requests;
  return { ...driven, cpu: { main: per('main'), pool: per('pool'), database: per('database') } };
}

async function readTimes(side: Side): Promise<Cpu> {
  const [own, database] = await Promise.all([cpuTime(side.pid), cpuTime(side.database)]);
  return { ...own, database: database.main + database.pool };
}

/**
 * Requests after which V8 has compiled what a path runs: on all sides, an exchange takes twice the CPU time in the first thousand, and
 * the more code a side has, the longer it takes.
 */
const WARM_UP_REQUESTS = 10_000;
/** Rounds of a path whose requests are dear to prepare. */
const MOST_WARM_UP_ROUNDS = 10;

/**
 * Measures a path on the sides that have it, in turns.
 * @param warmUp rounds before the first, which do not count
 * @returns the medians of each side's rounds, in the order of `sides`
 */
export async function measureInTurns(
  sides: readonly Side[],
  name: PathName,
  rounds: number,
  warmUp = Math.min(MOST_WARM_UP_ROUNDS, Math.ceil(WARM_UP_REQUESTS / PATHS[name].requests)),
): Promise<Map<Side, Stretch>> {
  const stretches = new Map<Side, Stretch[]>();
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const side of sides) {
      const { requests } = PATHS[name];
      const load = await side.prepare(name, withSpares(requests, CONNECTIONS));
      if (load === undefined) continue;
      const stretch = await measureStretch(side, load, requests);
      if (round >= 0) stretches.set(side, [...(stretches.get(side) ?? []), stretch]);
    }
  }
  return new Map([...stretches].map(([side, each]) => [side, medianOf(each)]));
}

/** The median of each figure by itself. */
export function medianOf(stretches: readonly Stretch[]): Stretch {
  const of = (figure: (stretch: Stretch) => number) => median(stretches.map(figure));
  const [requests, perSecond] = [of((each) => each.requests), of((each) => each.perSecond)];
  const [p50, p99] = [of((each) => each.p50), of((each) => each.p99)];
  const [main, pool, database] = (['main', 'pool', 'database'] as const).map((name) => of(({ cpu }) => cpu[name]));
  return { requests, perSecond, p50, p99, cpu: { main, pool, database } as Cpu };
}
