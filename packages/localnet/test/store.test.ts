import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLocalProgram } from '@fan-api/ticket-program/local-program';
import { Keypair, PublicKey } from '@solana/web3.js';
import { Account } from 'litesvm/dist/internal.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountAtSlot } from '../src/account-at-slot.ts';
import { airdrop } from '../src/faucet.ts';
import { keyAt } from '../src/key.ts';
import { type Ledger, type LedgerOptions, openLedger } from '../src/ledger.ts';
import { openStore } from '../src/store.ts';
import { AT_ONCE } from './test-network.ts';

describe('what the local network keeps', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'localnet-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (options: Partial<LedgerOptions> = {}) =>
    openLedger({ folder, programs: [], slotDuration: 400, delays: AT_ONCE, ...options });
  const key = () => keyAt(Keypair.generate().publicKey.toBytes());

  /** @returns the signature */
  function give(ledger: Ledger, to: ReturnType<typeof key>): string {
    const landing = airdrop(ledger, to, 1_000_000_000n);
    if ('refused' in landing) throw new Error(JSON.stringify(landing.refused));
    return landing.landed.signature;
  }

  test('transactions beyond the kept ones go at a start once their blockhashes have expired, the accounts and the count stay', () => {
    const ledger = open();
    const to = key();
    const signatures = Array.from({ length: 5 }, () => give(ledger, to));
    ledger.store.close();
    const kept = (store = openStore(folder, 400, 2)) => {
      const found = signatures.map((signature) => store.find(signature) !== undefined);
      const count = store.lastId(store.highestSlot());
      store.close();
      return { found, count };
    };
    expect(kept()).toEqual({ found: Array(5).fill(true), count: 5 });
    const later = open();
    later.clock.skip(160);
    signatures.push(give(later, to));
    later.store.close();
    expect(kept()).toEqual({ found: [false, false, false, false, true, true], count: 6 });
    expect(accountAtSlot(open(), to, 0)?.lamports()).toBe(6_000_000_000n);
  });

  test('earlier states of accounts are kept until they are final, and not where all is final at once', () => {
    const ledger = open({ delays: { confirmed: 1, finalized: 3 } });
    const to = key();
    give(ledger, to);
    const slot = ledger.clock.slot();
    ledger.clock.skip(1);
    give(ledger, to);
    const before = () => ledger.store.earlierAt(to, slot)?.lamports();
    expect(before()).toBe(1_000_000_000n);
    ledger.clock.skip(4);
    give(ledger, key());
    expect(before()).toBeUndefined();
    ledger.store.close();
    const atOnce = open();
    give(atOnce, to);
    expect(atOnce.store.earlierAt(to, 0)).toBeUndefined();
  });

  test('the code of a program is that of the start, whatever the folder holds of it', () => {
    const elf = readLocalProgram().elf;
    const id = Keypair.generate().publicKey;
    const programs = [{ id: id.toBase58(), elf }];
    const ledger = open({ programs });
    const balance = ledger.vm.getBalance(id.toBytes());
    const landing = airdrop(ledger, keyAt(id.toBytes()), 1_000_000_000n);
    expect('landed' in landing && landing.landed.written.length).toBe(2);
    ledger.store.close();
    expect(open({ programs }).vm.getBalance(id.toBytes())).toBe(balance);
  });

  test.each([
    ['of the version that it writes', 2, undefined],
    ['of the version before', 1, 'other_version'],
    ['of no version at all', undefined, 'other_version'],
  ])('a chain that holds an account of a program, %s: %s, %s', (_, version, code) => {
    const { id, elf, accountVersion } = { ...readLocalProgram(), accountVersion: 2 };
    const programs = [{ id, elf, accountVersion }];
    const ledger = open({ programs });
    const landing = airdrop(ledger, key(), 1_000_000_000n);
    if ('refused' in landing) throw new Error(JSON.stringify(landing.refused));
    const data = Buffer.from([...new Uint8Array(8), ...(version === undefined ? [] : [version])]);
    const now = new Account(1_000_000n, data, new PublicKey(id).toBytes(), false, 0n);
    const rest = { message: new Uint8Array(32), price: 0, accounts: new Map() };
    ledger.store.add({ transaction: landing.landed, ...rest, changes: [{ key: key(), now }] });
    ledger.store.close();
    const reopened = () => open({ programs }).store.close();
    if (code === undefined) return expect(reopened).not.toThrow();
    expect(reopened).toThrow(expect.objectContaining({ name: 'LocalnetError', code }));
    // it leaves the folder free
    open().store.close();
  });
});
