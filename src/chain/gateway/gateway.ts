import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConfirmedSignatureInfo,
  Connection,
  PublicKey,
  type SignatureStatus,
  SolanaJSONRPCError,
  type TransactionError,
} from '@solana/web3.js';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../errors.ts';
import { type AccountValues, decodeAccount } from '../instruction/account-data.ts';
import { configAddress } from '../instruction/program-addresses.ts';
import { type AccountName, PERMIT_STATES } from '../program/describe-program.ts';
import { createRpcFetch } from './rpc-fetch.ts';
import { type Submission, submitTransaction } from './submit-transaction.ts';

/**
 * The gateway: all that the service asks of a Solana cluster, be it the local network, devnet or mainnet. One per mode, by
 * RPC URL and program id. Reads are at `confirmed`, have a time limit and are repeated; where the cluster can't be reached
 * the answer is `DomainError('unavailable')`, and nothing was done.
 */
export interface ChainGateway {
  readonly programId: string;
  genesisHash(): Promise<string>;
  /** The program's configuration; undefined before it is initialised. */
  config(): Promise<AccountValues<'Config'> | undefined>;
  /** Whether each address holds an Event account of the program. */
  eventsExist(addresses: readonly string[]): Promise<boolean[]>;
  /**
   * The Permit account at each address; undefined where there is none.
   * @param notBefore the slot that the state must have reached: behind one URL may stand nodes that lag
   */
  permits(addresses: readonly string[], notBefore?: number): Promise<(PermitAccount | undefined)[]>;
  /** Whether a transaction with this blockhash may still land, and the slot at which this was said. */
  blockhash(blockhash: string): Promise<{ recent: boolean; slot: number }>;
  latestBlockhash(): Promise<string>;
  /** What the cluster knows of each transaction, its history included. */
  statuses(signatures: readonly string[]): Promise<TransactionStatus[]>;
  /** Hands over a signed transaction, once. */
  submit(transaction: Uint8Array): Promise<Submission>;
  /** The program's transactions after `since`, oldest first; some of the newest where that is null. */
  programSignatures(since: string | null): Promise<ProgramTransaction[]>;
  /** Addresses that a landed transaction names, by lookup tables too; undefined where the node does not have it. */
  addressesIn(signature: string): Promise<string[] | undefined>;
  /** Test networks only: lamports from the faucet. */
  airdrop(address: string, lamports: number): Promise<void>;
}

export interface PermitAccount {
  /** Wallet of the owner, base58. */
  owner: string;
  state: 'held' | 'listed';
  /** Who may transfer it while listed, base58; null while held. */
  marketplace: string | null;
  /** Lamports; 0 while held. */
  price: bigint;
  /** When this was so. */
  slot: number;
}

export interface ProgramTransaction {
  /** Base58. */
  signature: string;
  slot: number;
  /** Whether it was run without effect. */
  failed: boolean;
}

/** `slot`: where it landed, or up to where the node that does not know it has come. */
export type TransactionStatus =
  | { state: 'unknown'; slot: number }
  /** Seen, but not yet confirmed by the cluster. */
  | { state: 'processing'; slot: number }
  | { state: 'confirmed'; slot: number }
  | { state: 'failed'; slot: number; reason: string };

const READ_TIMEOUT_MS = 4_000;
const READ_ATTEMPTS = 3;
const RETRY_AFTER_SECONDS = 5;
/** A blockhash lives for about a minute; one that was valid a moment ago needs no second question. */
const BLOCKHASH_REMEMBERED_MS = 2_000;
const SIGNATURES_PER_PAGE = 1_000;
/** The most that `getMultipleAccounts` takes. */
const ACCOUNTS_PER_CALL = 100;
/** JSON-RPC error of a node that has not come to the slot asked for. */
const NODE_LAGS = -32016;
const LAG_PAUSE_MS = 400;
const LAG_ATTEMPTS = 5;

/** A gateway to the cluster at an RPC URL. Nothing is asked before the first call. */
export function createGateway({ rpcUrl, programId }: { rpcUrl: string; programId: string }): ChainGateway {
  const rpcFetch = createRpcFetch({ timeout: READ_TIMEOUT_MS, attempts: READ_ATTEMPTS });
  const connection = new Connection(rpcUrl, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: rpcFetch,
  });
  const recentBlockhashes = new LRUCache<string, number>({ max: 10_000, ttl: BLOCKHASH_REMEMBERED_MS });

  async function accounts<Name extends AccountName>(name: Name, addresses: readonly string[], minContextSlot = 0) {
    const pages = chunk(addresses, ACCOUNTS_PER_CALL).map((page) => {
      const keys = page.map((address) => new PublicKey(address));
      return ask(() => whileLagging(() => connection.getMultipleAccountsInfoAndContext(keys, { minContextSlot })));
    });
    return (await Promise.all(pages)).flatMap(({ context, value }) =>
      value.map((account) =>
        account?.owner.toBase58() === programId
          ? { ...decodeAccount(name, account.data), slot: context.slot }
          : undefined,
      ),
    );
  }

  return {
    programId,
    genesisHash: () => ask(() => connection.getGenesisHash()),
    config: async () => (await accounts('Config', [configAddress(programId).address]))[0],
    eventsExist: async (addresses) => (await accounts('Event', addresses)).map((event) => event !== undefined),
    permits: async (addresses, notBefore) =>
      (await accounts('Permit', addresses, notBefore)).map((permit) => permit && toPermit(permit)),
    async blockhash(blockhash) {
      const seenAt = recentBlockhashes.get(blockhash);
      if (seenAt !== undefined) return { recent: true, slot: seenAt };
      const { value, context } = await ask(() => connection.isBlockhashValid(blockhash, { commitment: 'confirmed' }));
      if (value) recentBlockhashes.set(blockhash, context.slot);
      return { recent: value, slot: context.slot };
    },
    latestBlockhash: async () => (await ask(() => connection.getLatestBlockhash('confirmed'))).blockhash,
    async statuses(signatures) {
      if (signatures.length === 0) return [];
      const { value, context } = await ask(() =>
        connection.getSignatureStatuses([...signatures], { searchTransactionHistory: true }),
      );
      return value.map((status) => toStatus(status, context.slot));
    },
    submit: (transaction) => submitTransaction(rpcUrl, rpcFetch, transaction),
    async programSignatures(since) {
      const found = await ask(() => transactionsAfter(connection, new PublicKey(programId), since));
      return found.map(({ signature, slot, err }) => ({ signature, slot, failed: err !== null })).reverse();
    },
    async addressesIn(signature) {
      const found = await ask(() =>
        connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }),
      );
      if (found === null) return undefined;
      const { writable = [], readonly = [] } = found.meta?.loadedAddresses ?? {};
      return [...found.transaction.message.staticAccountKeys, ...writable, ...readonly].map(String);
    },
    async airdrop(address, lamports) {
      const signature = await ask(() => connection.requestAirdrop(new PublicKey(address), lamports));
      await ask(() => connection.confirmTransaction(signature, 'confirmed'));
    },
  };
}

/** @throws DomainError `unavailable` for whatever goes wrong between us and the cluster */
async function ask<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    throw new DomainError('unavailable', 'The Solana cluster can not be reached for the moment; try again.', {
      retryAfter: RETRY_AFTER_SECONDS,
      cause,
    });
  }
}

function toPermit(account: AccountValues<'Permit'> & { slot: number }): PermitAccount {
  const listed = account.state === PERMIT_STATES.listed;
  return {
    owner: account.owner,
    state: listed ? 'listed' : 'held',
    marketplace: listed ? account.marketplace : null,
    price: account.price,
    slot: account.slot,
  };
}

function toStatus(status: SignatureStatus | null, nodeSlot: number): TransactionStatus {
  if (status === null) return { state: 'unknown', slot: nodeSlot };
  const { slot, err, confirmationStatus } = status;
  if (confirmationStatus !== 'confirmed' && confirmationStatus !== 'finalized') return { state: 'processing', slot };
  return err === null ? { state: 'confirmed', slot } : { state: 'failed', slot, reason: describeError(err) };
}

async function whileLagging<T>(question: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof SolanaJSONRPCError && error.code === NODE_LAGS) || attempt === LAG_ATTEMPTS) throw error;
      await sleep(LAG_PAUSE_MS);
    }
  }
}

/** @returns newest first */
async function transactionsAfter(
  connection: Connection,
  program: PublicKey,
  since: string | null,
): Promise<ConfirmedSignatureInfo[]> {
  const found: ConfirmedSignatureInfo[] = [];
  for (;;) {
    const before = found.at(-1)?.signature;
    const page = await connection.getSignaturesForAddress(
      program,
      { limit: SIGNATURES_PER_PAGE, ...(since !== null && { until: since }), ...(before !== undefined && { before }) },
      'confirmed',
    );
    found.push(...page);
    if (since === null || page.length < SIGNATURES_PER_PAGE) return found;
  }
}

function describeError(error: TransactionError): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
