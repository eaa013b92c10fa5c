/**
 * Builds the linter as a package of its own, plain JavaScript without dependencies, for Node 20 and later: the command, one file,
 * and the function `lint` for programs, one file with its types.
 *
 *   npm run build -w @fan-api/cosign-policy     writes dist/, for `npm pack ./packages/cosign-policy/dist` and `npm publish`
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTypes } from './build-types.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** @param folder is emptied first */
export async function buildLinter(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await buildFile(folder, 'src/cli.ts', 'cosign-policy.js', '#!/usr/bin/env node');
  await buildFile(folder, 'src/lint.ts', 'lint.js', '');
  buildTypes(join(folder, 'types'));
  chmodSync(join(folder, 'cosign-policy.js'), 0o755);
  writeManifest(folder);
  writeFileSync(join(folder, 'README.md'), readFileSync(join(ROOT, 'README.md')));
}

async function buildFile(folder: string, source: string, name: string, banner: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    // the file has its dependencies in it: npm installs nothing more
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(ROOT, source),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: name, banner } },
    },
  });
}

function writeManifest(folder: string): void {
  const { name, version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { 'cosign-policy': 'cosign-policy.js' },
    exports: { '.': { types: './types/lint.d.ts', default: './lint.js' } },
    files: ['cosign-policy.js', 'lint.js', 'types', 'README.md'],
    engines: { node: '>=20.12' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (import.meta.main) await buildLinter(join(ROOT, 'dist'));
