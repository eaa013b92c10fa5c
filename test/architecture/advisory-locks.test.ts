import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const PLACE = 'src/platform/database/advisory-lock.ts';
const EMBEDDED = 'packages/embedded-postgres/src/start-embedded-postgres.ts';
const USE = /\bpg_(?:try_)?advisory_\w+/;

const files = new Map<string, string>();
for await (const path of glob(['{src,adapters,schema}/**/*.ts', 'packages/*/{src,build}/**/*.ts'], { cwd: ROOT })) {
  files.set(path.replaceAll('\\', '/'), readFileSync(new URL(path, ROOT), 'utf8'));
}

it('every advisory lock has a number of its own, in one list', () => {
  const numbers = [PLACE, EMBEDDED].flatMap((path) => files.get(path)?.match(/\b7_302_\d{3}(?=[,;])/g) ?? []);
  expect(numbers.length).toBeGreaterThan(6);
  expect(new Set(numbers).size).toBe(numbers.length);
  const elsewhere = [...files].filter(
    ([path, text]) => path !== PLACE && path !== EMBEDDED && /\b7_?302_?\d{3}\b/.test(text),
  );
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});

it('a file that takes an advisory lock takes one of the list', () => {
  const others = [...files].filter(([path, text]) => path !== EMBEDDED && USE.test(text) && !/\bLOCKS\b/.test(text));
  expect(others.map(([path]) => path)).toEqual([]);
});

it('D-006: no statement goes through the ORM’s execute, which writes the values into its text', () => {
  const found = [...files].filter(([, text]) => /\b(?:em|tx|locked)\.execute[(<]/.test(text));
  expect(found.map(([path]) => path)).toEqual([]);
});
