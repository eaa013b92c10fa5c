import type { Season } from './season.ts';

/** The table of a season, then what partners were refused, and every violation. */
export function printSeason(season: Season): string {
  const rows: [string, number | string][] = [
    ['tickets', season.tickets],
    ['sales', season.sales],
    ['scans', season.scans],
    ['entered', season.entered],
    ['decided before a sale was read', season.tooLate],
    ['kills', season.kills],
    ['changes read', season.changesRead],
    ['worst delay from a sale to the gate', `${(season.worstDelayMs / 1_000).toFixed(1)} s`],
    ['violations', season.violations.length],
    ['took', `${season.seconds} s`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${String(value).padStart(8)}`),
    ...[...season.refusals].map(([text, times]) => `${times} × refused: ${text}`),
    ...season.violations.map((violation) => `VIOLATION ${violation}`),
    '',
  ].join('\n');
}
