import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { importsOf } from './check-imports.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Loaded before the service answers, with the surface that `adapters/app.ts` imports where it is served. */
const START = [
  'adapters/process/main.ts',
  'adapters/process/run-process.ts',
  'adapters/consoles/admin/surface.ts',
  'adapters/process/workers/supervise.ts',
];
/** Heavy, and needed later or not at all: GraphQL, the queue of jobs, what only some configurations use. */
const LATE = [
  'graphql',
  'graphql-yoga',
  '@pothos/core',
  'pg-boss',
  '@aws-sdk/client-kms',
  'twilio',
  '@simplewebauthn/server',
];

/** What `npm start` and the commands of an installation run. */
const ENTRIES = [
  'adapters/process/main.ts',
  'adapters/process/run-process.ts',
  'adapters/process/workers/supervise.ts',
  'packages/build-pages/src/build-pages.ts',
  'adapters/commands/admin.ts',
  'adapters/commands/chain.ts',
  'adapters/commands/inventory.ts',
  'adapters/commands/new-keypair.ts',
  'adapters/commands/keys.ts',
];

interface Graph {
  files: Set<string>;
  packages: Set<string>;
  /** Each import of a package that `npm ci --omit=dev` does not install for the importer. */
  faults: string[];
}

/** Follows the static imports from `entries`; dynamic ones load what an installation may lack. */
function productionGraph(entries: readonly string[]): Graph {
  const files = new Set(entries);
  const packages = new Set<string>();
  const faults: string[] = [];
  for (const file of files) {
    if (!file.endsWith('.ts')) continue;
    for (const { specifier, typeOnly, dynamic } of importsOf(readFileSync(join(ROOT, file), 'utf8'))) {
      if (typeOnly || dynamic || specifier.startsWith('node:')) continue;
      const isOwn = specifier.startsWith('.') || specifier.startsWith('@fan-api/');
      if (!specifier.startsWith('.')) packages.add(packageOf(specifier));
      if (!specifier.startsWith('.') && !isInstalledFor(file, specifier)) faults.push(`${file} imports ${specifier}`);
      if (isOwn) files.add(relative(ROOT, createRequire(join(ROOT, file)).resolve(specifier)));
    }
  }
  return { files, packages, faults };
}

function isInstalledFor(file: string, specifier: string): boolean {
  const owner = /^packages\/[^/]+\//.exec(file)?.[0] ?? '';
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, owner, 'package.json'), 'utf8'));
  return packageOf(specifier) in dependencies;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

it('what a production install starts needs no development dependency', () => {
  const { files, faults } = productionGraph(ENTRIES);
  expect(faults).toEqual([]);
  expect(files.size).toBeGreaterThan(300);
  expect([...files].filter((file) => file.startsWith('packages/localnet/'))).toEqual([]);
});

it('D-255: a start loads nothing heavy that no first request needs', () => {
  const { packages } = productionGraph(START);
  expect(LATE.filter((name) => packages.has(name))).toEqual([]);
  const console = productionGraph(['adapters/consoles/admin/graphql.ts']);
  expect([...console.packages]).toContain('graphql-yoga');
});

it('the check itself finds a development dependency', () => {
  expect(productionGraph(['test/architecture/production.test.ts']).faults).toEqual([
    'test/architecture/production.test.ts imports vitest',
  ]);
});
