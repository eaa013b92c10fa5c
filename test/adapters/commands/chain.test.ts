import { writeFileSync } from 'node:fs';
import { Keypair, LAMPORTS_PER_SOL, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { readChainFlags } from '../../../adapters/commands/chain-flags.ts';
import { UsageError } from '../../../adapters/commands/flags.ts';
import { readKeypairFile } from '../../../src/chain/cluster/keypair-file.ts';
import { ChainCluster, ChainKey } from '../../../src/entities/chain.ts';
import { keypairFile, runChain, setupApp } from '../../src/chain/cluster/test-cluster.ts';
import { runCommand } from '../../support/run-command.ts';
import { KEY_ENCRYPTION_KEY } from '../../support/start-app.ts';

/** Over the database of an app whose cluster has nothing of ours. */
const app = setupApp();

function chain(words: readonly string[], env: Record<string, string> = {}) {
  const { databaseUrl, chains } = app.config;
  const { rpcUrl, programId } = chains.sandbox;
  const known = {
    SANDBOX_RPC_URL: rpcUrl,
    SANDBOX_PROGRAM_ID: programId,
    DATABASE_URL: databaseUrl,
    KEY_ENCRYPTION_KEY,
  };
  return runCommand('chain', words, { ...known, ...env });
}
const inSandbox = (command: string, ...more: string[]) => chain([command, '--mode', 'sandbox', ...more]);

describe('npm run chain', () => {
  it('a wrong command line: exit code 2, nothing on standard output', async () => {
    // in a process of its own
    expect(await runChain(app, ['start'])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/no such command/),
    });
  });

  it('production without a cluster says which variables are missing', async () => {
    const outcome = await chain(['status', '--mode', 'production']);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/PRODUCTION_RPC_URL/) });
  });

  it('a cluster that does not answer ends the command, with the reason', async () => {
    const outcome = await chain(['status', '--mode', 'sandbox'], { SANDBOX_RPC_URL: 'http://127.0.0.1:9' });
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringMatching(/can not be reached.*\n.*ECONNREFUSED/) });
  });

  it('a database that does not answer ends the command, without a stack', async () => {
    const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    const stderr = expect.stringMatching(/^DATABASE_URL: nothing answers.*\n$/);
    expect(await chain(['status', '--mode', 'sandbox'], away)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('another genesis hash than the first start has stored: status says so, and nothing is changed', async () => {
    const em = app.runtime.orm.em.fork();
    const genesisHash = Keypair.generate().publicKey.toBase58();
    await em.insert(ChainCluster, { mode: 'sandbox', genesisHash, lastSignature: null, lastSlot: null });
    const status = await inSandbox('status');
    expect(status.stdout).toMatch(/This is another cluster/);
    const initialized = await inSandbox('initialize', '--keypair', keypairFile(app.admin));
    expect(initialized).toMatchObject({ code: 1, stderr: expect.stringMatching(/nothing was signed/) });
    await em.nativeDelete(ChainCluster, { mode: 'sandbox' });
  });

  it('keys, deploy, initialize, rotate and retire bring an empty cluster to "Ready."', async () => {
    const { authority, payer } = await app.cluster();
    const keys = await inSandbox('keys');
    expect(keys.stdout).toBe(
      `authority  ${authority}\npayer      ${payer}\nprogram    ${app.config.chains.sandbox.programId}\n`,
    );
    expect((await inSandbox('status')).code).toBe(1);

    const admin = keypairFile(app.admin);
    const deployed = await inSandbox('deploy', '--keypair', admin, '--program-keypair', keypairFile(app.program));
    expect(deployed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Done: \w+\n$/) });

    const unsigned = await inSandbox('initialize', '--unsigned', app.admin.publicKey.toBase58());
    const transaction = VersionedTransaction.deserialize(Buffer.from(unsigned.stdout, 'base64'));
    transaction.sign([app.admin]);
    const file = `${keypairFile(app.admin)}.signed`;
    writeFileSync(file, `${Buffer.from(transaction.serialize()).toString('base64')}\n`);
    expect(await inSandbox('initialize', '--signed', file)).toMatchObject({ code: 0 });

    expect(await inSandbox('rotate', '--keypair', admin)).toMatchObject({ code: 0, stderr: '' });
    const rotated = await inSandbox('status');
    expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/\(ours\), before it \w+, admin/) });
    const retired = await inSandbox('retire', '--keypair', admin);
    expect(retired).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Done: \w+\n$/) });
    expect(await app.context().em.count(ChainKey, { role: 'former_authority' })).toBe(0);
    const status = await inSandbox('status');
    expect(status).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\(ours\), admin \w+, payer \w+ \(ours\)\n[\s\S]*\nReady\.\n$/),
    });
    expect(status.stdout).toContain('Our payer');
    // the screen of an operator has 24 lines
    expect(status.stdout.split('\n').length).toBeLessThan(24);
  });

  it('an empty payer, and one that is low, are reported', async () => {
    const { payer } = await app.cluster();
    await app.runtime.pool.query("delete from chain_key where role = 'payer'");
    expect((await inSandbox('status')).stdout).toMatch(/The payer can spend 0 SOL\.\n {4}Send SOL to \w+\./);
    const { payer: poor } = await app.cluster();
    expect(poor).not.toBe(payer);
    await app.network.connection.requestAirdrop(new PublicKey(poor), LAMPORTS_PER_SOL / 10);
    expect(await inSandbox('status')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/lasts for only 50 permits/),
    });
    await app.network.connection.requestAirdrop(new PublicKey(poor), 2 * LAMPORTS_PER_SOL);
    const { stdout } = await inSandbox('status');
    expect(stdout).toMatch(/for about 1,?\d{3} permits\n\nSoon\n/);
    expect(stdout).toContain(`payer ${payer} (not ours)`);
    expect(stdout).toContain(
      `  - Closed accounts pay their lamports to another payer than ours: ${payer}.\n    npm run chain -- rotate --mode sandbox --keypair ADMIN_FILE\n\nReady.\n`,
    );
  });

  it('rotate names our payer in the program where it is another; status then says nothing of it', async () => {
    expect((await inSandbox('rotate', '--keypair', keypairFile(app.admin))).code).toBe(0);
    const { payer } = await app.cluster();
    const { stdout } = await inSandbox('status');
    expect(stdout).toContain(`payer ${payer} (ours)`);
    expect(stdout).not.toContain('Closed accounts');
  });
});

it.each([
  [['start'], /there is no such command/],
  [['status'], /--mode: must be sandbox or production/],
  [['status', '--mode', 'sandbox', '--keypair', 'x'], /signs nothing/],
  [['deploy', '--mode', 'sandbox'], /needs one of --keypair FILE, --unsigned ADDRESS and --signed/],
  [['rotate', '--mode', 'sandbox', '--keypair', 'x', '--signed', 'y'], /needs one of/],
  [['rotate', '--mode', 'sandbox', '--unsigned', 'me'], /must be the address of the key/],
  [['rotate', '--mode', 'sandbox', '--colour', 'red'], /^--colour: there is no such flag, but --mode, --keypair, /],
  [['status', '--mode'], /^--mode: needs a value/],
  [['status', '--mode', '--days', '3'], /^--mode: needs a value/],
  [['rotate', '--mode', 'sandbox', '--at-once=no'], /^--at-once: takes no value/],
  [['retire', '--mode', 'sandbox', '--keypair', 'x', '--at-once'], /--at-once: is for rotate/],
  [['rotate', 'sandbox'], /written as --name value/],
])('the command line %j is refused', (words, message) => {
  expect(() => readChainFlags(words)).toThrow(UsageError);
  expect(() => readChainFlags(words)).toThrow(message);
});

describe('a keypair file', () => {
  it('is read as solana-keygen writes it', () => {
    const keypair = Keypair.generate();
    expect(readKeypairFile(keypairFile(keypair)).address).toBe(keypair.publicKey.toBase58());
  });

  it('that is missing, damaged, or whose halves do not fit is refused without showing a part of it', () => {
    const path = keypairFile(app.admin);
    expect(() => readKeypairFile(`${path}.gone`)).toThrow(/can't be read \(ENOENT\)/);
    const bytes = [...app.admin.secretKey];
    const others = [...bytes.slice(0, 32), ...Keypair.generate().secretKey.slice(32)];
    for (const text of ['', 'secret', '[1,2]', JSON.stringify(bytes.slice(1)), JSON.stringify(others), '{"a":1}']) {
      writeFileSync(path, text);
      expect(() => readKeypairFile(path)).toThrow(`${path} is no keypair file`);
    }
  });
});
