import type { Figures, GrowthFigures } from './figures.ts';
import { comparedCpu, FLAT_GOAL, GROWTH_GOAL, MEMORY_GOALS, PATH_GOALS, READY_GOAL, SIGN_IN_GOAL } from './goals.ts';
import { type PathName, pathOf } from './paths/all.ts';

/** A figure beside its goal, the most that it may be. */
export interface Judged {
  what: string;
  figure: number;
  goal: number;
  unit: '' | 'MB' | 's';
}

export function misses({ figure, goal }: Judged): boolean {
  return !(figure <= goal);
}

/** Every figure that has a goal. */
export function judge(figures: Figures): Judged[] {
  return [
    ...Object.keys(figures.paths ?? {}).flatMap((name) => judgePath(figures, name as PathName)),
    ...judgeOthers(figures),
    ...judgeGrowth(figures.growth ?? []),
    ...judgeMixed(figures),
  ];
}

/** Shares of CPU time: of the floor's and of the peer's. */
function judgePath({ paths }: Pick<Figures, 'paths'>, name: PathName): Judged[] {
  const measured = paths?.[name];
  if (measured === undefined) return [];
  const { title, withoutPool } = pathOf(name);
  const { floor, peer, peerWithPool } = PATH_GOALS[name];
  const share = (of: 'floor' | 'peer', without: boolean) => {
    const other = measured[of];
    return other === undefined ? Number.NaN : comparedCpu(measured.ours, without) / comparedCpu(other, without);
  };
  const judged: Judged[] = [
    { what: `${title}, of the floor`, figure: share('floor', withoutPool), goal: floor, unit: '' },
  ];
  if (peer !== undefined) {
    judged.push({ what: `${title}, of the peer`, figure: share('peer', withoutPool), goal: peer, unit: '' });
  }
  if (peerWithPool !== undefined) {
    judged.push({
      what: `${title} with signatures, of the peer`,
      figure: share('peer', false),
      goal: peerWithPool,
      unit: '',
    });
  }
  return judged;
}

function judgeOthers({ memory, ready, signIn }: Figures): Judged[] {
  const judged: Judged[] = [];
  for (const what of ['own database', 'all embedded'] as const) {
    if (memory) judged.push({ what: `memory, ${what}`, figure: memory[what], goal: MEMORY_GOALS[what], unit: 'MB' });
  }
  if (ready !== undefined) judged.push({ what: 'ready after npm start', figure: ready, goal: READY_GOAL, unit: 's' });
  if (signIn) {
    const figure = signIn.reduce((sum, { statements }) => sum + statements, 0);
    judged.push({ what: 'statements from authorize to the code', figure, goal: SIGN_IN_GOAL, unit: '' });
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
    return { what, figure, goal: GROWTH_GOAL, unit: '' };
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
      unit: '',
    },
    {
      what: 'mixed load, p50 of the last quarter by the first',
      figure: last.p50 / first.p50,
      goal: FLAT_GOAL,
      unit: '',
    },
    { what: 'mixed load, errors', figure: errors, goal: 0, unit: '' },
  ];
}
