import { execFile } from 'node:child_process';
import { glob, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** A call that prepares a statement when its module is loaded. */
const PREPARES = /(?<!function )\b(?:prepared|preparedWithDates|shareStatement|oldRowsOf)(?:<[^()]*>)?\(/;

/** They prepare what others give them. */
const HELPERS = /(?:prepared|share-statement|in-batches)\.ts$/;

it('npm run statements prints the statements of every file that prepares one', async () => {
  const { stdout } = await promisify(execFile)('node_modules/.bin/node', ['adapters/commands/statements.ts'], {
    maxBuffer: 1 << 24,
  });
  const printed = new Set([...stdout.matchAll(/^-- (\S+):\d+$/gm)].map(([, file]) => file));
  const preparing: string[] = [];
  for await (const file of glob('src/**/*.ts'))
    if (!HELPERS.test(file) && PREPARES.test(await readFile(file, 'utf8'))) preparing.push(file);
  expect(preparing.length).toBeGreaterThan(80);
  expect(preparing.filter((file) => !printed.has(file))).toEqual([]);
}, 60_000);
