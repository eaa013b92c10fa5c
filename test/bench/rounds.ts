import { type Driven, drive, median, withSpares } from './drive.ts';
import type { Load } from './load.ts';
import { CONNECTIONS, PATHS, type PathName } from './paths.ts';
import { type CpuTime, cpuTime } from './process-figures.ts';
import type { Side } from './server.ts';

/** CPU milliseconds. */
export interface Cpu extends CpuTime {
  database: number;
}

export interface Stretch extends Driven {
  /** Per request. */
  cpu: Cpu;
}

/** Sends one stretch of requests to a side, and reads its CPU time before and after. */
async function measureStretch(side: Side, name: PathName, load: Load): Promise<Stretch> {
  const before = await readTimes(side);
  const driven = await drive(side.origin, load, PATHS[name].requests, CONNECTIONS);
  return { ...driven, cpu: await cpuSince(before, side, driven.requests) };
}

/** CPU milliseconds per request. @param before what `readTimes` said before the requests */
export async function cpuSince(before: Cpu, side: Side, requests: number): Promise<Cpu> {
  const after = await readTimes(side);
  const per = (each: keyof Cpu) => (after[each] - before[each]) / requests;
  return { main: per('main'), pool: per('pool'), database: per('database') };
}

/** CPU milliseconds of a side since its processes began. */
export async function readTimes(side: Side): Promise<Cpu> {
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
      const load = await side.prepare(name, withSpares(PATHS[name].requests, CONNECTIONS));
      if (load === undefined) continue;
      const stretch = await measureStretch(side, name, load);
      if (round >= 0) stretches.set(side, [...(stretches.get(side) ?? []), stretch]);
    }
  }
  return new Map([...stretches].map(([side, each]) => [side, medianOf(each)]));
}

/** The median of each figure by itself. */
function medianOf(stretches: readonly Stretch[]): Stretch {
  const of = (figure: (stretch: Stretch) => number) => median(stretches.map(figure));
  const [requests, perSecond] = [of((each) => each.requests), of((each) => each.perSecond)];
  const [p50, p99] = [of((each) => each.p50), of((each) => each.p99)];
  return { requests, perSecond, p50, p99, cpu: medianCpu(stretches.map(({ cpu }) => cpu)) };
}

/** The median of each part by itself. */
export function medianCpu(times: readonly Cpu[]): Cpu {
  const of = (part: keyof Cpu) => median(times.map((time) => time[part]));
  return { main: of('main'), pool: of('pool'), database: of('database') };
}
