import { setTimeout as sleep } from 'node:timers/promises';
import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import type { AccountValues } from '@fan-api/cosign-policy/read-account';
import type { AccountName } from '@fan-api/ticket-program/description';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ask, at, CONFIRMED, FINALIZED, Slot, unavailable } from './ask.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';
import { ExecutedTransaction, type PermitTransfer, permitTransfersIn } from './permit-transfers.ts';
import {
  type AccountReading,
  isUnreadable,
  type PermitAccount,
  type RawAccount,
  readAccounts,
  readAnyAccounts,
  toPermit,
} from './read-accounts.ts';
import { type BlockhashValidity, createBlockhashReader } from './read-blockhash.ts';
import { readCost, type TransactionCost } from './read-cost.ts';
import { type HistoryCursor, type ProgramHistory, readAddresses, readHistory } from './read-history.ts';
import { type DeployedProgram, readProgram } from './read-program.ts';
import { createSigningStateReader, type SigningState } from './read-signing-state.ts';
import { createStatusReader, type TransactionStatus } from './read-statuses.ts';
import { type Submission, simulateTransaction, submitTransaction } from './submit-transaction.ts';

/**
 * All calls to a Solana cluster, one gateway per mode. Reads are at `confirmed`, with a time limit and retries. Every method throws
 * `DomainError('unavailable')` where the cluster is unreachable.
 */
export interface ChainGateway {
  readonly programId: string;
  genesisHash(): Promise<string>;
  /** The program's configuration; undefined before it is initialised. */
  config(): Promise<AccountValues<'Config'> | undefined>;
  /** As `config`, at `finalized`: no fork takes this back. */
  finalConfig(): Promise<AccountValues<'Config'> | undefined>;
  /** What is deployed at the program's address, and who may upgrade it. */
  program(): Promise<DeployedProgram>;
  /** An account of any program; undefined where there is none. */
  account(address: string): Promise<RawAccount | undefined>;
  /** Lamports that keep an account with so many bytes of data free of rent. */
  rentExemption(bytes: number): Promise<bigint>;
  /** The Event account at each address. */
  events(addresses: readonly string[]): Promise<AccountReading<AccountValues<'Event'>>[]>;
  /** The Permit account at each address. @param notBefore the slot that the state must have reached: one URL may serve lagging nodes */
  permits(addresses: readonly string[], notBefore?: number): Promise<AccountReading<PermitAccount>[]>;
  /** As `permits`, at `finalized`: no fork takes this back. */
  finalPermits(addresses: readonly string[], notBefore: number): Promise<AccountReading<PermitAccount>[]>;
  /** The accounts of one kind at the addresses, with all their fields, at `finalized`. */
  finalAccounts<Name extends AccountName>(
    name: Name,
    addresses: readonly string[],
  ): Promise<AccountReading<AccountValues<Name> & { slot: number }>[]>;
  /** What co-signing needs, read in one call and so at one slot. @param notBefore the slot that the state must have reached */
  signingState(permits: readonly string[], marketplaces: readonly string[], notBefore?: number): Promise<SigningState>;
  /** Whether a blockhash is valid, and the slot of the answer. @param notBefore a lagging node does not have a new blockhash */
  blockhash(blockhash: string, notBefore?: number): Promise<BlockhashValidity>;
  latestBlockhash(): Promise<string>;
  /** A new blockhash, the last block height at which it is good, and the slot of the answer. */
  freshBlockhash(): Promise<FreshBlockhash>;
  /** The newest finalized block. */
  finality(): Promise<{ slot: number; height: number }>;
  /** What transactions that wrote to these accounts paid lately, in micro-lamports per compute unit, one per slot. */
  priorityFees(accounts: readonly string[]): Promise<number[]>;
  /** What a landed transaction of `payer` cost, in lamports; undefined where the node does not have it. */
  costOf(signature: string): Promise<TransactionCost | undefined>;
  /** The status of each transaction, including old ones. */
  statuses(signatures: readonly string[]): Promise<TransactionStatus[]>;
  /** The transfers logged by a landed transaction, none where it failed. Undefined where the node does not have it. */
  permitTransfers(signature: string): Promise<PermitTransfer[] | undefined>;
  /** Sends a signed transaction, once. @param notBefore the slot that the node's preflight must have reached */
  submit(transaction: Uint8Array, notBefore?: number): Promise<Submission>;
  /** Why the cluster would refuse a signed transaction; undefined where it would run it. Nothing is sent on. */
  dryRun(transaction: Uint8Array): Promise<string | undefined>;
  /** The program's transactions after `since`; some of the newest where it is null. */
  programSignatures(since: HistoryCursor | null): Promise<ProgramHistory>;
  /** The addresses in a landed transaction, with those of lookup tables; undefined where the node does not serve it. */
  addressesIn(signature: string): Promise<string[] | undefined>;
  /** Test networks only: lamports from the faucet. */
  airdrop(address: string, lamports: number): Promise<void>;
}

/** A blockhash for a new transaction. */
export interface FreshBlockhash {
  /** Base58. */
  readonly blockhash: string;
  readonly lastValidHeight: number;
  readonly slot: number;
}

const READ_TIMEOUT_MS = 4_000;
const READ_ATTEMPTS = 3;
/** The price of rent changes with a release of the cluster at most. */
const RENT_CACHED_MS = 60_000;

const AIRDROP_POLL_MS = 200;
const AIRDROP_POLLS = 150;

const LatestBlockhash = at(z.object({ blockhash: z.string(), lastValidBlockHeight: Slot }));
const EpochInfo = z.object({ absoluteSlot: Slot, blockHeight: Slot });
const PriorityFees = z.array(z.object({ prioritizationFee: z.number().nonnegative() }));

/** A gateway to the cluster at an RPC URL. @param watched wraps its client, to measure the calls */
export function createGateway(
  { rpcUrl, programId }: { rpcUrl: string; programId: string },
  watched = (rpc: JsonRpc) => rpc,
): ChainGateway {
  const rpc = watched(createJsonRpc(rpcUrl, { timeout: READ_TIMEOUT_MS, attempts: READ_ATTEMPTS }));
  const rents = new LRUCache<number, bigint>({ max: 20, ttl: RENT_CACHED_MS });

  const accounts = <Name extends AccountName>(name: Name, addresses: readonly string[], notBefore?: number) =>
    readAccounts(rpc, programId, name, addresses, notBefore);

  async function config(final: boolean) {
    const [config] = await readAccounts(rpc, programId, 'Config', [configAddress(programId).address], 0, final);
    if (isUnreadable(config)) throw unavailable(new Error(config.reason));
    return config;
  }

  async function permits(addresses: readonly string[], notBefore: number | undefined, final: boolean) {
    const found = await readAccounts(rpc, programId, 'Permit', addresses, notBefore, final);
    return found.map((permit) => (permit === undefined || isUnreadable(permit) ? permit : toPermit(permit)));
  }

  async function freshBlockhash(): Promise<FreshBlockhash> {
    const { value, context } = await ask(rpc, LatestBlockhash, 'getLatestBlockhash', [CONFIRMED]);
    return { blockhash: value.blockhash, lastValidHeight: value.lastValidBlockHeight, slot: context.slot };
  }

  const signingState = createSigningStateReader(rpc, programId);
  const statuses = createStatusReader(rpc);

  return {
    programId,
    statuses,
    signingState: (permits, marketplaces, notBefore = 0) => signingState({ permits, marketplaces, notBefore }),
    genesisHash: () => ask(rpc, z.string(), 'getGenesisHash', []),
    config: () => config(false),
    finalConfig: () => config(true),
    program: () => readProgram(rpc, programId),
    account: async (address) => (await readAnyAccounts(rpc, [address]))[0],
    async rentExemption(bytes) {
      const rent = rents.get(bytes) ?? BigInt(await ask(rpc, Slot, 'getMinimumBalanceForRentExemption', [bytes]));
      rents.set(bytes, rent);
      return rent;
    },
    events: (addresses) => accounts('Event', addresses),
    permits: (addresses, notBefore) => permits(addresses, notBefore, false),
    finalPermits: (addresses, notBefore) => permits(addresses, notBefore, true),
    finalAccounts: (name, addresses) => readAccounts(rpc, programId, name, addresses, 0, true),
    blockhash: createBlockhashReader(rpc),
    latestBlockhash: async () => (await freshBlockhash()).blockhash,
    freshBlockhash,
    async finality() {
      const { absoluteSlot, blockHeight } = await ask(rpc, EpochInfo, 'getEpochInfo', [FINALIZED]);
      return { slot: absoluteSlot, height: blockHeight };
    },
    async priorityFees(addresses) {
      const fees = await ask(rpc, PriorityFees, 'getRecentPrioritizationFees', [addresses]);
      return fees.map(({ prioritizationFee }) => prioritizationFee);
    },
    costOf: (signature) => readCost(rpc, signature),
    async permitTransfers(signature) {
      const options = { ...CONFIRMED, encoding: 'base64', maxSupportedTransactionVersion: 0 };
      return permitTransfersIn(await ask(rpc, ExecutedTransaction, 'getTransaction', [signature, options]));
    },
    submit: (transaction, notBefore) => submitTransaction(rpc, transaction, notBefore),
    dryRun: (transaction) => simulateTransaction(rpc, transaction),
    programSignatures: (since) => readHistory(rpc, programId, since),
    addressesIn: (signature) => readAddresses(rpc, signature),
    async airdrop(address, lamports) {
      const signature = await ask(rpc, z.string(), 'requestAirdrop', [address, lamports, CONFIRMED]);
      for (let poll = 0; poll < AIRDROP_POLLS; poll++) {
        if ((await statuses([signature]))[0]?.state === 'confirmed') return;
        await sleep(AIRDROP_POLL_MS);
      }
      throw unavailable(new Error(`the airdrop ${signature} was not confirmed`));
    },
  };
}
