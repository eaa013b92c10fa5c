import { type PathName, pathOf } from './paths/all.ts';
import type { Stretch } from './rounds.ts';
import type { Side } from './side.ts';

/** Everything that the bench measures. */
export interface Figures {
  paths?: Partial<Record<PathName, PathFigures>>;
  /** Peak megabytes of the server's processes. */
  memory?: Record<'own database' | 'all embedded', number>;
  growth?: GrowthFigures[];
  mixed?: MixedFigures;
}

/** Medians of each side: ours, the floor, the peer. */
export type PathFigures = Partial<Record<Side['name'], Stretch>>;

export interface GrowthFigures {
  tickets: number;
  grants: number;
  /** Milliseconds. */
  p99: Partial<Record<PathName, number>>;
}

export interface MixedFigures {
  seconds: number;
  quarters: Quarter[];
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
interface PathGoals {
  floor?: number;
  peer?: number;
  peerWithPool?: number;
}

const PATH_GOALS: Record<PathName, PathGoals> = {
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

/** The CPU time that is compared: with libuv's pool, which signs, or without it. */
function comparedCpu({ cpu }: Pick<Stretch, 'cpu'>, withoutPool: boolean): number {
  return cpu.main + cpu.database + (withoutPool ? 0 : cpu.pool);
}

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
export function judge(figures: Figures): Judged[] {
  return [
    ...Object.keys(figures.paths ?? {}).flatMap((name) => judgePath(figures, name as PathName)),
    ...judgeMemory(figures),
    ...judgeGrowth(figures.growth ?? []),
    ...judgeMixed(figures),
  ];
}

/** Shares of CPU time: of the floor's and of the peer's. */
function judgePath({ paths }: Pick<Figures, 'paths'>, name: PathName): Judged[] {
  const measured = paths?.[name];
  if (measured === undefined) return [];
  const { title, withoutPool } = pathOf(name);
  const goals: PathGoals = PATH_GOALS[name];
  const share = (of: 'floor' | 'peer', without: boolean) => {
    const other = measured[of];
    if (measured.ours === undefined || other === undefined) return Number.NaN;
    return comparedCpu(measured.ours, without) / comparedCpu(other, without);
  };
  const judged: Judged[] = [];
  for (const side of ['floor', 'peer'] as const) {
    const goal = goals[side];
    if (goal !== undefined) judged.push({ what: `${title}, of the ${side}`, figure: share(side, withoutPool), goal });
  }
  if (goals.peerWithPool !== undefined) {
    judged.push({
      what: `${title} with signatures, of the peer`,
      figure: share('peer', false),
      goal: goals.peerWithPool,
    });
  }
  return judged;
}

function judgeMemory({ memory }: Figures): Judged[] {
  const judged: Judged[] = [];
  for (const what of ['own database', 'all embedded'] as const) {
    if (memory) judged.push({ what: `memory, ${what}`, figure: memory[what], goal: MEMORY_GOALS[what] });
  }
  return judged;
}

function judgeGrowth(growth: readonly GrowthFigures[]): Judged[] {
  const [smallest, largest] = [growth[0], growth.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return [];
  return Object.keys(smallest.p99).map((name) => {
    const path = name as PathName;
    const figure = (largest.p99[path] ?? Number.NaN) / (smallest.p99[path] ?? Number.NaN);
    const what = `${pathOf(path).title}, p99 at ${largest.tickets.toLocaleString('en')} tickets by that at ${smallest.tickets.toLocaleString('en')}`;
    return { what, figure, goal: GROWTH_GOAL };
  });
}

function judgeMixed({ mixed }: Figures): Judged[] {
  const [first, last] = [mixed?.quarters[0], mixed?.quarters.at(-1)];
  if (mixed === undefined || first === undefined || last === undefined) return [];
  const errors = mixed.quarters.reduce((sum, quarter) => sum + quarter.errors, 0);
  return [
    {
      what: 'mixed load, memory of the last quarter by the first',
      figure: last.memory / first.memory,
      goal: FLAT_GOAL,
    },
    {
      what: 'mixed load, p50 of the last quarter by the first',
      figure: last.p50 / first.p50,
      goal: FLAT_GOAL,
    },
    { what: 'mixed load, errors', figure: errors, goal: 0 },
  ];
}
