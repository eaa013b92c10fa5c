import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { startHostedNetwork } from '../../../packages/localnet/test/hosted-network.ts';
import { withAdmin } from '../../support/database.ts';
import { listen } from '../../support/listen.ts';
import { halfSent, mainProcess, startLoad } from '../../support/main-process.ts';
import { openWire } from '../../support/wire.ts';

/** The real process: `adapters/process/main.ts`, as `npm start` runs it, over a database of the test's. */

const SOON = { timeout: 20_000 };

const { run, stage } = mainProcess();

describe('npm start', () => {
  it('serves, writes and prints the starter kit, and finishes at SIGTERM what it answers; a second start changes nothing', async () => {
    const first = await run();
    expect(await first.ready()).toBe(true);
    const file = join(stage.dataDir, 'starter-kit.json');
    const written = await readFile(file, 'utf8');
    const kit = JSON.parse(written);
    const printed = [kit.client_id, kit.test_users[0].phone, kit.test_users[1].code, kit.auth_url, kit.api_url, file];
    for (const value of printed) expect(first.output()).toContain(value);
    expect(kit.auth_url).toBe(`http://localhost:${first.port}`);
    expect((await fetch(`${kit.auth_url}/readyz`)).status).toBe(200);

    const call = await halfSent(kit.auth_url);
    const health = () => fetch(`${kit.auth_url}/healthz`).catch(() => 'refused');
    first.child.kill('SIGTERM');
    await expect.poll(first.output, SOON).toContain('"msg":"stopping"');
    await expect.poll(health, SOON).toBe('refused');
    expect(await call.finish()).toBe(400);
    expect(await first.ended()).toBe(0);
    expect(first.errors()).toBe('');

    const { mtimeMs } = await stat(file);
    const second = await run({ PORT: String(first.port) });
    expect(await second.ready()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(written);
    expect((await stat(file)).mtimeMs).toBe(mtimeMs);
    const load = startLoad(second.port, { untilClosed: true });
    await expect.poll(() => load.answered, SOON).toBeGreaterThan(20);
    second.child.kill('SIGINT');
    await load.ended;
    expect(await second.ended()).toBe(0);
    expect(load.failed, 'on connections that are kept open').toBe(0);
  });

  it('an error that nobody expected ends the process, and is logged without what a library hangs on it', async () => {
    const throwing =
      "process.on('SIGUSR2',()=>{throw(Object.assign(new(Error)('unexpected'),{config:['s3','cret'].join('')}))})";
    const { child, output, errors, ready, ended } = await run({
      NODE_OPTIONS: `--import=data:text/javascript,${throwing}`,
    });
    expect(await ready()).toBe(true);
    child.kill('SIGUSR2');
    expect(await ended()).toBe(1);
    expect(output()).toContain('"message":"unexpected"');
    expect(output() + errors()).not.toContain('s3cret');
  });

  it('a database that hangs holds it up until SHUTDOWN_TIMEOUT, and what was left is named', async () => {
    const wire = await openWire(stage.database.url);
    const { child, port, output, ready, ended } = await run({ DATABASE_URL: wire.url, SHUTDOWN_TIMEOUT: '1' });
    expect(await ready()).toBe(true);
    wire.silence();
    // its row of the request log is still to be written
    await fetch(`http://localhost:${port}/oauth2/token`, { method: 'POST', headers: { connection: 'close' } });
    const from = performance.now();
    child.kill('SIGTERM');
    expect(await ended()).toBe(1);
    expect(performance.now() - from).toBeLessThan(10_000);
    expect(output()).toMatch(/"left":\[.*"database"\].*stopped before these had ended/);
    await wire.cut();
  });

  it('a second signal ends it at once, but not within the second in which npm passes on the first', async () => {
    const { child, port, output, ready, ended } = await run({ SHUTDOWN_TIMEOUT: '600' });
    expect(await ready()).toBe(true);
    await halfSent(`http://localhost:${port}`);
    child.kill('SIGTERM');
    await expect.poll(output, SOON).toContain('"msg":"stopping"');
    child.kill('SIGTERM');
    // past the second of the first one
    await sleep(1_100);
    expect(child.exitCode).toBeNull();
    expect(output()).not.toContain('stopped at once');
    child.kill('SIGTERM');
    expect(await ended()).toBe(1);
  });

  it('a port in use is named by its number, with exit code 1', async () => {
    const { port, stop } = await listen(createServer(), '::');
    const { ended, errors } = await run({ PORT: String(port) });
    expect(await ended()).toBe(1);
    expect(errors().trim().split('\n')).toEqual([expect.stringContaining(`Port ${port} is in use`)]);
    await stop();
  });

  it('another KEY_ENCRYPTION_KEY than the database’s is reported at the start, with exit code 1', async () => {
    const { ended, errors } = await run({ KEY_ENCRYPTION_KEY: Buffer.alloc(32, 6).toString('hex') });
    expect(await ended()).toBe(1);
    expect(errors()).toMatch(/^KEY_ENCRYPTION_KEY does not open everything in this database: 1 row of signing_key, /);
    expect(errors(), 'no stack').not.toMatch(/\n\s+at /);
  });

  it('another cluster than the first start has stored is named in a line, with exit code 1', async () => {
    const network = await startHostedNetwork();
    await withAdmin(stage.database.url, async (client) => {
      await client.query(`insert into chain_cluster (mode, genesis_hash) values ('sandbox', repeat('1', 32))`);
    });
    const cluster = { SANDBOX_RPC_URL: network.url, SANDBOX_PROGRAM_ID: Keypair.generate().publicKey.toBase58() };
    const { ended, errors } = await run({ SURFACES: 'fan', ...cluster });
    expect(await ended()).toBe(1);
    expect(errors()).toMatch(/^The RPC URL of sandbox leads to a cluster .*\n$/);
    await network.remove();
  });

  it('a setting of an earlier release has no effect, and the log says so', async () => {
    const { ready, output } = await run({ SURFACES: 'auth', KEEP_ALIVE_TIMEOUT: '5' });
    expect(await ready()).toBe(true);
    expect(output()).toMatch(/"setting":"KEEP_ALIVE_TIMEOUT".*has no effect/);
  });
});
