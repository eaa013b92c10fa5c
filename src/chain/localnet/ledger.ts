/**
 * The ledger: the VM with what a cluster adds around it. It owns the recent blockhashes, the refusal of duplicates, the
 * record of what landed, and the state on disk. Everything here is synchronous and belongs to one worker thread.
 */
import { createHash } from 'node:crypto';
import { FailedTransactionMetadata, type LiteSvm, type TransactionMetadata } from 'litesvm/dist/internal.js';
import { encodeBase58 } from '../base58.ts';
import { bytesOf, type Key, keyAt } from './key.ts';
import { accountsOf, type MessageAccounts } from './message-accounts.ts';
import { BLOCKHASH_LIFETIME, type Genesis, type SlotClock } from './slot-clock.ts';
import type { History } from './store/history.ts';
import type { Journal } from './store/journal.ts';
import type { LandedTransaction } from './store/landed-transaction.ts';
import { errorJsonOf, type TransactionErrorJson } from './transaction-error.ts';
import { transactionFee } from './transaction-fee.ts';
import { accountAt, setClock, storedAccountAt } from './vm.ts';
import type { WireTransaction } from './wire-transaction.ts';

export interface Ledger {
  genesis: Genesis;
  clock: SlotClock;
  vm: LiteSvm;
  journal: Journal;
  history: History;
  /** Hashes of the messages that landed while their blockhash may still be valid, with the slot; oldest first. */
  landedMessages: Map<string, number>;
  /** Every account that a transaction has written: what a snapshot holds. */
  touched: Set<Key>;
  /** The slot the VM's clock shows. */
  clockSlot: number;
  /** Whether anything landed since the last snapshot. */
  dirty: boolean;
}

/** What became of a transaction. A refused one changed nothing and cost nothing. */
export type Landing = { landed: LandedTransaction; accounts: MessageAccounts } | { refused: TransactionErrorJson };

/**
 * Executes a transaction and records it, before anything is answered.
 * @param verified whether its signatures were found good a moment ago: to look again takes longer than to execute it
 */
export function landTransaction(ledger: Ledger, transaction: WireTransaction, verified = false): Landing {
  const { vm } = ledger;
  const { slot, blockTime } = tick(ledger);
  const refused = checkAge(ledger, transaction);
  if (refused) return { refused };
  const accounts = accountsOf(transaction.message, (key) => accountAt(vm, key)?.data());
  if (!accounts) return { refused: 'AddressLookupTableNotFound' };
  const before = balancesOf(vm, accounts.keys);
  const result = execute(vm, transaction.wire, verified);
  const after = balancesOf(vm, accounts.keys);
  const err = result instanceof FailedTransactionMetadata ? errorJsonOf(result) : null;
  // A failed transaction is part of the chain when its fee was taken; else it never got there.
  if (err !== null && before[0] === after[0]) return { refused: err };

  const writtenKeys = accounts.keys.filter((_, index) => accounts.writable[index]);
  const landed: LandedTransaction = {
    slot,
    blockTime,
    signature: signatureOf(transaction),
    wire: Buffer.from(transaction.wire).toString('base64'),
    err,
    fee: Number(transactionFee(transaction.message)),
    before,
    after,
    ...executionOf(result instanceof FailedTransactionMetadata ? result.meta() : result),
    loaded: { writable: accounts.loaded.writable.map(toBase64), readonly: accounts.loaded.readonly.map(toBase64) },
    written: writtenKeys.flatMap((key) => storedAccountAt(vm, key) ?? []),
  };
  const place = ledger.journal.append(landed);
  ledger.history.add({ signature: landed.signature, slot, blockTime, err, place }, accounts.keys);
  rememberMessage(ledger, transaction.messageBytes, slot);
  for (const key of writtenKeys) ledger.touched.add(key);
  ledger.dirty = true;
  return { landed, accounts };
}

function execute(vm: LiteSvm, wire: Uint8Array, verified: boolean) {
  vm.setSigverify(!verified);
  try {
    return vm.sendVersionedTransaction(wire);
  } finally {
    vm.setSigverify(true);
  }
}

export interface SimulationOptions {
  verifySignatures: boolean;
  /** Take the newest blockhash in place of the transaction's own, and so check neither its age nor for a duplicate. */
  replaceBlockhash: boolean;
}

export interface Simulation {
  err: TransactionErrorJson | null;
  execution: Execution;
  accounts: MessageAccounts;
  /** What the accounts would hold; empty when the execution failed. */
  after: ReturnType<LiteSvm['getProgramAccounts']>;
}

/** Executes a transaction without keeping anything of it. */
export function simulate(ledger: Ledger, transaction: WireTransaction, options: SimulationOptions): Simulation {
  const { vm } = ledger;
  tick(ledger);
  const accounts = accountsOf(transaction.message, (key) => accountAt(vm, key)?.data());
  const early = options.replaceBlockhash ? undefined : checkAge(ledger, transaction);
  const err = early ?? (accounts ? undefined : 'AddressLookupTableNotFound');
  const none: MessageAccounts = { keys: [], writable: [], loaded: { writable: [], readonly: [] } };
  if (err !== undefined || !accounts) return { err: err ?? null, execution: NO_EXECUTION, accounts: none, after: [] };
  vm.setSigverify(options.verifySignatures);
  try {
    const result = vm.simulateVersionedTransaction(transaction.wire);
    const execution = executionOf(result.meta());
    if (result instanceof FailedTransactionMetadata)
      return { err: errorJsonOf(result), execution, accounts, after: [] };
    return { err: null, execution, accounts, after: result.postAccounts() };
  } finally {
    vm.setSigverify(true);
  }
}

/** Brings the VM's clock to this moment. */
function tick(ledger: Ledger): { slot: number; blockTime: number } {
  const slot = ledger.clock.slot();
  const blockTime = Math.floor(Date.now() / 1000);
  if (slot !== ledger.clockSlot) setClock(ledger.vm, slot, blockTime, ledger.clock.blockhashAt);
  ledger.clockSlot = slot;
  return { slot, blockTime };
}

/** A cluster asks for the age first: an old transaction is told `BlockhashNotFound`, even if it once landed. */
function checkAge({ clock, landedMessages }: Ledger, transaction: WireTransaction): TransactionErrorJson | undefined {
  if (clock.validSlotOf(transaction.message.blockhash) === undefined) return 'BlockhashNotFound';
  if (landedMessages.has(messageHash(transaction.messageBytes))) return 'AlreadyProcessed';
  return undefined;
}

/**
 * Notes a message as landed. It is the message that counts, not the signature: who signs the same message again, with
 * another nonce, has another signature.
 */
export function rememberMessage(
  { landedMessages }: Pick<Ledger, 'landedMessages'>,
  message: Uint8Array,
  slot: number,
): void {
  for (const [hash, at] of landedMessages) {
    if (at >= slot - BLOCKHASH_LIFETIME) break;
    landedMessages.delete(hash);
  }
  landedMessages.set(messageHash(message), slot);
}

function messageHash(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('base64');
}

/** The name of a transaction: its first signature in base58. */
export function signatureOf({ signatures }: WireTransaction): string {
  return encodeBase58(signatures[0] ?? new Uint8Array());
}

function balancesOf(vm: LiteSvm, keys: Key[]): number[] {
  return keys.map((key) => Number(vm.getBalance(bytesOf(key)) ?? 0n));
}

type Execution = Pick<LandedTransaction, 'logs' | 'inner' | 'computeUnits' | 'returnData'>;

const NO_EXECUTION: Execution = { logs: [], inner: [], computeUnits: 0, returnData: null };

function executionOf(metadata: TransactionMetadata): Execution {
  const returned = metadata.returnData();
  const inner = metadata.innerInstructions().map((invoked, index) => ({
    index,
    instructions: invoked.map((entry) => ({
      program: entry.instruction().programIdIndex(),
      accounts: [...entry.instruction().accounts()],
      data: Buffer.from(entry.instruction().data()).toString('base64'),
      stackHeight: entry.stackHeight(),
    })),
  }));
  return {
    logs: metadata.logs(),
    inner: inner.filter(({ instructions }) => instructions.length > 0),
    computeUnits: Number(metadata.computeUnitsConsumed()),
    returnData:
      returned.data().length === 0
        ? null
        : { programId: toBase64(keyAt(returned.programId())), data: Buffer.from(returned.data()).toString('base64') },
  };
}

function toBase64(key: Key): string {
  return bytesOf(key).toString('base64');
}
