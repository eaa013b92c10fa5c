import type { Postgres } from '../support/postgres.ts';
import { type Driven, drive, median, withSpares } from './drive.ts';
import type { Load } from './load.ts';
import { CONNECTIONS, PATHS, type PathName } from './paths.ts';
import { type CpuTime, cpuTime } from './process-figures.ts';
import type { Side } from './server.ts';

/** CPU milliseconds per request. */
interface Cpu extends CpuTime {
  database: number;
}

/** What a node of a database takes for a request. */
interface NodeFigures {
  /** Milliseconds. */
  cpu: number;
  /** Bytes of its write-ahead log. */
  wal: number;
}

export interface Stretch extends Driven {
  cpu: Cpu;
  /** Of a database that has several, in the order of its side. */
  nodes?: NodeFigures[];
}

/** Sends one stretch of requests to a side, and reads its CPU time before and after. */
async function measureStretch(side: Side, load: Load, requests: number, connections: number): Promise<Stretch> {
  const [before, nodes] = [await readTimes(side), await readNodes(side)];
  const driven = await drive(side.origin, load, requests, connections);
  const [after, nodesAfter] = [await readTimes(side), await readNodes(side)];
  const per = (each: keyof Cpu) => (after[each] - before[each]) / driven.requests;
  const took = nodes?.map(({ cpu, wal }, at) => ({
    cpu: ((nodesAfter?.[at]?.cpu ?? 0) - cpu) / driven.requests,
    wal: ((nodesAfter?.[at]?.wal ?? 0) - wal) / driven.requests,
  }));
  const cpu = { main: per('main'), pool: per('pool'), database: per('database') };
  return { ...driven, cpu, ...(took && { nodes: took }) };
}

async function readNodes({ nodes }: Side): Promise<NodeFigures[] | undefined> {
  const read = async (node: Postgres) => {
    const [row] = await node.run<{ wal: number }>(`select (pg_current_wal_lsn() - '0/0')::float8 as wal`);
    return { cpu: (await cpuTime(await node.postmaster())).main, wal: row?.wal ?? 0 };
  };
  return nodes && Promise.all(nodes.map(read));
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

/** How a load is sent. */
interface Rounds {
  /** The medians of so many count. */
  rounds: number;
  /** Rounds before the first, which do not count. */
  warmUp: number;
  /** Of a round. */
  requests: number;
  connections: number;
}

/** Measures a path on the sides that have it, in turns. @returns the medians of each side's rounds, in the order of `sides` */
export function measureInTurns(
  sides: readonly Side[],
  name: PathName,
  rounds: number,
  warmUp = Math.min(MOST_WARM_UP_ROUNDS, Math.ceil(WARM_UP_REQUESTS / PATHS[name].requests)),
): Promise<Map<Side, Stretch>> {
  const { requests } = PATHS[name];
  const each = { rounds, warmUp, requests, connections: CONNECTIONS };
  return measureRounds(sides, each, (side, count) => side.prepare(name, count));
}

/**
 * Measures a load on several sides, in turns.
 * @param prepare makes a round's requests ready; undefined where the side does not have them
 * @returns the medians of each side's rounds, in the order of `sides`
 */
export async function measureRounds<Each extends Side>(
  sides: readonly Each[],
  { rounds, warmUp, requests, connections }: Rounds,
  prepare: (side: Each, count: number) => Promise<Load | undefined>,
): Promise<Map<Each, Stretch>> {
  const stretches = new Map<Each, Stretch[]>();
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const side of sides) {
      const load = await prepare(side, withSpares(requests, connections));
      if (load === undefined) continue;
      const stretch = await measureStretch(side, load, requests, connections);
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
  const [main, pool, database] = (['main', 'pool', 'database'] as const).map((name) => of(({ cpu }) => cpu[name]));
  const nodes = stretches[0]?.nodes?.map((_, at) => ({
    cpu: of((each) => each.nodes?.[at]?.cpu ?? Number.NaN),
    wal: of((each) => each.nodes?.[at]?.wal ?? Number.NaN),
  }));
  return { requests, perSecond, p50, p99, cpu: { main, pool, database } as Cpu, ...(nodes && { nodes }) };
}
