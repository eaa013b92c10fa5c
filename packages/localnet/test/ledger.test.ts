import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLocalGenesisHash } from '@fan-api/solana-wire/local-network';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { Keypair } from '@solana/web3.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { airdrop } from '../src/faucet.ts';
import { bytesOf, keyAt } from '../src/key.ts';
import { type Ledger, tick } from '../src/ledger.ts';
import { keepLedger, openLedger, saveLedger } from '../src/open-ledger.ts';

describe('journal and snapshots of the local network', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'localnet-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (slotDuration = 400) => openLedger({ folder, programs: [], slotDuration, warn: expect.unreachable });
  const key = () => keyAt(Keypair.generate().publicKey.toBytes());

  /** @returns the signature */
  function give(ledger: Ledger, to: ReturnType<typeof key>): string {
    const landing = airdrop(ledger, to, 1_000_000_000n);
    if ('refused' in landing) throw new Error(JSON.stringify(landing.refused));
    return landing.landed.signature;
  }

  const segments = () => readdirSync(folder).filter((name) => name.startsWith('transactions-'));
  const tiny = { segmentBytes: 1, keptSegments: 2 };

  test('a full segment is closed with a snapshot, and the start after a kill needs both', () => {
    const before = open();
    const [one, two] = [key(), key()];
    const signatures = [give(before, one)];
    keepLedger(before, folder, tiny);
    signatures.push(give(before, two), give(before, one));
    expect(segments()).toHaveLength(2);

    const after = open();
    expect(after.vm.getBalance(bytesOf(one))).toBe(2_000_000_000n);
    expect(after.vm.getBalance(bytesOf(two))).toBe(1_000_000_000n);
    expect(after.landedMessages.size).toBe(3);
    for (const signature of signatures) {
      const entry = after.history.find(signature);
      expect(entry && after.journal.read(entry.place).signature).toBe(signature);
    }
  });

  test('history older than the kept segments goes once its blockhashes have expired, the accounts stay', () => {
    const ledger = open();
    const to = key();
    const old = give(ledger, to);
    for (let index = 0; index < 5; index++) {
      keepLedger(ledger, folder, tiny);
      give(ledger, to);
    }
    expect(ledger.history.find(old)).toBeDefined();
    ledger.clock.skip(160);
    keepLedger(ledger, folder, tiny);
    expect(ledger.history.find(old)).toBeUndefined();
    expect(ledger.history.ofAccount(to).length).toBeLessThan(6);
    expect(segments().length).toBeLessThanOrEqual(3);
    ledger.journal.close();
    expect(open().vm.getBalance(bytesOf(to))).toBe(6_000_000_000n);
  });

  test('earlier states of accounts are dropped once they are final, and none are kept where all is final at once', () => {
    const delays = { confirmed: 1, finalized: 3 };
    const ledger = openLedger({ folder, programs: [], slotDuration: 400, delays, warn: expect.unreachable });
    const to = key();
    for (let index = 0; index < 200; index++) {
      give(ledger, to);
      give(ledger, key());
      // at most four slots, each with the faucet, the account and the new ones
      expect([...ledger.versions.entries()].length).toBeLessThan(100);
      if (index % 10 === 9) ledger.clock.skip(1);
    }
    ledger.clock.skip(4);
    tick(ledger);
    expect([...ledger.versions.entries()]).toEqual([]);
    ledger.journal.close();

    const atOnce = { confirmed: 0, finalized: 0 };
    const second = openLedger({ folder, programs: [], slotDuration: 20, delays: atOnce, warn: expect.unreachable });
    give(second, to);
    expect([...second.versions.entries()]).toEqual([]);
  });

  test('a folder from before the genesis hash was marked gets a marked one, and keeps all else', () => {
    const first = open();
    const to = key();
    give(first, to);
    first.journal.close();
    const path = join(folder, 'genesis.json');
    const old = { ...first.genesis, genesisHash: Keypair.generate().publicKey.toBase58() };
    expect(isLocalGenesisHash(old.genesisHash)).toBe(false);
    writeFileSync(path, JSON.stringify(old));
    const second = open();
    expect(isLocalGenesisHash(second.genesis.genesisHash)).toBe(true);
    expect(second.genesis).toEqual({ ...old, genesisHash: second.genesis.genesisHash });
    expect(second.vm.getBalance(bytesOf(to))).toBe(1_000_000_000n);
    expect(open().genesis).toEqual(second.genesis);
  });

  test('a snapshot is taken only when something landed', () => {
    const ledger = open();
    saveLedger(ledger, folder);
    expect(readdirSync(folder)).not.toContain('snapshot.json');
    give(ledger, key());
    saveLedger(ledger, folder);
    expect(readdirSync(folder)).toContain('snapshot.json');
  });

  test('a damaged snapshot is refused by its name', () => {
    writeFileSync(join(folder, 'snapshot.json'), '{"version":1');
    expect(() => open()).toThrow(/snapshot\.json is damaged/);
    writeFileSync(join(folder, 'snapshot.json'), '{"version":2,"accounts":[]}');
    expect(() => open()).toThrow(/version 2/);
  });

  test('the code of a program is that of the start, whatever the folder holds of it', () => {
    const elf = readLocalProgram().elf;
    const id = Keypair.generate().publicKey;
    const openWith = () =>
      openLedger({ folder, programs: [{ id: id.toBase58(), elf }], slotDuration: 400, warn: expect.unreachable });
    const ledger = openWith();
    const balance = ledger.vm.getBalance(id.toBytes());
    const landing = airdrop(ledger, keyAt(id.toBytes()), 1_000_000_000n);
    expect('landed' in landing && landing.landed.written.length).toBe(2);
    saveLedger(ledger, folder);
    expect(openWith().vm.getBalance(id.toBytes())).toBe(balance);
  });

  test('what lands after a snapshot in the same segment is applied on top of it', () => {
    const ledger = open();
    const to = key();
    give(ledger, to);
    saveLedger(ledger, folder);
    give(ledger, to);
    expect(open().vm.getBalance(bytesOf(to))).toBe(2_000_000_000n);
  });
});
