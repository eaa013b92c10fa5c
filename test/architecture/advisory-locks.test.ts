import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
/** A lock of PostgreSQL is its number: two names for one number wait for each other, or refuse each other. */
const LOCK = /\bconst (\w+_LOCK) = ([^;]+);/g;
const USE = /\bpg_(?:try_)?advisory_\w+/;

const files = new Map<string, string>();
for await (const path of glob(['{src,adapters,schema}/**/*.ts', 'packages/*/{src,build}/**/*.ts'], { cwd: ROOT })) {
  files.set(path.replaceAll('\\', '/'), readFileSync(new URL(path, ROOT), 'utf8'));
}

const locks = [...files].flatMap(([path, text]) =>
  [...text.matchAll(LOCK)].map(([, name = '', number = '']) => ({ path, name, number })),
);

it('every advisory lock has a number of its own, in one range', () => {
  expect(locks.length).toBeGreaterThan(6);
  const numbers = locks.map(({ number }) => number);
  expect(locks.filter(({ number }) => numbers.indexOf(number) !== numbers.lastIndexOf(number))).toEqual([]);
  expect(locks.filter(({ number }) => !/^7_302_\d{3}$/.test(number))).toEqual([]);
});

it('a file that takes an advisory lock names it', () => {
  const named = new Set(locks.map(({ path }) => path));
  expect([...files].filter(([path, text]) => USE.test(text) && !named.has(path)).map(([path]) => path)).toEqual([]);
});
