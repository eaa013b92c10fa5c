import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { readmeExamples } from './readme-examples.ts';

const run = promisify(execFile);
const results = resolve('test-results');
mkdirSync(results, { recursive: true });
// inside the project, where the imports of the examples are found
const folder = mkdtempSync(join(results, 'sandbox-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));
const examples = readmeExamples();
for (const [name, text] of examples) writeFileSync(join(folder, name), text);

const env = { PATH: process.env.PATH, HOME: process.env.HOME };
const NODE = resolve('node_modules/.bin/node');
const VITEST = resolve('node_modules/vitest/vitest.mjs');

it.each([
  ['sale.vitest.test.mjs', [VITEST, 'run', '--root', '.', 'sale.vitest.test.mjs'], /Tests\s+1 passed/],
  ['sale.node.test.mjs', ['--test', 'sale.node.test.mjs'], /pass 1\n/],
])('the example %s of the README passes', { timeout: 180_000 }, async (name, words, passed) => {
  expect(examples.get(name)?.split('\n').length).toBeLessThan(42);
  const { stdout } = await run(NODE, words, { cwd: folder, env: { ...env, NO_COLOR: '1' } });
  expect(stdout).toMatch(passed);
});
