/**
 * The samples of the documentation that take long, as a reader runs them: those of Python that need packages (solders and Authlib are
 * installed from PyPI on first use; needs python3 with venv), and that of Go, where Go is installed.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@solana/web3.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { valuesOf } from '../../adapters/public/docs/values.ts';
import { startHostedNetwork } from '../../packages/localnet/test/hosted-network.ts';
import { fileOf, fillIn, programIn } from '../docs/page-samples.ts';
import { runSample } from '../docs/run-sample.ts';
import { testChainApp } from '../support/test-chain-app.ts';

const run = promisify(execFile);
/** Kept between runs. */
const VENV = resolve('node_modules/.cache/python-samples');
const PACKAGES = ['solders==0.29.0', 'authlib==1.9.9', 'requests==2.34.2'];

const network = await startHostedNetwork();
const app = await testChainApp({ network, env: { SANDBOX_RPC_URL: network.url, SANDBOX_PUBLIC_RPC_URL: network.url } });
const values = valuesOf(app.config, app.kit, undefined);
const python = join(VENV, 'bin/python');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'python-samples-'));
  for (const name of ['cluster.py', 'trade.py']) await writeFile(join(folder, name), fileOf(name));
  if (existsSync(join(VENV, 'installed'))) return;
  await run('python3', ['-m', 'venv', VENV]);
  await run(join(VENV, 'bin/pip'), ['install', '--quiet', ...PACKAGES], { timeout: 300_000 });
  await writeFile(join(VENV, 'installed'), '');
}, 400_000);

afterAll(() => rm(folder, { recursive: true }));

test('Python, all samples: from the sign-in over transactions of its own to a sold ticket', async () => {
  const file = join(folder, 'story.py');
  await writeFile(file, programIn('python', values, true));
  const said = await runSample({ app, folder, command: python, file });
  expect(said).toContain('transfer_id');
  expect(said).toContain(app.users[1].wallet_address);
});

test('Python, trade.py: a listing is cancelled with the instruction of the samples', async () => {
  const file = join(folder, 'story.py');
  const program = programIn('python', values, true);
  const claimAt = program.indexOf('buyer_token = input');
  expect(claimAt).toBeGreaterThan(0);
  const cancel = [
    'instruction = program.cancel_listing(ticket)',
    'cancellation = prepare(cluster, marketplace, instruction)',
    'signed = call_fan_api("/authorizations", {"type": "cancel", "transactions": [cancellation]})["transactions"][0]',
    'print("cancelled by", cluster.submit(signed))',
  ];
  await writeFile(file, [program.slice(0, claimAt), ...cancel].join('\n'));
  const said = await runSample({ app, folder, command: python, file });
  const signature = /cancelled by (\w+)/.exec(said)?.[1] ?? '';
  const status = await new Connection(network.url, 'confirmed').getSignatureStatus(signature);
  expect(status.value).toMatchObject({ err: null });
});

test('Python with Authlib: signs in, verifies the ID token, and reads the tickets', async () => {
  const file = join(folder, 'sign_in_with_authlib.py');
  await writeFile(file, fillIn(fileOf('sign_in_with_authlib.py'), values));
  const said = await runSample({ app, folder, command: python, file });
  expect(said).toContain(`signed in ${app.users[0].id}`);
  expect(said).toContain('svc_event_id');
});

const hasGo = spawnSync('go', ['version']).status === 0;
test.skipIf(!hasGo)('Go: a fan signs in, and the tickets are listed', { timeout: 300_000 }, async () => {
  await writeFile(join(folder, 'fan.go'), fillIn(fileOf('fan.go'), values));
  const command = join(folder, 'fan');
  await run('go', ['build', '-o', command, 'fan.go'], { cwd: folder });
  const said = await runSample({ app, folder, command });
  expect(said).toContain('granted: [fan:tickets:read]');
  expect(said).toMatch(/^tkt_\w+ .+$/m);
  expect(said).toContain('refreshed');
});
