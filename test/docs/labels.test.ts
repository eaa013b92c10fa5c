/** The documentation names buttons, links and headings of the pages in bold: each must be there, letter by letter. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageNames, readPage } from './page-samples.ts';

const PROJECT = join(import.meta.dirname, '../..');
const SIGN_IN = ['adapters/fan-pages/page-kit/texts/en.json', 'adapters/fan-pages/login/ui/**/*.tsx'];
const PLAYGROUND = ['adapters/public/playground/ui/**/*.tsx'];
const WORKSPACE = ['admin-ui/partner/**/*.{ts,tsx}', 'admin-ui/kit/**/*.tsx'];
const PORTAL = ['adapters/fan-pages/portal/ui/**/*.{tsx,json}'];

/** The pages that a reader of the quick start sees are fewer: a label must be on one of them. */
const SEEN: Readonly<Record<string, string[]>> = { 'quick-start': [...PLAYGROUND, ...SIGN_IN] };
const ALL = [...PLAYGROUND, ...SIGN_IN, ...WORKSPACE, ...PORTAL];

/** Bold text with a full stop or a question mark at its end opens a paragraph; other bold text is a label. */
function labelsOf(page: string): string[] {
  const text = readPage(page).replace(/^```.*?^```$/gms, '');
  return [...text.matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, bold = '']) => bold).filter((bold) => !/[.?]$/.test(bold));
}

function textOf(sources: string[]): string {
  const files = globSync(sources, { cwd: PROJECT, exclude: (path) => path.endsWith('dist') });
  return files.map((file) => readFileSync(join(PROJECT, file), 'utf8')).join('\n');
}

/** A whole string, or the whole text between tags. */
function isShown(label: string, source: string): boolean {
  const letters = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+');
  return new RegExp(`["'\`>}]\\s*${letters}\\s*["'\`<{]`).test(source);
}

test.each(pageNames())('documentation, %s: every label in bold is one that a page shows', (page) => {
  const source = textOf(SEEN[page] ?? ALL);
  expect(labelsOf(page).filter((label) => !isShown(label, source))).toEqual([]);
});

test('documentation: the quick start and the sandbox page name labels', () => {
  expect(labelsOf('quick-start').length).toBeGreaterThan(10);
  expect(labelsOf('sandbox').length).toBeGreaterThan(5);
});
