/** What the pages for people say of files, commands and figures is so. */
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawSpeed } from '../pictures/draw-speed.ts';

const ROOT = join(import.meta.dirname, '../..');
const PICTURES = join(ROOT, 'docs/pictures');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const PAGES = globSync(['*.md', 'docs/**/*.md', 'test/README.md', 'deploy/README.md'], { cwd: ROOT });

/** Each match in a page of its own or of all, with the page. */
function found(pattern: RegExp, pages = PAGES): { page: string; name: string }[] {
  return pages.flatMap((page) => [...read(page).matchAll(pattern)].map(([, name = '']) => ({ page, name })));
}

test('the README has at most 8 KB', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(8192);
});

test('every file that a page names by its whole path is there', () => {
  const named = found(/`((?:src|schema|adapters|admin-ui|packages|test|deploy|docs)\/[\w./*-]+\.\w+)`/g);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ name }) => globSync(name, { cwd: ROOT }).length === 0)).toEqual([]);
});

test('every command of a page is a script, and every script is on a page for contributors or operators', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...found(/\bnpm run (?:-s )?([a-z][\w:-]*)/g), ...found(/\bnpm (start|test)\b/g)];
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
  const listed = named.filter(({ page }) => ['CONTRIBUTING.md', 'docs/runbook/README.md'].includes(page));
  expect(Object.keys(scripts).filter((script) => !listed.some(({ name }) => name === script))).toEqual([]);
});

test('the pictures of the README are there, and below 400 KB together', () => {
  const shown = found(/<img src="([^"]+)"/g, ['README.md']);
  expect(shown).toHaveLength(4);
  expect(shown.filter(({ name }) => !existsSync(join(ROOT, name)))).toEqual([]);
  const sizes = readdirSync(PICTURES).map((name) => statSync(join(PICTURES, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400 * 1024);
});

test('the picture of what a request costs has the figures of docs/speed.md', () => {
  expect(read('docs/pictures/speed.svg')).toBe(drawSpeed(read('docs/speed.md')));
});

test('the README says of the cost of requests what docs/speed.md has measured', () => {
  const speed = read('docs/speed.md');
  const shares = (of: string) => {
    const rows = new RegExp(`^\\| (?:code exchange|refresh|userinfo), of the ${of} \\| ([\\d.]+)`, 'gm');
    return [...speed.matchAll(rows)].map(([, share = '']) => share).sort();
  };
  const text = read('README.md').replaceAll('\n', ' ');
  const [least, , most] = shares('peer');
  expect(text).toContain(`take ${least} to ${most} of the CPU time of oidc-provider`);
  const [lowest, , highest] = shares('floor');
  expect(text).toContain(`and ${lowest} to ${highest} of that of a bare server`);
});
