/**
 * Builds the linter as a package of its own, one file of plain JavaScript without dependencies, for Node 20 and later:
 *
 *   npm run build -w @fan-api/cosign-policy     writes dist/, for `npm pack ./packages/cosign-policy/dist` and `npm publish`
 */
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** @param folder is emptied first */
export async function buildLinter(folder: string): Promise<void> {
  const { build } = await import('vite');
  rmSync(folder, { recursive: true, force: true });
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    // what it needs is in the file: npm installs nothing beside it
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(ROOT, 'src/cli.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'cosign-policy.js', banner: '#!/usr/bin/env node' } },
    },
  });
  chmodSync(join(folder, 'cosign-policy.js'), 0o755);
  const { name, version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { 'cosign-policy': 'cosign-policy.js' },
    files: ['cosign-policy.js', 'README.md'],
    engines: { node: '>=20.12' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), readFileSync(join(ROOT, 'README.md')));
}

if (import.meta.main) await buildLinter(join(ROOT, 'dist'));
