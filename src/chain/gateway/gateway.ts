import { setTimeout as sleep } from 'node:timers/promises';
import { configAddress } from '@fan-api/cosign-policy/program-addresses';
import type { AccountValues } from '@fan-api/cosign-policy/read-account';
import type { AccountName } from '@fan-api/ticket-program/description';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { ask, at, CONFIRMED, FINALIZED, Slot, unavailable } from './ask.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';
import {
  type AccountReading,
  isUnreadable,
  type PermitAccount,
  type RawAccount,
  readAccounts,
  readAnyAccounts,
  toPermit,
} from './read-accounts.ts';
import { type HistoryCursor, type ProgramHistory, readHistory } from './read-history.ts';
import { type Payment, readPayment } from './read-payment.ts';
import { type DeployedProgram, readProgram } from './read-program.ts';
import { createSigningStateReader, type SigningState } from './read-signing-state.ts';
import { createStatusReader } from './read-statuses.ts';
import {
  type PermitTransfer,
  readAddresses,
  readCost,
  readTransfers,
  type TransactionCost,
} from './read-transaction.ts';
import { type Submission, simulateTransaction, submitTransaction } from './submit-transaction.ts';

/**
 * All calls to a Solana cluster, one gateway per mode. Reads are at `confirmed`, with a time limit and retries. Every method throws
 * `DomainError('unavailable')` where the cluster is unreachable. What is `final` is read at `finalized`: no fork undoes it. One URL may
 * serve nodes that lag: `notBefore` is the slot that an answer must have reached.
 */
export type ChainGateway = Readonly<ReturnType<typeof createGateway>>;

/** A blockhash for a new transaction. */
interface FreshBlockhash {
  /** Base58. */
  readonly blockhash: string;
  readonly lastValidHeight: number;
  readonly slot: number;
}

const READ_TIMEOUT_MS = 4_000;
const READ_ATTEMPTS = 3;
/** The price of rent changes only with a release of the cluster. */
const RENT_CACHED_MS = 60_000;

/** More than a payer pays while no process looks. */
const MOST_PAYMENT_PAGES = 200;

const AIRDROP_POLL_MS = 200;
const AIRDROP_POLLS = 150;

const LatestBlockhash = at(z.object({ blockhash: z.string(), lastValidBlockHeight: Slot }));
const EpochInfo = z.object({ absoluteSlot: Slot, blockHeight: Slot });
const PriorityFees = z.array(z.object({ prioritizationFee: z.number().nonnegative() }));

/** A gateway to the cluster at an RPC URL. @param watched wraps its client, to measure the calls */
export function createGateway(
  { rpcUrl, programId }: { rpcUrl: string; programId: string },
  watched = (rpc: JsonRpc) => rpc,
) {
  const rpc = watched(createJsonRpc(rpcUrl, { timeout: READ_TIMEOUT_MS, attempts: READ_ATTEMPTS }));
  const rents = new LRUCache<number, bigint>({ max: 20, ttl: RENT_CACHED_MS });

  const accounts = <Name extends AccountName>(name: Name, addresses: readonly string[], notBefore?: number) =>
    readAccounts(rpc, programId, name, addresses, notBefore);

  async function config(final: boolean) {
    const [config] = await readAccounts(rpc, programId, 'Config', [configAddress(programId).address], 0, final);
    if (isUnreadable(config)) throw unavailable(new Error(config.reason));
    return config;
  }

  async function permits(
    addresses: readonly string[],
    notBefore: number | undefined,
    final: boolean,
  ): Promise<AccountReading<PermitAccount>[]> {
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
    /** The status of each transaction, including old ones. */
    statuses,
    /** What co-signing needs, read in one call and so at one slot. */
    signingState: (permits: readonly string[], marketplaces: readonly string[], notBefore = 0): Promise<SigningState> =>
      signingState({ permits, marketplaces, notBefore }),
    genesisHash: (): Promise<string> => ask(rpc, z.string(), 'getGenesisHash', []),
    /** The program's configuration; undefined before it is initialised. */
    config: () => config(false),
    finalConfig: () => config(true),
    /** What is deployed at the program's address, and who may upgrade it. */
    program: (): Promise<DeployedProgram> => readProgram(rpc, programId),
    /** An account of any program; undefined where there is none. */
    account: async (address: string): Promise<RawAccount | undefined> => (await readAnyAccounts(rpc, [address]))[0],
    /** Lamports that make an account with this many bytes of data rent-exempt. */
    async rentExemption(bytes: number): Promise<bigint> {
      const rent = rents.get(bytes) ?? BigInt(await ask(rpc, Slot, 'getMinimumBalanceForRentExemption', [bytes]));
      rents.set(bytes, rent);
      return rent;
    },
    events: (addresses: readonly string[]): Promise<AccountReading<AccountValues<'Event'>>[]> =>
      accounts('Event', addresses),
    permits: (addresses: readonly string[], notBefore?: number) => permits(addresses, notBefore, false),
    finalPermits: (addresses: readonly string[], notBefore: number) => permits(addresses, notBefore, true),
    /** The accounts of one kind, with all their fields. */
    finalAccounts: <Name extends AccountName>(name: Name, addresses: readonly string[]) =>
      readAccounts(rpc, programId, name, addresses, 0, true),
    /** Whether a blockhash is valid, and the slot of the answer. A node that lags does not have a new one. */
    blockhash: createBlockhashReader(rpc),
    latestBlockhash: async () => (await freshBlockhash()).blockhash,
    freshBlockhash,
    /** The newest finalized block. */
    async finality(): Promise<{ slot: number; height: number }> {
      const { absoluteSlot, blockHeight } = await ask(rpc, EpochInfo, 'getEpochInfo', [FINALIZED]);
      return { slot: absoluteSlot, height: blockHeight };
    },
    /** Recent priority fees of transactions that wrote to these accounts, in micro-lamports per compute unit, one per slot. */
    async priorityFees(addresses: readonly string[]): Promise<number[]> {
      const fees = await ask(rpc, PriorityFees, 'getRecentPrioritizationFees', [addresses]);
      return fees.map(({ prioritizationFee }) => prioritizationFee);
    },
    /** What a landed transaction cost its payer; undefined where the node does not have it. */
    costOf: (signature: string): Promise<TransactionCost | undefined> => readCost(rpc, signature),
    /** The transfers logged by a landed transaction, none where it failed. Undefined where the node does not have it. */
    permitTransfers: (signature: string): Promise<PermitTransfer[] | undefined> => readTransfers(rpc, signature),
    /** Sends a signed transaction, once. */
    submit: (transaction: Uint8Array, notBefore?: number): Promise<Submission> =>
      submitTransaction(rpc, transaction, notBefore),
    /** Why the cluster would refuse a signed transaction; undefined where it would run it. Nothing is sent on. */
    dryRun: (transaction: Uint8Array): Promise<string | undefined> => simulateTransaction(rpc, transaction),
    /** The program's transactions after `since`; some of the newest where it is null. */
    programSignatures: (since: HistoryCursor | null): Promise<ProgramHistory> => readHistory(rpc, programId, since),
    /** As `programSignatures`, of another account and at `finalized`. */
    paymentSignatures: (address: string, since: HistoryCursor | null): Promise<ProgramHistory> =>
      readHistory(rpc, address, since, { commitment: 'finalized', mostPages: MOST_PAYMENT_PAGES }),
    /** What a final transaction cost an account; undefined where the node does not serve it. */
    paymentOf: (address: string, signature: string): Promise<Payment | undefined> =>
      readPayment(rpc, programId, address, signature),
    /** The addresses in a landed transaction, with those of lookup tables; undefined where the node does not serve it. */
    addressesIn: (signature: string): Promise<string[] | undefined> => readAddresses(rpc, signature),
    /** Test networks only: lamports from the faucet. */
    async airdrop(address: string, lamports: number): Promise<void> {
      const signature = await ask(rpc, z.string(), 'requestAirdrop', [address, lamports, CONFIRMED]);
      for (let poll = 0; poll < AIRDROP_POLLS; poll++) {
        if ((await statuses([signature]))[0]?.state === 'confirmed') return;
        await sleep(AIRDROP_POLL_MS);
      }
      throw unavailable(new Error(`the airdrop ${signature} was not confirmed`));
    },
  };
}

/** Whether a blockhash is valid, and the slot of the answer. */
interface BlockhashValidity {
  recent: boolean;
  slot: number;
}

/** A blockhash is valid for about a minute. */
const CACHED_MS = 2_000;
const SHARED_PATIENCE_MS = 20;

const IsValid = at(z.boolean());

/**
 * Reads whether blockhashes are valid. A valid one is cached for two seconds, and concurrent questions about it share a call.
 * @returns a function that throws DomainError `unavailable` where the cluster is unreachable
 */
function createBlockhashReader(rpc: JsonRpc): (blockhash: string, notBefore?: number) => Promise<BlockhashValidity> {
  const seenAt = new LRUCache<string, number>({ max: 10_000, ttl: CACHED_MS });
  const underWay = new Map<string, Promise<BlockhashValidity>>();

  async function askNode(blockhash: string, notBefore?: number): Promise<BlockhashValidity> {
    const options = { ...CONFIRMED, ...(notBefore !== undefined && { minContextSlot: notBefore }) };
    const { value, context } = await ask(rpc, IsValid, 'isBlockhashValid', [blockhash, options]);
    if (value) seenAt.set(blockhash, context.slot);
    return { recent: value, slot: context.slot };
  }

  /** The answer of a call under way; undefined where there is none, or not soon: a call that hangs delays no other. */
  async function answerOnItsWay(blockhash: string): Promise<BlockhashValidity | undefined> {
    const asked = underWay.get(blockhash)?.catch(() => undefined);
    return asked && Promise.race([asked, sleep(SHARED_PATIENCE_MS, undefined)]);
  }

  return async (blockhash, notBefore) => {
    const slot = seenAt.get(blockhash);
    if (slot !== undefined) return { recent: true, slot };
    const known = await answerOnItsWay(blockhash);
    // the answer may be too old to say no
    if (known?.recent) return known;
    const asked = askNode(blockhash, notBefore);
    underWay.set(blockhash, asked);
    try {
      return await asked;
    } finally {
      if (underWay.get(blockhash) === asked) underWay.delete(blockhash);
    }
  };
}
