import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DomainError } from '../../errors.ts';
import { type AccountValues, accountKindOf, decodeAccount } from '../instruction/account-data.ts';
import { configAddress } from '../instruction/program-addresses.ts';
import { type AccountName, PERMIT_STATES } from '../program/describe-program.ts';
import { createJsonRpc, type JsonRpc, type RpcReply } from './json-rpc.ts';
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
  /**
   * What must be known to co-sign a listing, read in one call and so at one slot.
   * @param marketplaces addresses that listings name
   */
  signingState(permits: readonly string[], marketplaces: readonly string[]): Promise<SigningState>;
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

/** What the chain says of a listing that is to be co-signed. */
export interface SigningState {
  /** Undefined where the program has none. */
  config: AccountValues<'Config'> | undefined;
  /** In the order of the question; undefined where there is no Permit account. */
  permits: (PermitAccount | undefined)[];
  /** The marketplaces for which nobody can sign: accounts of the ticket program, programs, sysvars. */
  cannotSign: ReadonlySet<string>;
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

const AIRDROP_POLL_MS = 200;
const AIRDROP_POLLS = 150;

/** Owner of the accounts that hold the cluster's own state, such as the clock. */
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

const CONFIRMED = { commitment: 'confirmed' } as const;

/** An answer that holds for a slot. */
const at = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: z.number() }), value });

const Account = z.object({ owner: z.string(), executable: z.boolean(), data: z.tuple([z.string(), z.string()]) });
const Accounts = at(z.array(Account.nullable()));
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
      value.map((account) => ownAccount(name, account, context.slot)),
    );
  }

  /** The values of an account of the program; undefined where there is none, or one of another kind. */
  function ownAccount<Name extends AccountName>(name: Name, account: z.infer<typeof Account> | null, slot: number) {
    if (account?.owner !== programId) return undefined;
    const data = Buffer.from(account.data[0], 'base64');
    const kind = accountKindOf(data);
    return kind !== undefined && kind !== name ? undefined : { ...decodeAccount(name, data), slot };
  }

  async function signingState(permits: readonly string[], marketplaces: readonly string[]): Promise<SigningState> {
    const addresses = [configAddress(programId).address, ...permits, ...marketplaces];
    const options = { ...CONFIRMED, encoding: 'base64' };
    const { context, value } = await ask(rpc, Accounts, 'getMultipleAccounts', [addresses, options]);
    const [config = null, ...others] = value;
    const unable = (account: z.infer<typeof Account> | null) =>
      account !== null && (account.owner === programId || account.executable || account.owner === SYSVAR_OWNER);
    try {
      return {
        config: ownAccount('Config', config, context.slot),
        permits: permits.map((_, index) => {
          const permit = ownAccount('Permit', others[index] ?? null, context.slot);
          return permit && toPermit(permit);
        }),
        cannotSign: new Set(marketplaces.filter((_, index) => unable(others[permits.length + index] ?? null))),
      };
    } catch (cause) {
      // an account of the program that can't be read is the node's fault, not that of who named it
      throw unavailable(cause);
    }
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
    signingState,
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
    submit: (transaction) => submitTransaction(rpc, transaction),
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
  try {
    const reply = await whileLagging(() => rpc(method, params));
    if ('error' in reply) throw new Error(`${method}: ${reply.error.code} ${reply.error.message}`);
    return shape.parse(reply.result);
  } catch (cause) {
    throw unavailable(cause);
  }
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
  if (confirmationStatus !== 'confirmed' && confirmationStatus !== 'finalized') return { state: 'processing', slot };
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
