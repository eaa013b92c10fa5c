import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { faultsOf, importsOf, type SourceFile } from './check-imports.ts';
import { FLOORS, PACKAGES } from './floors.ts';

const ROOT = new URL('../../', import.meta.url);

async function sourceFiles(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  const pattern = '{src,schema,adapters,admin-ui,console-kit,packages,test}/**/*.{ts,tsx}';
  const exclude = (path: string) => /(^|\/)(dist|node_modules)$/.test(path);
  for await (const path of glob(pattern, { cwd: ROOT, exclude })) {
    files.push({ path: path.replaceAll('\\', '/'), text: readFileSync(new URL(path, ROOT), 'utf8') });
  }
  return files;
}

describe('the rooms of the house', () => {
  it('no file breaks a rule: rooms, foreign libraries, pages, barrels, folder names, lengths', async () => {
    const files = await sourceFiles();
    expect(files.length).toBeGreaterThan(150);
    expect(files.flatMap(faultsOf)).toEqual([]);
  });

  it('every import between files is seen and names a file with its ending', async () => {
    const relative = (await sourceFiles()).flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => `${path} ${specifier}`),
    );
    expect(relative.length).toBeGreaterThan(500);
    expect(relative.filter((line) => !/\.(ts|tsx|css|json|svg)(\?raw)?$/.test(line))).toEqual([]);
  });
});

describe('the check itself fails when a rule is broken', () => {
  it.each([
    ['src/a/b.ts', "import { x } from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/a/b.ts', "import { x } from '../../schema/builder.ts';", 'src imports schema'],
    ['src/a/b.ts', "import { x } from '../../test/support/partner.ts';", 'src imports test'],
    ['src/a/b.ts', "import type { X } from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/a/b.ts', "export { x } from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/a/b.ts', "import '../../adapters/app.ts';", 'src imports adapters'],
    ['src/a/b.ts', "const x = await import('../../adapters/app.ts');", 'src imports adapters'],
    ['src/a/b.ts', "import {\n  x,\n  y,\n} from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/a/b.ts', "import Koa from 'koa';", 'src imports no koa'],
    ['src/a/b.ts', "import Router from '@koa/router';", 'src imports no @koa/router'],
    ['src/a/b.ts', "import { initTRPC } from '@trpc/server';", 'src imports no @trpc/server'],
    ['src/a/b.ts', "import { GraphQLError } from 'graphql';", 'src imports no graphql'],
    ['src/a/b.ts', "import { useState } from 'react';", 'src imports no react'],
    ['src/a/b.ts', "import { h } from 'preact/hooks';", 'src imports no preact/hooks'],
    ['schema/client.ts', "import { x } from '../adapters/admin/staff.ts';", 'schema imports adapters'],
    ['admin-ui/staff/app.tsx', "import { x } from '../../src/platform/errors.ts';", 'admin-ui imports src'],
    ['adapters/fan-pages/login/ui/app.tsx', "import { x } from '../../../src/errors.ts';", 'more than types of src'],
    ['adapters/a.ts', "import { x } from '../test/support/partner.ts';", 'adapters imports test'],
    ['adapters/fan-pages/portal/ui/a.ts', "import { x } from '../../../console-kit/theme.ts';", 'adapters imports console-kit'],
    ['console-kit/a.ts', "import { x } from '../admin-ui/src/app.tsx';", 'console-kit imports admin-ui'],
    ['console-kit/a.ts', "import { x } from '../adapters/page-kit/languages.ts';", 'console-kit imports adapters'],
    ['src/a/all.ts', "export * from './b.ts';", 'a barrel'],
    ['src/a/all.ts', "export * as b from './b.ts';", 'a barrel'],
    ['src/oauth/grant/b.ts', "import { x } from '../token/c.ts';", 'grant imports token'],
    ['src/oauth/grant/b.ts', "import type { X } from '../token/c.ts';", 'grant imports token'],
    ['src/a/b.ts', "import { x } from '../../packages/solana-wire/src/base58.ts';", 'src imports packages'],
    ['src/a/b.ts', "import { startLocalnet } from '@fan-api/localnet';", 'imports @fan-api/localnet'],
    ['src/a/b.ts', "const { startLocalnet } = await import('@fan-api/localnet');", 'imports @fan-api/localnet'],
    ['adapters/process/open-localnet.ts', "import { startLocalnet } from '@fan-api/localnet';", 'imports @fan-api/localnet'],
    ['packages/localnet/src/a.ts', "import { x } from '../../../src/errors.ts';", 'packages imports src'],
    [
      'packages/localnet/src/a.ts',
      "import { x } from '../../solana-wire/src/base58.ts';",
      'a package imports packages',
    ],
    ['packages/solana-wire/src/a.ts', "import { x } from '@fan-api/localnet';", 'imports @fan-api/localnet'],
    ['src/new-room/b.ts', "import { x } from '../errors.ts';", 'new-room imports errors.ts'],
    ['src/utils/b.ts', '', 'a folder called utils'],
    ['test/helpers/b.ts', '', 'a folder called helpers'],
    ['src/a/b.ts', '\n'.repeat(300).concat('x'), '301 lines, 300 at most'],
    ['test/src/b.test.ts', '\n'.repeat(800).concat('x'), '801 lines, 800 at most'],
  ])('%s: %j', (path, text, fault) => {
    expect(faultsOf({ path, text })).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    [
      'src/oauth/token/b.ts',
      "import { x } from '../grant/d.ts';\nimport { y } from './c.ts';\nimport pg from 'pg';\nimport { koalas } from 'koalas';",
    ],
    ['schema/client.ts', "import { x } from '../src/client/register-client.ts';"],
    [
      'src/a/b.ts',
      "import { x } from '@fan-api/solana-wire/base58';\nimport type { Localnet } from '@fan-api/localnet';",
    ],
    ['adapters/process/open-localnet.ts', "const { startLocalnet } = await import('@fan-api/localnet');"],
    ['packages/localnet/src/a.ts', "import { x } from '@fan-api/solana-wire/base58';\nimport { y } from './b.ts';"],
    [
      'adapters/a.ts',
      "import Koa from 'koa';\nimport { x } from '../src/errors.ts';\nimport { y } from '../schema/builder.ts';",
    ],
    [
      'adapters/fan-pages/login/ui/app.tsx',
      "import type { Mode } from '../../../src/entities/mode.ts';\nimport { h } from 'preact';",
    ],
    ['test/a/b.test.ts', "import { x } from '../../src/platform/errors.ts';\nimport { y } from '../../adapters/app.ts';"],
    ['admin-ui/kit/theme.ts', "import { readTokens } from '../adapters/page-kit/style/read-tokens.ts';"],
    ['admin-ui/partner/a.ts', "import { theme } from '../../../console-kit/theme.ts';"],
    ['src/a/b.ts', "const text = 'export * from';\n".concat('x\n'.repeat(298))],
  ])('and lets a good file pass: %s %j', (path, text) => {
    expect(faultsOf({ path, text })).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const page = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');

  it('shows the rooms of src, floor by floor', () => {
    const shown = [...page.matchAll(/^\d+\. (.+)$/gm)].map(([, line = '']) =>
      [...line.matchAll(/`([^`]+)`/g)].map(([, room = '']) => room.replace(/\/$/, '')),
    );
    expect(shown).toEqual(FLOORS);
  });

  it('names every room of src, and none that is not there', async () => {
    const rooms = new Set<string>();
    for await (const path of glob('src/**/*.ts', { cwd: ROOT }))
      rooms.add(path.replaceAll('\\', '/').split('/')[1] ?? '');
    expect([...rooms].sort()).toEqual(FLOORS.flat().sort());
  });

  it('names every package, in the order of their imports', async () => {
    const shown = [...page.matchAll(/^- `@fan-api\/([\w-]+)`/gm)].map(([, name]) => name);
    expect(shown).toEqual(PACKAGES);
    const folders: string[] = [];
    for await (const path of glob('packages/*/package.json', { cwd: ROOT })) folders.push(path.split(/[\\/]/)[1] ?? '');
    expect(folders.sort()).toEqual([...PACKAGES].sort());
  });

  it('names every folder of adapters', async () => {
    for await (const path of glob('adapters/*/', { cwd: ROOT }))
      expect(page).toContain(`adapters/${path.split(/[\\/]/)[1]}`);
  });
});
