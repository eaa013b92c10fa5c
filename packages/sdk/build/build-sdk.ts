/**
 * Builds the SDK as the package that partners install: JavaScript and types of each module, so that bundlers take what is used.
 *
 *   npm run build -w @fan-api/sdk     writes dist/, for `npm pack ./packages/sdk/dist` and `npm publish`; another folder may be named
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeTypes } from './write-types.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * A partner who uses the entry of one installs it. `test/slow/sdk-peers.test.ts` trades with the oldest of each. They are no peers here,
 * so that a production install of the service has none of them.
 */
const PEERS = { '@solana/kit': '>=5.5.1 <9', '@solana/web3.js': '^1.95.8' };

/** @param folder is emptied first */
export async function buildSdk(folder: string): Promise<void> {
  await writeTypes();
  rmSync(folder, { recursive: true, force: true });
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', folder], {
    stdio: 'inherit',
  });
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { name, version, description, license, type, sideEffects, dependencies } = manifest;
  const entries = Object.entries<string>(manifest.exports).map(([entry, source]) => {
    const file = source.replace('./src/', './').replace(/\.ts$/, '');
    return [entry, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  const published = {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    exports: Object.fromEntries(entries),
    files: ['*.js', '*.d.ts', 'README.md'],
    engines: { node: '>=20.3.0' },
    dependencies,
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((peer) => [peer, { optional: true }])),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), readFileSync(join(ROOT, 'README.md')));
}

if (import.meta.main) await buildSdk(process.argv[2] ?? join(ROOT, 'dist'));
