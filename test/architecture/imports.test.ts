import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { circlesOf, faultsOf, fileCirclesOf, importsOf, type SourceFile } from './check-imports.ts';
import { CONTEXTS, PACKAGES } from './floors.ts';

const ROOT = new URL('../../', import.meta.url);

async function sourceFiles(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  const pattern = '{src,schema,adapters,admin-ui,packages,test}/**/*.{ts,tsx}';
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

  it('the rooms of a context import each other without circles', async () => {
    expect(circlesOf(await sourceFiles())).toEqual([]);
  });

  it('files import each other without circles, types included', async () => {
    expect(fileCirclesOf(await sourceFiles())).toEqual([]);
  });

  it('every import between files is seen and names a file with its ending', async () => {
    const relative = (await sourceFiles()).flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => `${path} ${specifier}`),
    );
    expect(relative.length).toBeGreaterThan(500);
    expect(relative.filter((line) => !/\.(ts|tsx|css|json|svg|md)(\?raw)?$/.test(line))).toEqual([]);
  });
});

describe('the check itself fails when a rule is broken', () => {
  it.each([
    ['src/keys/b.ts', "import { x } from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/keys/b.ts', "import type { X } from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/keys/b.ts', "export { x } from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/keys/b.ts', "import '../../adapters/app.ts';", 'src imports adapters'],
    ['src/keys/b.ts', "const x = await import('../../adapters/app.ts');", 'src imports adapters'],
    ['src/keys/b.ts', "import {\n  x,\n  y,\n} from '../../adapters/app.ts';", 'src imports adapters'],
    ['src/keys/b.ts', "import Koa from 'koa';", 'src imports no koa'],
    ['src/keys/b.ts', "import { h } from 'preact/hooks';", 'src imports no preact/hooks'],
    ['schema/client.ts', "import { x } from '../adapters/consoles/admin/staff.ts';", 'schema imports adapters'],
    ['admin-ui/staff/app.tsx', "import { x } from '../../src/platform/errors.ts';", 'admin-ui imports src'],
    ['adapters/fan-pages/login/ui/app.tsx', "import '../../../../src/platform/errors.ts';", 'more than types of src'],
    ['src/platform/plain-digits.ts', "import { x } from './mode.ts';", 'for pages, imports ./mode.ts'],
    ['adapters/a.ts', "import { x } from '../test/support/partner.ts';", 'adapters imports test'],
    ['admin-ui/kit/a.ts', "import { x } from '../staff/app.tsx';", 'admin-ui imports admin-ui'],
    ['admin-ui/kit/a.ts', "import '../../adapters/fan-pages/page-kit/languages.ts';", 'admin-ui imports adapters'],
    ['src/keys/all.ts', "export * from './b.ts';", 'a barrel'],
    ['src/oauth/token/b.ts', "import { x } from '../../tickets/claim/c.ts';", 'oauth imports tickets'],
    ['src/keys/b.ts', "import { x } from '../runtime.ts';", 'keys imports runtime.ts'],
    ['src/keys/b.ts', "const { startLocalnet } = await import('@fan-api/localnet');", 'imports @fan-api/localnet'],
    ['adapters/process/open-localnet.ts', "import { x } from '@fan-api/localnet';", 'imports @fan-api/localnet'],
    ['packages/localnet/src/a.ts', "import { x } from '../../../src/platform/errors.ts';", 'packages imports src'],
    ['packages/sandbox/src/a.ts', "import { x } from '../../../schema/schema.ts';", 'packages imports schema'],
    ['packages/solana-wire/src/a.ts', "import { x } from '@fan-api/localnet';", 'imports @fan-api/localnet'],
    ['src/utils/b.ts', '', 'a folder called utils'],
    ['src/keys/b.ts', '\n'.repeat(800).concat('x'), '801 lines, 800 at most'],
  ])('%s: %j', (path, text, fault) => {
    expect(faultsOf({ path, text })).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    [
      'src/oauth/token/b.ts',
      "import { x } from '../grant/d.ts';\nimport { y } from './c.ts';\nimport pg from 'pg';\nimport { koalas } from 'koalas';",
    ],
    ['src/oauth/token/b.ts', "import { x } from '../../platform/errors.ts';"],
    [
      'src/keys/b.ts',
      "import { x } from '@fan-api/solana-wire/base58';\nimport type { Localnet } from '@fan-api/localnet';",
    ],
    ['adapters/process/open-localnet.ts', "const { startLocalnet } = await import('@fan-api/localnet');"],
    ['packages/localnet/src/a.ts', "import { x } from '@fan-api/solana-wire/base58';\nimport { y } from './b.ts';"],
    [
      'adapters/fan-pages/login/ui/app.tsx',
      "import type { Mode } from '../../../../src/platform/mode.ts';\nimport { h } from 'preact';",
    ],
    ['packages/sandbox/src/a.ts', "import { x } from '../../../adapters/process/serve.ts';"],
    ['test/a/b.test.ts', "import { x } from '../../src/a.ts';\nimport { y } from '../../adapters/app.ts';"],
    ['admin-ui/kit/theme.ts', "import { readTokens } from '@fan-api/look/read-tokens';"],
    ['src/keys/b.ts', "const text = 'export * from';\n".concat('x\n'.repeat(798))],
  ])('and lets a good file pass: %s %j', (path, text) => {
    expect(faultsOf({ path, text })).toEqual([]);
  });
});

it('circles are found between rooms of a context, and between files', () => {
  const room = (name: string, text: string) => ({ path: `src/${name}`, text });
  const inOneRoom = [room('keys/a/x.ts', "import './y.ts';"), room('keys/a/y.ts', "import './x.ts';")];
  expect(circlesOf(inOneRoom)).toEqual([]);
  expect(fileCirclesOf(inOneRoom)).toEqual([['src/keys/a/x.ts', 'src/keys/a/y.ts', 'src/keys/a/x.ts']]);
  const inSchema = [
    { path: 'schema/x.ts', text: "import type { Y } from './y.ts';" },
    { path: 'schema/y.ts', text: "import './x.ts';" },
  ];
  expect(fileCirclesOf(inSchema)).toEqual([]);
  const betweenTwo = [room('keys/a/x.ts', "import '../b.ts';"), room('keys/b.ts', "import './a/y.ts';")];
  expect(circlesOf(betweenTwo)).toEqual([['src/keys/a', 'src/keys/b.ts', 'src/keys/a']]);
});

describe('docs/architecture.md', () => {
  const page = readFileSync(new URL('docs/architecture.md', ROOT), 'utf8');

  it('shows the contexts of src, in the order of their imports', () => {
    const shown = [...page.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, name = '']) => name.replace(/\/$/, ''));
    expect(shown).toEqual(CONTEXTS);
  });

  it('the contexts are those that are there', async () => {
    const there = new Set<string>();
    for await (const path of glob('src/**/*.ts', { cwd: ROOT }))
      there.add(path.replaceAll('\\', '/').split('/')[1] ?? '');
    expect([...there].sort()).toEqual([...CONTEXTS].sort());
  });

  it('names every package, in the order of their imports', async () => {
    const shown = [...page.matchAll(/^- `@fan-api\/([\w-]+)`/gm)].map(([, name]) => name);
    expect(shown).toEqual(PACKAGES);
    const folders: string[] = [];
    for await (const path of glob('packages/*/package.json', { cwd: ROOT })) folders.push(path.split(/[\\/]/)[1] ?? '');
    expect(folders.sort()).toEqual([...PACKAGES].sort());
  });

  it('names every folder of adapters', async () => {
    for await (const path of glob('adapters/*/', { cwd: ROOT })) expect(page).toContain(`${path.split(/[\\/]/)[1]}/`);
  });

  it('shows the way of nine calls, each through eight files at most', () => {
    const ways = [...page.matchAll(/^- \*\*.+$/gm)].map(([line]) => [...line.matchAll(/`((?:src|adapters)\/[^`]+)`/g)]);
    expect(ways).toHaveLength(9);
    for (const way of ways) {
      expect(way.length).toBeGreaterThan(2);
      expect(way.length).toBeLessThanOrEqual(8);
    }
  });
});
