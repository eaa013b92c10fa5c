/** The SDK as partners get it: from its tarball, in an empty folder, with nothing of this project. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSdk } from '../../packages/sdk/build/build-sdk.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'sdk-package-'));
const partner = join(folder, 'partner');
// inside of the project, where web3.js and kit are found
const withSolana = join(ROOT, 'test-results/sdk-package');

beforeAll(async () => {
  await buildSdk(join(folder, 'built'));
  for (const source of [join(folder, 'built'), join(ROOT, 'node_modules/oauth4webapi')]) {
    await run('npm', ['pack', source, '--pack-destination', folder], { cwd: folder });
  }
  mkdirSync(partner);
  writeFileSync(join(partner, 'package.json'), '{ "private": true, "type": "module" }');
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  expect(tarballs).toHaveLength(2);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs.map((name) => join(folder, name))], {
    cwd: partner,
  });
  rmSync(withSolana, { recursive: true, force: true });
  cpSync(join(partner, 'node_modules'), join(withSolana, 'node_modules'), { recursive: true });
}, 300_000);
afterAll(() => {
  for (const made of [folder, withSolana]) rmSync(made, { recursive: true, force: true });
});

async function typeFaults(where: string, source: string): Promise<string> {
  writeFileSync(join(where, 'use.ts'), source);
  // inside of the project the compiler would find the project's settings
  const options = '--ignoreConfig --noEmit --strict --module nodenext --target es2022 --lib es2022,dom'.split(' ');
  const types = where === partner ? [] : ['--skipLibCheck'];
  return run(process.execPath, [COMPILER, ...options, ...types, '--types', '', 'use.ts'], { cwd: where }).then(
    () => '',
    ({ stdout }) => stdout as string,
  );
}

it('has one dependency, and optional peers that are not installed', async () => {
  expect(
    readdirSync(join(partner, 'node_modules'))
      .filter((name) => !name.startsWith('.'))
      .sort(),
  ).toEqual(['@fan-api', 'oauth4webapi']);
});

it('runs: every entry that needs no Solana library can be imported', async () => {
  const code = `import { openAuthServer, openSession, memoryTokenStore } from '@fan-api/sdk';
    import { indexedDbTokenStore } from '@fan-api/sdk/browser';
    import { fileTokenStore } from '@fan-api/sdk/node';
    const authServer = openAuthServer({ issuer: 'https://auth.example', clientId: 'c', redirectUri: 'https://p.example' });
    const session = openSession({ authServer, store: fileTokenStore('tokens') });
    console.log(typeof indexedDbTokenStore, typeof memoryTokenStore, await session.accessToken().catch((e) => e.reason));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: partner });
  expect(stdout.trim()).toBe('function function signed_out');
});

it('has types that hold without anybody else’s, and refuse what is wrong', async () => {
  const right = `import { FanApiError, openAuthServer, openFanApi, openSession, type Ticket } from '@fan-api/sdk';
    import { fileTokenStore } from '@fan-api/sdk/node';
    const authServer = openAuthServer({ issuer: 'https://auth.example', clientId: 'c', redirectUri: 'https://p.example' });
    const fan = openFanApi({ apiUrl: 'https://api.example', session: openSession({ authServer, store: fileTokenStore('t') }) });
    export const tickets: Promise<Ticket[]> = fan.tickets({ eventId: 'evt_1' }).then((answer) => answer.tickets);
    export const wallet = fan.call('get', '/wallet').then(({ data }) => data.wallet_address.length);
    export const codeOf = (error: unknown) => (error instanceof FanApiError ? error.code : undefined);
  `;
  expect(await typeFaults(partner, right)).toBe('');
  const wrong = [
    `await fan.authorize('sell', []);`,
    `await fan.call('get', '/claims/execute');`,
    `await fan.call('post', '/authorizations', { body: { type: 'list' } });`,
  ];
  for (const line of wrong) {
    expect(await typeFaults(partner, `${right}\nexport async function wrong() { ${line} }`), line).toMatch(/error TS/);
  }
});

it('has entries for web3.js and for kit, which work where those are installed', async () => {
  const source = (library: string) => `import { openTicketProgram, toHex } from '@fan-api/sdk/${library}';
    export const open = openTicketProgram;
    console.log(toHex(Uint8Array.of(1, 255)));`;
  for (const library of ['web3', 'kit']) {
    expect(await typeFaults(withSolana, source(library))).toBe('');
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', source(library)], { cwd: withSolana });
    expect(stdout.trim()).toBe('01ff');
  }
});
