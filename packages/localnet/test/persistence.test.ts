import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rpc, STANDING_STILL, signatureIn, startTestNetwork, transferBytes } from './test-network.ts';

describe('what the local network keeps in its folder', () => {
  let dataDir: string;
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'localnet-'));
    folders.push(dataDir);
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  /** Runs `npm run localnet` on a free port. */
  async function spawnNetwork(): Promise<{ child: ChildProcess; connection: Connection }> {
    const main = new URL('../src/main.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [main, '--port', '0', '--data-dir', dataDir], {
      stdio: ['ignore', 'pipe', 2],
    });
    children.push(child);
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout?.on('data', (chunk) => {
        output += String(chunk);
        const found = /http:\S+(?=.*\n)/.exec(output)?.[0];
        if (found) resolve(found);
      });
      child.once('exit', () => reject(new Error(`the network did not start: ${output}`)));
    });
    return { child, connection: new Connection(url, 'confirmed') };
  }

  test('a restart keeps accounts, history, statuses, blockhashes, slot and genesis hash, and refuses a replay', async () => {
    const first = await startTestNetwork({ dataDir });
    const payer = await first.funded();
    const drained = await first.funded();
    const to = Keypair.generate().publicKey;
    const { blockhash } = await first.connection.getLatestBlockhash();
    const bytes = transferBytes(payer, to, 1_000_000, blockhash);
    const signature = await first.connection.sendRawTransaction(bytes);
    await first.connection.sendRawTransaction(transferBytes(drained, payer.publicKey, 9_999_995_000, blockhash));
    const genesis = await first.connection.getGenesisHash();
    const told = await first.connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    const slot = await first.connection.getSlot();
    await first.stop();

    const { connection, remove } = await startTestNetwork({ dataDir });
    try {
      expect(await connection.getBalance(to)).toBe(1_000_000);
      expect(await connection.getAccountInfo(drained.publicKey)).toBeNull();
      expect(await connection.getGenesisHash()).toBe(genesis);
      expect(await connection.getSlot()).toBeGreaterThanOrEqual(slot);
      expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull();
      const again = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
      expect(again).toEqual(told);
      expect((await connection.getSignaturesForAddress(to)).map((entry) => entry.signature)).toEqual([signature]);
      await expect(connection.sendRawTransaction(bytes)).rejects.toThrow('already been processed');
      await connection.sendRawTransaction(bytes, { skipPreflight: true });
      expect(await connection.getBalance(to)).toBe(1_000_000);
      await connection.sendRawTransaction(transferBytes(payer, to, 1_000_001, blockhash));
      expect(await connection.getBalance(to)).toBe(2_000_001);
    } finally {
      await remove();
    }
  });

  test('kill -9 in the middle of the work loses nothing that was answered, and a replay stays refused', async () => {
    const { child, connection } = await spawnNetwork();
    const ended = once(child, 'exit');
    const payer = Keypair.generate();
    await connection.requestAirdrop(payer.publicKey, 10_000_000_000);
    const to = Keypair.generate().publicKey;
    const { blockhash } = await connection.getLatestBlockhash();
    const transfers = Array.from({ length: 300 }, (_, index) => transferBytes(payer, to, 1_000_000 + index, blockhash));
    const answered: Uint8Array[] = [];
    const unsent = [...transfers];
    // ten at a time, so that the kill finds some answered, some on their way and most unsent, however fast the machine is
    const sending = Array.from({ length: 10 }, async () => {
      for (let bytes = unsent.shift(); bytes !== undefined; bytes = unsent.shift()) {
        await connection.sendRawTransaction(bytes, { skipPreflight: true });
        answered.push(bytes);
        if (answered.length === 100) child.kill('SIGKILL');
      }
    });
    await Promise.allSettled(sending);
    await ended;
    expect(answered.length).toBeGreaterThanOrEqual(100);
    expect(answered.length).toBeLessThan(300);

    const restarted = await startTestNetwork({ dataDir });
    const statuses = await Promise.all(
      answered.map(async (bytes) => (await restarted.connection.getSignatureStatus(signatureIn(bytes))).value),
    );
    expect(statuses.every((status) => status !== null && status.err === null)).toBe(true);
    const history = await restarted.connection.getSignaturesForAddress(to);
    const landed = transfers.filter((bytes) => history.some(({ signature }) => signature === signatureIn(bytes)));
    const sum = landed.reduce((total, bytes) => total + 1_000_000 + transfers.indexOf(bytes), 0);
    expect(await restarted.connection.getBalance(to)).toBe(sum);
    const replay = restarted.connection.sendRawTransaction(answered[0] ?? new Uint8Array());
    await expect(replay).rejects.toThrow('already been processed');
    await restarted.stop();
  });

  test.each(['a kill', 'an ordinary end'])(
    'after %s each commitment sees what it would have seen, and what was not final yet becomes final',
    async (end) => {
      const options = { slotDuration: STANDING_STILL, delays: { confirmed: 4, finalized: 12 } };
      const first = await startTestNetwork({ dataDir, ...options });
      await rpc(first.url, 'passSlots', [20]);
      const payer = await first.funded();
      const to = Keypair.generate().publicKey;
      const { blockhash } = await first.connection.getLatestBlockhash('processed');
      const skipped = { skipPreflight: true };
      await first.connection.sendRawTransaction(transferBytes(payer, to, 1_000_000, blockhash), skipped);
      await rpc(first.url, 'passSlots', [4]);
      const next = transferBytes(payer, to, 2_000_000, blockhash);
      const signature = await first.connection.sendRawTransaction(next, skipped);
      const { transactionCount: count } = await first.connection.getEpochInfo('processed');
      const left = await mkdtemp(join(tmpdir(), 'localnet-'));
      folders.push(left);
      // what a kill would leave
      const copy = () => cp(dataDir, left, { recursive: true });
      if (end === 'a kill') await copy();
      await first.stop();
      if (end !== 'a kill') await copy();

      const again = await startTestNetwork({ dataDir: left, ...options });
      const balances = () =>
        Promise.all(
          (['processed', 'confirmed', 'finalized'] as const).map((each) => again.connection.getBalance(to, each)),
        );
      const stage = async () => (await again.connection.getSignatureStatus(signature)).value?.confirmationStatus;
      expect([await stage(), ...(await balances())]).toEqual(['processed', 3_000_000, 1_000_000, 0]);
      expect((await again.connection.getEpochInfo('processed')).transactionCount).toBe(count);
      await rpc(again.url, 'passSlots', [4]);
      expect([await stage(), ...(await balances())]).toEqual(['confirmed', 3_000_000, 3_000_000, 0]);
      await rpc(again.url, 'passSlots', [8]);
      expect([await stage(), ...(await balances())]).toEqual(['finalized', 3_000_000, 3_000_000, 3_000_000]);
      await again.stop();
    },
  );

  test('a second network on a folder in use is refused; npm run localnet frees it on SIGTERM', async () => {
    const { child, connection } = await spawnNetwork();
    await expect(startTestNetwork({ dataDir })).rejects.toMatchObject({
      name: 'LocalnetError',
      code: 'folder_in_use',
      message: expect.stringContaining(`${dataDir}/localnet is in use by another process`),
    });
    await connection.requestAirdrop(Keypair.generate().publicKey, 1_000_000_000);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);

    const own = await startTestNetwork({ dataDir });
    await expect(startTestNetwork({ dataDir })).rejects.toMatchObject({ code: 'folder_in_use' });
    await own.stop();
    await own.stop();
    await (await startTestNetwork({ dataDir })).stop();
  });

  test('a taken port is refused as such, and leaves the folder free', async () => {
    const other = await startTestNetwork();
    try {
      for (const port of [other.port, other.port + 1, other.port - 1]) {
        await expect(startTestNetwork({ dataDir, port })).rejects.toMatchObject({ code: 'port_taken' });
      }
      await (await startTestNetwork({ dataDir })).stop();
    } finally {
      await other.remove();
    }
  });
});
