/** Every reference to the specification, to a decision or to a file leads somewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const DECISIONS = join(ROOT, 'docs/decisions');

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Files of the repository that may refer to something: tracked ones and new ones, not what is installed or built. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|tsx|c|h|md|yml)$/.test(path) && existsSync(join(ROOT, path)));

/** Each place where a pattern occurs, with what its first group caught. */
function references(pattern: RegExp): { path: string; name: string }[] {
  return files.flatMap((path) =>
    [...read(path).matchAll(pattern)].map((match) => ({ path, name: match[1] ?? match[0] })),
  );
}

function headings(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The decisions with the page that each is on. */
const decisions = readdirSync(DECISIONS)
  .filter((page) => page !== 'README.md')
  .flatMap((page) =>
    headings(readFileSync(join(DECISIONS, page), 'utf8'), /^## (D-\d{3}) /gm).map((number) => ({ page, number })),
  );

test('every "spec §" names a section of docs/spec.md', () => {
  const sections = new Set(headings(read('docs/spec.md'), /^#{2,4} (\d+(?:\.\d+)?)\.? /gm));
  const used = references(/\bspec §(\d+(?:\.\d+)?)/g);
  expect(used.length).toBeGreaterThan(80);
  expect(used.filter(({ name }) => !sections.has(name))).toEqual([]);
});

test('every decision number that is referred to is a heading in docs/decisions', () => {
  const known = new Set(decisions.map(({ number }) => number));
  const used = references(/\b(D-\d{3})\b/g);
  expect(used.length).toBeGreaterThan(decisions.length);
  expect(used.filter(({ name }) => !known.has(name))).toEqual([]);
});

test('a decision number is used once, and docs/decisions names the highest', () => {
  const numbers = decisions.map(({ number }) => number);
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  expect(read('docs/decisions/README.md')).toContain(`(${numbers.toSorted().at(-1)} so far)`);
});

test('a decision has at most eight lines, and all of them have at most 52 KB', () => {
  const pages = readdirSync(DECISIONS).map((page) => readFileSync(join(DECISIONS, page), 'utf8'));
  const sections = pages.flatMap((text) => text.split(/^## /m).slice(1));
  const tooLong = sections.filter((section) => section.trim().split('\n').length > 1 + 8);
  expect(tooLong.map((section) => section.slice(0, 5))).toEqual([]);
  expect(Buffer.byteLength(pages.join(''))).toBeLessThanOrEqual(52_000);
});

test('no comment or title refers to a decision by its subject instead of its number', () => {
  expect(
    references(/(?:\bdecisions?,? "|\b[Dd]ecisions: |\b[Dd]ecisions? ")/g).filter(
      ({ path }) => !path.endsWith('references.test.ts'),
    ),
  ).toEqual([]);
});

test('every relative link of a Markdown page leads to a file', () => {
  const links = references(/\]\((?!https?:|#|mailto:|\{\{)([^)#\s]+)(?:#[^)]*)?\)/g).filter(({ path }) =>
    path.endsWith('.md'),
  );
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter(({ path, name }) => !existsSync(join(ROOT, dirname(path), name)))).toEqual([]);
});
