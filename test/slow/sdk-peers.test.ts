/**
 * The SDK on the oldest Node and with the oldest Solana libraries that its package allows, which are installed from npm: from tokens to a
 * sold ticket, and two sessions of one store that refresh at once.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSdk } from '../../packages/sdk/build/build-sdk.ts';
import { CHAIN_SCOPE, type User } from '../support/chain-app.ts';
import { REDIRECT_URI, signIn } from '../support/partner.ts';
import { testChainApp } from '../support/test-chain-app.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'sdk-peers-'));
const app = await testChainApp();
const wallet = await app.network.funded();
let manifest: { engines: { node: string }; peerDependencies: Record<string, string> };
let tarball: string;

beforeAll(async () => {
  await buildSdk(join(folder, 'built'));
  await run('npm', ['pack', join(folder, 'built'), '--pack-destination', folder], { cwd: folder });
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  manifest = JSON.parse(readFileSync(join(folder, 'built/package.json'), 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['@solana/web3.js', 'web3.mjs'],
  ['@solana/kit', 'kit.mjs'],
])(
  '%s: the oldest release that is allowed lists, cancels and sells a ticket on the oldest Node',
  async (library, program) => {
    const oldest = lowestOf(manifest.peerDependencies[library]);
    expect(await trade(program, `${library}@${oldest}`)).toEqual({
      node: `v${lowestOf(manifest.engines.node)}`,
      sold: true,
      tokens: 2,
    });
  },
);

/** Installs the SDK with a library and the oldest Node in a folder of their own, without overruling the peers, and runs a program there. */
async function trade(program: string, library: string): Promise<unknown> {
  const partner = join(folder, program);
  mkdirSync(partner);
  writeFileSync(join(partner, 'package.json'), '{ "private": true, "type": "module" }');
  const node = `node@${lowestOf(manifest.engines.node)}`;
  await run('npm', ['install', '--no-audit', '--no-fund', '--strict-peer-deps', tarball, library, node], {
    cwd: partner,
  });
  for (const file of [program, 'session.mjs'])
    cpSync(new URL(`sdk-peers/${file}`, import.meta.url), join(partner, file));
  const [seller, buyer] = app.users;
  const given = {
    client: { issuer: app.config.authUrl, clientId: app.kit.client_id, redirectUri: REDIRECT_URI },
    ...{ apiUrl: app.config.apiUrl, rpcUrl: app.network.url, wallet: [...wallet.secretKey] },
    ...{ seller: await tokensOf(seller), buyer: await tokensOf(buyer) },
  };
  const { stdout } = await run(join(partner, 'node_modules/node/bin/node'), [program, JSON.stringify(given)], {
    cwd: partner,
  });
  return JSON.parse(stdout);
}

/** The lowest version that a range begins with. */
function lowestOf(range = ''): string {
  return /\d+\.\d+\.\d+/.exec(range)?.[0] ?? '';
}

/** New ones for each program, since a refresh token is good once. */
function tokensOf({ phone, code }: User): Promise<unknown> {
  return signIn(app, { scope: CHAIN_SCOPE, phone, code });
}
