/**
 * What the network keeps, in one SQLite file: the accounts that transactions have written, what they held before in slots that are not
 * final, and every transaction that landed. A transaction is committed before it is answered, so a killed process loses nothing that it
 * had answered; `sync` limits what a power cut can lose. The file is locked: one process uses it at a time.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newGenesisHash } from '@fan-api/solana-wire/local-network';
import type { Account } from 'litesvm/dist/internal.js';
import { bytesOf, type Key, keyAt } from './key.ts';
import { LocalnetError } from './localnet-error.ts';
import { BLOCKHASH_LIFETIME, type Genesis } from './slot-clock.ts';
import type { TransactionErrorJson } from './transaction-error.ts';
import { accountOf, stateOf } from './vm.ts';

/** The instructions that the instruction at `index` invoked. */
export interface InnerInstructions {
  index: number;
  instructions: { program: number; accounts: number[]; data: string; stackHeight: number }[];
}

/** A transaction that the network executed and charged for, with what a client may ask about it. All bytes are base64. */
export interface LandedTransaction {
  slot: number;
  /** Unix seconds. */
  blockTime: number;
  /** Base58, as clients name it. */
  signature: string;
  wire: string;
  err: TransactionErrorJson | null;
  /** Lamports. */
  fee: number;
  /** Lamports of each account, in the message's order, before and after. */
  before: number[];
  after: number[];
  logs: string[];
  inner: InnerInstructions[];
  computeUnits: number;
  returnData: { programId: string; data: string } | null;
  loaded: { writable: string[]; readonly: string[] };
  /** The accounts that it changed. */
  written: string[];
}

/** The fields that are searched without reading the whole transaction. */
export type HistoryEntry = Pick<LandedTransaction, 'signature' | 'slot' | 'blockTime' | 'err'> & { id: number };

/** A landed transaction with what is kept beside it. */
export interface Landed {
  transaction: LandedTransaction;
  /** The hash of its message: duplicates are found by it. */
  message: Uint8Array;
  /** Micro-lamports per compute unit. */
  price: number;
  /** Every account that it names, and whether it may write it. */
  accounts: Map<Key, boolean>;
  /** The new states of the accounts that it changed, and those before it where its slot is not final immediately. */
  changes: { key: Key; now: Account | null; before?: Account | null }[];
}

export interface Page {
  before?: string | null | undefined;
  until?: string | null | undefined;
  limit: number;
}

export type Store = ReturnType<typeof openStore>;

const SCHEMA = `
  create table if not exists genesis (genesisHash text, startedAt integer, slotDuration integer, seed text);
  create table if not exists account (key blob primary key, state text) without rowid;
  create table if not exists earlier (key blob, slot integer, state text, primary key (key, slot)) without rowid;
  create table if not exists landed
    (id integer primary key, slot integer, signature text, blockTime integer, err text, message blob, price real, body text);
  create index if not exists landed_slot on landed (slot);
  create index if not exists landed_signature on landed (signature);
  create index if not exists landed_message on landed (message);
  create table if not exists mention
    (account blob, landed integer, writable integer, primary key (account, landed)) without rowid;
`;

/** How many transactions are kept, for `getTransaction` and `getSignaturesForAddress`; older ones are deleted at a start. */
const KEPT_TRANSACTIONS = 20_000;

/**
 * Opens the store of a folder, which is created where it is missing.
 * @param slotDuration milliseconds; of a new chain only
 * @throws LocalnetError folder_in_use
 */
export function openStore(folder: string, slotDuration: number, kept = KEPT_TRANSACTIONS) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(folder, 'chain.sqlite'));
  try {
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal');
    // `sync` copies the log into the file, so that no transaction waits for it
    database.exec('pragma wal_autocheckpoint = 0');
    database.exec(SCHEMA);
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)) throw error;
    const advice = `the local network in ${folder} is in use by another process; stop it, or choose another DATA_DIR`;
    throw new LocalnetError('folder_in_use', advice);
  }
  let failure: Error | undefined;

  const statements = {
    addLanded: database.prepare('insert into landed values (null, ?, ?, ?, ?, ?, ?, ?)'),
    addMention: database.prepare('insert into mention values (?, ?, ?)'),
    setAccount: database.prepare('insert or replace into account values (?, ?)'),
    keepEarlier: database.prepare('insert or ignore into earlier values (?, ?, ?)'),
    earlierAt: database.prepare('select state from earlier where key = ? and slot > ? order by slot limit 1'),
    dropEarlier: database.prepare('delete from earlier where slot <= ?'),
    lastId: database.prepare('select max(id) as id from landed where slot <= ?'),
    bySignature: database.prepare('select id, signature, slot, blockTime, err from landed where signature = ?'),
    ofAccount: database.prepare(`
      select id, signature, slot, blockTime, err from mention join landed on id = landed
       where account = ? and landed < ? and landed > ? and slot <= ? order by landed desc limit ?`),
    bodies: database.prepare('select body from landed where id > ? and id <= ? order by id'),
    byMessage: database.prepare('select id from landed where message = ? and slot <= ?'),
    fees: database.prepare(`
      select slot, max(lowest) as prioritizationFee from (
        select slot, min(price) as lowest from landed where slot > ?1 group by slot
        union all
        select slot, min(price) from mention join landed on id = landed
         where account in (select unhex(value) from json_each(?2)) and writable and slot > ?1 group by account, slot
      ) group by slot order by slot`),
  };

  function inOneTransaction(run: () => void): void {
    database.exec('begin');
    run();
    database.exec('commit');
  }

  function lastId(slot: number): number {
    return Number(statements.lastId.get(slot)?.id ?? 0);
  }

  function find(signature: string): HistoryEntry | undefined {
    const row = statements.bySignature.get(signature);
    return row && entryOf(row);
  }

  function removeLanded(condition: string, value: number): void {
    database.prepare(`delete from landed where ${condition}`).run(value);
    database.exec('delete from mention where landed not in (select id from landed)');
  }

  const highestSlot = () => Number(database.prepare('select max(slot) as slot from landed').get()?.slot ?? 0);
  const lastKept = `id <= (select max(id) from landed) - ${kept} and slot < ?`;
  inOneTransaction(() => removeLanded(lastKept, highestSlot() - BLOCKHASH_LIFETIME));

  return {
    genesis: openGenesis(database, slotDuration),
    highestSlot,
    accounts: (): [Key, Account][] =>
      database
        .prepare('select key, state from account')
        .all()
        .flatMap(({ key, state }) => {
          const account = accountOf(state as string | null);
          return account ? [[keyAt(key as Uint8Array), account]] : [];
        }),

    /** Keeps a transaction and what it changed. Throws where it cannot; the VM is then ahead, and the network must end. */
    add({ transaction, message, price, accounts, changes }: Landed): void {
      const { slot, signature, blockTime, err } = transaction;
      try {
        inOneTransaction(() => {
          const body = JSON.stringify(transaction);
          const values = [slot, signature, blockTime, JSON.stringify(err), message, price, body] as const;
          const { lastInsertRowid } = statements.addLanded.run(...values);
          for (const [key, writable] of accounts)
            statements.addMention.run(bytesOf(key), lastInsertRowid, Number(writable));
          for (const { key, now, before } of changes) {
            if (before !== undefined) statements.keepEarlier.run(bytesOf(key), slot, stateOf(before));
            statements.setAccount.run(bytesOf(key), stateOf(now));
          }
        });
      } catch (cause) {
        failure = new Error(`the chain in ${folder} cannot be written`, { cause });
        throw failure;
      }
    },
    failure: () => failure,

    /** What an account held at the end of `slot`; undefined where it has not changed since, so that the VM's state holds. */
    earlierAt(key: Key, slot: number): Account | null | undefined {
      const row = statements.earlierAt.get(bytesOf(key), slot);
      return row && accountOf(row.state as string | null);
    },
    /** The accounts that have changed after `slot`. */
    changedAfter: (slot: number): Key[] =>
      database
        .prepare('select distinct key from earlier where slot > ?')
        .all(slot)
        .map(({ key }) => keyAt(key as Uint8Array)),
    /** Forgets what no read from `root` on can ask for. */
    dropEarlier: (root: number): void => void statements.dropEarlier.run(root),

    find,
    /** How many transactions have landed up to and with a slot; they are numbered from one. */
    lastId,
    read: (id: number): LandedTransaction => JSON.parse(String(statements.bodies.get(id - 1, id)?.body)),
    /** Those after `from` up to and with `to`, in their order. */
    readBetween: (from: number, to: number): LandedTransaction[] =>
      statements.bodies.all(from, to).map(({ body }) => JSON.parse(String(body))),
    /** Up to slot `newest`, from the one after `before` (or the newest) down to the one before `until` (or the oldest). */
    newestFirst(account: Key, newest: number, { before, until, limit }: Page): HistoryEntry[] {
      const from = before ? (find(before)?.id ?? 0) : Number.MAX_SAFE_INTEGER;
      const to = until ? (find(until)?.id ?? 0) : 0;
      return statements.ofAccount.all(bytesOf(account), from, to, newest, limit).map(entryOf);
    },
    /** Whether a message has landed up to and with `slot`. */
    hasLanded: (message: Uint8Array, slot: number): boolean => statements.byMessage.get(message, slot) !== undefined,
    /** Of the slots after `slot`, oldest first: the highest of the slot's lowest price and those of the accounts. */
    pricesAfter: (slot: number, accounts: Key[]) =>
      statements.fees.all(slot, JSON.stringify(accounts.map((key) => bytesOf(key).toString('hex')))),

    /** Forgets all that happened after `slot`. @returns the accounts that it changed, as they were */
    forgetAfter(slot: number): [Key, Account | null][] {
      const changed = database.prepare('select distinct key from earlier where slot > ?').all(slot);
      const restored = changed.map(({ key }): [Key, Account | null] => {
        const at = keyAt(key as Uint8Array);
        return [at, accountOf((statements.earlierAt.get(bytesOf(at), slot)?.state ?? null) as string | null)];
      });
      inOneTransaction(() => {
        for (const [key, account] of restored) statements.setAccount.run(bytesOf(key), stateOf(account));
        database.prepare('delete from earlier where slot > ?').run(slot);
        removeLanded('slot > ?', slot);
      });
      return restored;
    },

    sync: (): void => database.exec('pragma wal_checkpoint(passive)'),
    close: (): void => database.close(),
  };
}

const SQLITE_BUSY = 5;

function entryOf(row: Record<string, unknown>): HistoryEntry {
  return { ...row, err: JSON.parse(String(row.err)) } as HistoryEntry;
}

/** The identity of the chain, made at its first start. Its genesis hash never changes, so that a start-up check can distinguish networks. */
function openGenesis(database: DatabaseSync, slotDuration: number): Genesis {
  const known = database.prepare('select * from genesis').get();
  if (known) return known as unknown as Genesis;
  const seed = randomBytes(32).toString('base64');
  const genesis: Genesis = { genesisHash: newGenesisHash(), startedAt: Date.now(), slotDuration, seed };
  database.prepare('insert into genesis values (?, ?, ?, ?)').run(...Object.values(genesis));
  return genesis;
}
