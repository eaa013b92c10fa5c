import {
  type ConfirmedSignatureInfo,
  Connection,
  PublicKey,
  SendTransactionError,
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
  /** The Permit account at each address; undefined where there is none. */
  permits(addresses: readonly string[]): Promise<(PermitAccount | undefined)[]>;
  /** Whether a transaction with this blockhash may still land. */
  isRecentBlockhash(blockhash: string): Promise<boolean>;
  latestBlockhash(): Promise<string>;
  /** What the cluster knows of each transaction, its history included. */
  statuses(signatures: readonly string[]): Promise<TransactionStatus[]>;
  /** Hands over a signed transaction, once. */
  submit(transaction: Uint8Array): Promise<Submission>;
  /** Signatures of the program's transactions after `since`, oldest first. */
  programSignatures(since: string | null): Promise<string[]>;
  /** Addresses that a landed transaction names; empty where the cluster does not have it. */
  addressesIn(signature: string): Promise<string[]>;
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

export type TransactionStatus =
  | { state: 'unknown' }
  /** Seen, but not yet confirmed by the cluster. */
  | { state: 'processing' }
  | { state: 'confirmed' }
  | { state: 'failed'; reason: string };

export type Submission =
  | { outcome: 'accepted' }
  /** The cluster judged it and will not run it. */
  | { outcome: 'refused'; reason: string }
  /** No answer: it may or may not be on its way. */
  | { outcome: 'unknown' };

const READ_TIMEOUT_MS = 4_000;
const READ_ATTEMPTS = 3;
const RETRY_AFTER_SECONDS = 5;
/** A blockhash lives for about a minute; one that was valid a moment ago needs no second question. */
const BLOCKHASH_REMEMBERED_MS = 2_000;
const SIGNATURES_PER_PAGE = 1_000;
/** The most that `getMultipleAccounts` takes. */
const ACCOUNTS_PER_CALL = 100;

/** A gateway to the cluster at an RPC URL. Nothing is asked before the first call. */
export function createGateway({ rpcUrl, programId }: { rpcUrl: string; programId: string }): ChainGateway {
  const connection = new Connection(rpcUrl, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: createRpcFetch({ timeout: READ_TIMEOUT_MS, attempts: READ_ATTEMPTS }),
  });
  const recentBlockhashes = new LRUCache<string, true>({ max: 10_000, ttl: BLOCKHASH_REMEMBERED_MS });

  async function accounts<Name extends AccountName>(name: Name, addresses: readonly string[]) {
    const pages = chunk(addresses, ACCOUNTS_PER_CALL).map((page) =>
      ask(() => connection.getMultipleAccountsInfoAndContext(page.map((address) => new PublicKey(address)))),
    );
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
    permits: async (addresses) => (await accounts('Permit', addresses)).map((permit) => permit && toPermit(permit)),
    async isRecentBlockhash(blockhash) {
      if (recentBlockhashes.has(blockhash)) return true;
      const { value } = await ask(() => connection.isBlockhashValid(blockhash, { commitment: 'confirmed' }));
      if (value) recentBlockhashes.set(blockhash, true);
      return value;
    },
    latestBlockhash: async () => (await ask(() => connection.getLatestBlockhash('confirmed'))).blockhash,
    async statuses(signatures) {
      if (signatures.length === 0) return [];
      const { value } = await ask(() =>
        connection.getSignatureStatuses([...signatures], { searchTransactionHistory: true }),
      );
      return value.map(toStatus);
    },
    submit: (transaction) => submit(connection, transaction),
    programSignatures: (since) => ask(() => signaturesAfter(connection, new PublicKey(programId), since)),
    async addressesIn(signature) {
      const found = await ask(() =>
        connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }),
      );
      return found?.transaction.message.staticAccountKeys.map((key) => key.toBase58()) ?? [];
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

function toStatus(status: SignatureStatus | null): TransactionStatus {
  if (status === null) return { state: 'unknown' };
  if (status.err !== null) return { state: 'failed', reason: describeError(status.err) };
  const confirmed = status.confirmationStatus === 'confirmed' || status.confirmationStatus === 'finalized';
  return { state: confirmed ? 'confirmed' : 'processing' };
}

async function submit(connection: Connection, transaction: Uint8Array): Promise<Submission> {
  try {
    await connection.sendRawTransaction(transaction, { preflightCommitment: 'confirmed' });
    return { outcome: 'accepted' };
  } catch (error) {
    // only an answer of the node itself says that the transaction will not run
    if (error instanceof SendTransactionError) return { outcome: 'refused', reason: error.transactionError.message };
    if (error instanceof SolanaJSONRPCError) return { outcome: 'refused', reason: error.message };
    return { outcome: 'unknown' };
  }
}

async function signaturesAfter(connection: Connection, program: PublicKey, since: string | null): Promise<string[]> {
  const found: ConfirmedSignatureInfo[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await connection.getSignaturesForAddress(
      program,
      { limit: SIGNATURES_PER_PAGE, ...(since !== null && { until: since }), ...(before !== undefined && { before }) },
      'confirmed',
    );
    found.push(...page);
    before = page.at(-1)?.signature;
    if (page.length < SIGNATURES_PER_PAGE) break;
  }
  return found.map(({ signature }) => signature).reverse();
}

function describeError(error: TransactionError): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
