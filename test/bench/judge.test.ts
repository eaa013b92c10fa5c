import { expect, it } from 'vitest';
import { median, percentile } from './drive.ts';
import { judge, misses } from './judge.ts';
import type { MixFigures } from './mix.ts';
import { PATH_NAMES } from './paths.ts';
import type { Stretch } from './rounds.ts';

function stretch(main: number, pool: number, database: number): Stretch {
  return { requests: 1, perSecond: 1, p50: 1, p99: 1, cpu: { main, pool, database } };
}

it('paths of tokens are compared without libuv’s pool, and exchanges with it too', () => {
  const exchange = { ours: stretch(1, 6, 1), floor: stretch(0.5, 1, 0.5), peer: stretch(2, 10, 2) };
  const shares = judge({ paths: { exchange } }).map(({ figure }) => figure);
  expect(shares).toEqual([2, 0.5, 8 / 14]);
});

it('paths of the chain are compared with libuv’s pool', () => {
  const listings = { ours: stretch(1, 6, 1), floor: stretch(1, 2, 1) };
  expect(judge({ paths: { listings } }).map(({ figure }) => figure)).toEqual([2]);
});

it('a figure misses where it is more than its goal, and where it was not measured', () => {
  const judged = { what: '', goal: 2 } as const;
  expect([1.99, 2, 2.01].map((figure) => misses({ ...judged, figure }))).toEqual([false, false, true]);
  const userinfo = { ours: stretch(1, 0, 1), floor: stretch(2, 0, 2) };
  expect(judge({ paths: { userinfo } }).map(misses)).toEqual([false, true]);
});

it('growth is judged by the largest size against the smallest', () => {
  const sizes = [
    { tickets: 10, grants: 10, p99: { tickets: 4 } },
    { tickets: 100, grants: 100, p99: { tickets: 9 } },
    { tickets: 1_000, grants: 100, p99: { tickets: 6 } },
  ];
  expect(judge({ growth: sizes }).map(({ figure }) => figure)).toEqual([1.5]);
  expect(judge({ growth: sizes.slice(0, 1) })).toEqual([]);
});

it('a mixed load misses by one error', () => {
  const quarter = { memory: 100, requests: 10, errors: 0, p50: 2, p99: 3 };
  const quarters = [quarter, quarter, { ...quarter, errors: 1 }, quarter];
  expect(judge({ mixed: { seconds: 80, quarters } }).map(misses)).toEqual([false, false, true]);
});

it('a mix is judged by the sum of its paths, the larger by the smaller', () => {
  const paths = Object.fromEntries(PATH_NAMES.map((name) => [name, stretch(2, 1, 4)])) as MixFigures['paths'];
  const judged = judge({ capacity: { paths, mix: stretch(1, 1, 5) } });
  expect(judged.map(({ figure }) => figure)).toEqual([2, 1, 1.25]);
  expect(judged.map(misses)).toEqual([true, false, false]);
});

it('the median of an even number of values is the mean of the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

it('a percentile is a value, of few values the largest', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([percentile(hundred, 50), percentile(hundred, 99), percentile([7, 8], 99)]).toEqual([51, 100, 8]);
});
