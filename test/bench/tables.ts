import type { Figures, PathFigures } from './figures.ts';
import { comparedCpu } from './goals.ts';
import { type Judged, judge, misses } from './judge.ts';
import { PATH_NAMES, type PathName, pathOf } from './paths/all.ts';
import type { Stretch } from './rounds.ts';
import type { Table } from './table.ts';

const SIDES = ['ours', 'floor', 'peer', 'other'] as const;

const HEAD = ['path', 'side', 'main', 'pool', 'database', 'compared', 'by ours', 'req/s', 'p50 ms', 'p99 ms'];

/** CPU milliseconds per request and how fast, a row for each side of each path. */
export function pathsTable(figures: Figures): Table {
  const rows = PATH_NAMES.flatMap((name) => {
    const path = figures.paths?.[name];
    return path === undefined ? [] : pathRows(name, path);
  });
  return [HEAD, ...rows];
}

function pathRows(name: PathName, path: PathFigures): string[][] {
  const { title, withoutPool } = pathOf(name);
  const ours = comparedCpu(path.ours, withoutPool);
  return SIDES.flatMap((side) => {
    const stretch = path[side];
    return stretch === undefined ? [] : [[title, side, ...figuresOf(stretch, comparedCpu(stretch, withoutPool), ours)]];
  });
}

function figuresOf({ cpu, perSecond, p50, p99 }: Stretch, compared: number, ours: number): string[] {
  return [
    ...[cpu.main, cpu.pool, cpu.database, compared].map((each) => each.toFixed(2)),
    (ours / compared).toFixed(2),
    perSecond.toFixed(0),
    ...[p50, p99].map((each) => each.toFixed(1)),
  ];
}

/** Every figure beside its goal. */
export function goalsTable(figures: Figures): Table {
  return [['what', 'measured', 'at most', ''], ...judge(figures).map(goalRow)];
}

function goalRow(judged: Judged): string[] {
  const { what, figure, goal, unit } = judged;
  const digits = unit === 'MB' || Number.isInteger(figure) ? 0 : unit === 's' ? 1 : 2;
  const withUnit = (text: string) => (unit === '' ? text : `${text} ${unit}`);
  return [what, withUnit(figure.toFixed(digits)), withUnit(String(goal)), misses(judged) ? 'misses' : ''];
}

/** p99 by the size of the tables. */
export function growthTable({ growth = [] }: Figures): Table {
  const names = Object.keys(growth[0]?.p99 ?? {}) as PathName[];
  return [
    ['tickets', 'grants', ...names.map((name) => `${pathOf(name).title}, p99 ms`)],
    ...growth.map(({ tickets, grants, p99 }) => [
      tickets.toLocaleString('en'),
      grants.toLocaleString('en'),
      ...names.map((name) => (p99[name] ?? Number.NaN).toFixed(1)),
    ]),
  ];
}

export function processesTable({ processes = [] }: Figures): Table {
  const names = Object.keys(processes[0]?.perSecond ?? {}) as PathName[];
  return [
    ['processes', ...names.map((name) => `${pathOf(name).title}, req/s`)],
    ...processes.map((each) => [
      String(each.processes),
      ...names.map((name) => (each.perSecond[name] ?? 0).toFixed(0)),
    ]),
  ];
}

/** `GET /tickets` by the number of a fan's tickets. */
export function manyTicketsTable({ manyTickets = [] }: Figures): Table {
  return [
    ['tickets', 'open listings', 'answer', 'first byte ms', 'whole ms', 'p50 ms', 'p99 ms', 'memory'],
    ...manyTickets.map(({ tickets, openListings, kilobytes, firstByte, whole, p50, p99, memory }) => [
      tickets.toLocaleString('en'),
      openListings.toLocaleString('en'),
      `${kilobytes.toFixed(0)} kB`,
      ...[firstByte, whole, p50, p99].map((each) => each.toFixed(1)),
      `${memory.toFixed(0)} MB`,
    ]),
  ];
}

export function mixedTable({ mixed }: Figures): Table {
  return [
    ['quarter', 'memory', 'requests', 'errors', 'p50 ms', 'p99 ms'],
    ...(mixed?.quarters ?? []).map((quarter, at) => [
      String(at + 1),
      `${quarter.memory.toFixed(0)} MB`,
      quarter.requests.toLocaleString('en'),
      String(quarter.errors),
      quarter.p50.toFixed(1),
      quarter.p99.toFixed(1),
    ]),
  ];
}

export function signInTable({ signIn = [] }: Figures): Table {
  return [['request', 'statements'], ...signIn.map(({ request, statements }) => [request, String(statements)])];
}
