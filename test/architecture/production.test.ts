import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importsOf } from './check-imports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What `npm start` and the commands of an installation run. */
const ENTRIES = [
  'adapters/main.ts',
  'adapters/run-process.ts',
  'adapters/workers/supervise.ts',
  'packages/build-pages/src/build-pages.ts',
  'adapters/commands/admin.ts',
  'adapters/commands/chain.ts',
  'adapters/commands/inventory.ts',
  'adapters/commands/new-keypair.ts',
  'adapters/commands/rotate-keys.ts',
  'adapters/commands/keys-status.ts',
  'adapters/commands/reencrypt-keys.ts',
];

interface Graph {
  files: Set<string>;
  /** Each import of a package that `npm ci --omit=dev` does not install for the importer. */
  faults: string[];
}

/** Follows the static imports from `entries`; dynamic ones load what an installation may lack. */
function productionGraph(entries: readonly string[]): Graph {
  const files = new Set(entries);
  const faults: string[] = [];
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    for (const { specifier, typeOnly, dynamic } of importsOf(readFileSync(join(ROOT, file), 'utf8'))) {
      if (typeOnly || dynamic || specifier.startsWith('node:')) continue;
      const isOwn = specifier.startsWith('.') || specifier.startsWith('@fan-api/');
      if (!specifier.startsWith('.') && !isInstalledFor(file, specifier)) faults.push(`${file} imports ${specifier}`);
      if (isOwn) files.add(relative(ROOT, createRequire(join(ROOT, file)).resolve(specifier)));
    }
  }
  return { files, faults };
}

function isInstalledFor(file: string, specifier: string): boolean {
  const owner = /^packages\/[^/]+\//.exec(file)?.[0] ?? '';
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, owner, 'package.json'), 'utf8'));
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return name in dependencies;
}

it('what a production install starts needs no development dependency', () => {
  const { files, faults } = productionGraph(ENTRIES);
  expect(faults).toEqual([]);
  expect(files.size).toBeGreaterThan(300);
  expect([...files].filter((file) => file.startsWith('packages/localnet/'))).toEqual([]);
});

it('the check itself finds a development dependency', () => {
  expect(productionGraph(['test/architecture/production.test.ts']).faults).toEqual([
    'test/architecture/production.test.ts imports vitest',
  ]);
});
