import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DomainError } from '../../errors.ts';
import { type AccountValues, decodeAccount } from '../instruction/account-data.ts';
import { configAddress } from '../instruction/program-addresses.ts';
import { type AccountName, PERMIT_STATES } from '../program/describe-program.ts';
import { BadAnswer } from './bad-answer.ts';
import { createJsonRpc, type JsonRpc, type RpcReply } from './json-rpc.ts';
import { ExecutedTransaction, type PermitTransfer, permitTransfersIn } from './permit-transfers.ts';
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
  /**
   * The transfers that a landed transaction made, as the program reported them: none where it failed. Undefined where the node does not
   * have the transaction.
   */
  permitTransfers(signature: string): Promise<PermitTransfer[] | undefined>;
  /**
   * Hands over a signed transaction, once.
   * @param notBefore the slot that the node's preflight must have reached: one that lags judges by a state that is over
   */
  submit(transaction: Uint8Array, notBefore?: number): Promise<Submission>;
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
  /** Seen, but not yet confirmed by the cluster, which may still drop it. `failing`: where it was run, it failed. */
  | { state: 'processing'; slot: number; failing: boolean }
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
/** JSON-RPC error of a node that has fallen behind the cluster: it would say so whatever it was asked. */
const NODE_UNHEALTHY = -32005;
const LAG_PAUSE_MS = 400;
const LAG_ATTEMPTS = 5;

const AIRDROP_POLL_MS = 200;
const AIRDROP_POLLS = 150;

const CONFIRMED = { commitment: 'confirmed' } as const;

/** An answer that holds for a slot. */
const at = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: z.number() }), value });

const Accounts = at(z.array(z.object({ owner: z.string(), data: z.tuple([z.string(), z.string()]) }).nullable()));
const IsValid = at(z.boolean());
const LatestBlockhash = at(z.object({ blockhash: z.string() }));
/** Null says that all went well; to say nothing does not. */
const Err = z.custom<unknown>((err) => err !== undefined);
const Status = z.object({ slot: z.number(), err: Err, confirmationStatus: z.string().nullish() }).nullable();
const Statuses = at(z.array(Status));
const Signatures = z.array(z.object({ signature: z.string(), slot: z.number(), err: Err }));
const Transaction = z
  .object({
    transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()) }) }),
    meta: z
      .object({
        loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
      })
      .nullish(),
  })
  .nullable();

/** A gateway to the cluster at an RPC URL. Nothing is asked before the first call. */
export function createGateway({ rpcUrl, programId }: { rpcUrl: string; programId: string }): ChainGateway {
  const rpc = createJsonRpc(rpcUrl, { timeout: READ_TIMEOUT_MS, attempts: READ_ATTEMPTS });
  const recentBlockhashes = new LRUCache<string, number>({ max: 10_000, ttl: BLOCKHASH_REMEMBERED_MS });

  async function accounts<Name extends AccountName>(name: Name, addresses: readonly string[], minContextSlot = 0) {
    const options = { ...CONFIRMED, encoding: 'base64', minContextSlot };
    const pages = chunk(addresses, ACCOUNTS_PER_CALL).map((page) =>
      ask(rpc, Accounts, 'getMultipleAccounts', [page, options]),
    );
    return (await Promise.all(pages)).flatMap(({ context, value }) =>
      value.map((account) =>
        account?.owner === programId
          ? { ...decodeAccount(name, Buffer.from(account.data[0], 'base64')), slot: context.slot }
          : undefined,
      ),
    );
  }

  async function statuses(signatures: readonly string[]): Promise<TransactionStatus[]> {
    if (signatures.length === 0) return [];
    const params = [signatures, { searchTransactionHistory: true }];
    const { value, context } = await ask(rpc, Statuses, 'getSignatureStatuses', params);
    return value.map((status) => toStatus(status, context.slot));
  }

  return {
    programId,
    statuses,
    genesisHash: () => ask(rpc, z.string(), 'getGenesisHash', []),
    config: async () => (await accounts('Config', [configAddress(programId).address]))[0],
    eventsExist: async (addresses) => (await accounts('Event', addresses)).map((event) => event !== undefined),
    permits: async (addresses, notBefore) =>
      (await accounts('Permit', addresses, notBefore)).map((permit) => permit && toPermit(permit)),
    async blockhash(blockhash) {
      const seenAt = recentBlockhashes.get(blockhash);
      if (seenAt !== undefined) return { recent: true, slot: seenAt };
      const { value, context } = await ask(rpc, IsValid, 'isBlockhashValid', [blockhash, CONFIRMED]);
      if (value) recentBlockhashes.set(blockhash, context.slot);
      return { recent: value, slot: context.slot };
    },
    latestBlockhash: async () => (await ask(rpc, LatestBlockhash, 'getLatestBlockhash', [CONFIRMED])).value.blockhash,
    async permitTransfers(signature) {
      const options = { ...CONFIRMED, encoding: 'base64', maxSupportedTransactionVersion: 0 };
      return permitTransfersIn(await ask(rpc, ExecutedTransaction, 'getTransaction', [signature, options]));
    },
    submit: (transaction, notBefore) => submitTransaction(rpc, transaction, notBefore),
    async programSignatures(since) {
      const found = await transactionsAfter(rpc, programId, since);
      return found.map(({ signature, slot, err }) => ({ signature, slot, failed: err !== null })).reverse();
    },
    async addressesIn(signature) {
      const options = { ...CONFIRMED, encoding: 'json', maxSupportedTransactionVersion: 0 };
      const found = await ask(rpc, Transaction, 'getTransaction', [signature, options]);
      if (found === null) return undefined;
      const { writable = [], readonly = [] } = found.meta?.loadedAddresses ?? {};
      return [...found.transaction.message.accountKeys, ...writable, ...readonly];
    },
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

/** @throws DomainError `unavailable` for whatever goes wrong between us and the cluster */
async function ask<T>(rpc: JsonRpc, shape: z.ZodType<T>, method: string, params: readonly unknown[]): Promise<T> {
  let reply: RpcReply;
  try {
    reply = await whileLagging(() => rpc(method, params));
  } catch (cause) {
    throw unavailable(cause);
  }
  if ('error' in reply) {
    const { code, message } = reply.error;
    const fault = `${method}: ${code} ${message}`;
    throw unavailable(code === NODE_UNHEALTHY ? new Error(fault) : new BadAnswer(fault));
  }
  const parsed = shape.safeParse(reply.result);
  if (!parsed.success) throw unavailable(new BadAnswer(`${method}: ${parsed.error.message}`));
  return parsed.data;
}

function unavailable(cause: unknown): DomainError {
  return new DomainError('unavailable', 'The Solana cluster can not be reached for the moment; try again.', {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  });
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

function toStatus(status: z.infer<typeof Status>, nodeSlot: number): TransactionStatus {
  if (status === null) return { state: 'unknown', slot: nodeSlot };
  const { slot, err, confirmationStatus } = status;
  if (confirmationStatus !== 'confirmed' && confirmationStatus !== 'finalized') {
    return { state: 'processing', slot, failing: err !== null };
  }
  return err === null ? { state: 'confirmed', slot } : { state: 'failed', slot, reason: describeError(err) };
}

async function whileLagging(question: () => Promise<RpcReply>): Promise<RpcReply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await question();
    if (!('error' in reply) || reply.error.code !== NODE_LAGS || attempt === LAG_ATTEMPTS) return reply;
    await sleep(LAG_PAUSE_MS);
  }
}

/** @returns newest first */
async function transactionsAfter(
  rpc: JsonRpc,
  programId: string,
  since: string | null,
): Promise<z.infer<typeof Signatures>> {
  const found: z.infer<typeof Signatures> = [];
  for (;;) {
    const before = found.at(-1)?.signature;
    const options = {
      ...CONFIRMED,
      limit: SIGNATURES_PER_PAGE,
      ...(since !== null && { until: since }),
      ...(before !== undefined && { before }),
    };
    const page = await ask(rpc, Signatures, 'getSignaturesForAddress', [programId, options]);
    found.push(...page);
    if (since === null || page.length < SIGNATURES_PER_PAGE) return found;
  }
}

function describeError(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
