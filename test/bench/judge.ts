import type { CitusFigures } from './citus.ts';
import { MIX, type MixFigures } from './mix.ts';
import { PATH_NAMES, PATHS, type PathName } from './paths.ts';
import type { Stretch } from './rounds.ts';
import type { Side } from './server.ts';

/** Everything that the bench measures. */
export interface Figures {
  /** Medians of each side. */
  paths?: Partial<Record<PathName, PathFigures>>;
  /** Peak megabytes of the server's processes. */
  memory?: Record<keyof typeof MEMORY_GOALS, number>;
  growth?: GrowthFigures[];
  mixed?: { seconds: number; quarters: Quarter[] };
  capacity?: MixFigures;
  citus?: CitusFigures;
}

export type PathFigures = Partial<Record<Side['name'], Stretch>>;

export interface GrowthFigures {
  tickets: number;
  grants: number;
  /** Milliseconds. */
  p99: Partial<Record<PathName, number>>;
}

export interface Quarter {
  /** Peak megabytes. */
  memory: number;
  requests: number;
  errors: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** What a path must reach, as shares of CPU time: of the floor's, of the peer's, and of the peer's with the signatures. */
const PATH_GOALS: Record<PathName, { floor?: number; peer?: number; peerWithPool?: number }> = {
  exchange: { floor: 1.6, peer: 0.45, peerWithPool: 0.5 },
  refresh: { floor: 1.6, peer: 0.5 },
  userinfo: { floor: 1.3, peer: 0.55 },
  tickets: { floor: 1.5 },
  listings: { floor: 1.6 },
  claims: {},
};
/** Megabytes of one process under load. */
const MEMORY_GOALS = { 'own database': 180, 'all embedded': 250 };
/** p99 at the largest size by that at the smallest. */
const GROWTH_GOAL = 1.5;
/** Of the last quarter of a mixed load by the first: memory, and p50. */
const FLAT_GOAL = 1.1;
/** The sum of the paths, by which the page of capacity computes, and what the mix takes: the larger by the smaller. */
const SUM_GOAL = 4 / 3;

/** A figure beside its goal, the most that it may be. */
export interface Judged {
  what: string;
  figure: number;
  goal: number;
}

export function misses({ figure, goal }: Judged): boolean {
  return !(figure <= goal);
}

/** Every figure that has a goal. */
export function judge({ paths = {}, memory, growth = [], mixed, capacity }: Figures): Judged[] {
  return [
    ...(Object.keys(paths) as PathName[]).flatMap((name) => judgePath(name, paths[name])),
    ...Object.entries(memory ?? {}).map(([what, figure]) => {
      return { what: `memory, ${what}`, figure, goal: MEMORY_GOALS[what as keyof typeof MEMORY_GOALS] };
    }),
    ...judgeGrowth(growth),
    ...judgeMixed(mixed?.quarters ?? []),
    ...judgeSum(capacity),
  ];
}

function judgeSum(measured: MixFigures | undefined): Judged[] {
  if (measured === undefined) return [];
  const { paths, mix } = measured;
  return (['main', 'pool', 'database'] as const).map((part) => {
    const sum = PATH_NAMES.reduce((all, name) => all + (paths[name].cpu[part] * MIX[name]) / 1_000, 0);
    const figure = Math.max(sum / mix.cpu[part], mix.cpu[part] / sum);
    return { what: `mix on two processes, ${part}, and the sum of its paths`, figure, goal: SUM_GOAL };
  });
}

/** Shares of CPU time: with libuv's pool, which signs, or without it. */
function judgePath(name: PathName, measured: PathFigures = {}): Judged[] {
  const { title, withoutPool } = PATHS[name];
  const { floor, peer, peerWithPool } = PATH_GOALS[name];
  const share = (side: 'floor' | 'peer', without: boolean) => {
    const cpuOf = ({ cpu }: Stretch) => cpu.main + cpu.database + (without ? 0 : cpu.pool);
    const { ours, [side]: other } = measured;
    return ours && other ? cpuOf(ours) / cpuOf(other) : Number.NaN;
  };
  const judged = [
    { what: `${title}, of the floor`, figure: share('floor', withoutPool), goal: floor },
    { what: `${title}, of the peer`, figure: share('peer', withoutPool), goal: peer },
    { what: `${title} with signatures, of the peer`, figure: share('peer', false), goal: peerWithPool },
  ];
  return judged.flatMap(({ goal, ...rest }) => (goal === undefined ? [] : [{ ...rest, goal }]));
}

function judgeGrowth(growth: readonly GrowthFigures[]): Judged[] {
  const [smallest, largest] = [growth[0], growth.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return [];
  const [least, most] = [smallest, largest].map(({ tickets }) => tickets.toLocaleString('en'));
  return (Object.keys(smallest.p99) as PathName[]).map((name) => ({
    what: `${PATHS[name].title}, p99 at ${most} tickets by that at ${least}`,
    figure: (largest.p99[name] ?? Number.NaN) / (smallest.p99[name] ?? Number.NaN),
    goal: GROWTH_GOAL,
  }));
}

function judgeMixed(quarters: readonly Quarter[]): Judged[] {
  const [first, last] = [quarters[0], quarters.at(-1)];
  if (first === undefined || last === undefined) return [];
  const errors = quarters.reduce((sum, quarter) => sum + quarter.errors, 0);
  const flat = (['memory', 'p50'] as const).map((name) => {
    return { what: `mixed load, ${name} of the last quarter by the first`, figure: last[name] / first[name] };
  });
  return [
    ...flat.map((each) => ({ ...each, goal: FLAT_GOAL })),
    { what: 'mixed load, errors', figure: errors, goal: 0 },
  ];
}
