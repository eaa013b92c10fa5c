import { readFields } from '@fan-api/cosign-policy/read-fields';
import { DISCRIMINATOR_SIZE, EVENT_DISCRIMINATORS, EVENTS, sizeOf } from '@fan-api/ticket-program/description';
import { z } from 'zod';
import { ask, askIfGiven, CONFIRMED } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';
import { BASE58 } from './read-history.ts';

const optionsOf = (encoding: 'base64' | 'json') => ({ ...CONFIRMED, encoding, maxSupportedTransactionVersion: 0 });

/** What a transaction cost its payer, in lamports. */
export interface TransactionCost {
  readonly fee: bigint;
  /** Lamports for new accounts; negative where those of closed ones came back, 0 where the transaction failed. */
  readonly rent: bigint;
}

const Lamports = z.int().nonnegative();
const Balances = z
  .object({
    meta: z.object({
      fee: Lamports,
      preBalances: z.array(Lamports).min(1),
      postBalances: z.array(Lamports).min(1),
    }),
  })
  .nullable();

/**
 * Reads what a landed transaction cost; its payer is the first of its accounts.
 * @returns undefined where the node does not serve it, or in an unknown shape
 * @throws DomainError `unavailable` where the node does not answer
 */
export async function readCost(rpc: JsonRpc, signature: string): Promise<TransactionCost | undefined> {
  const found = await askIfGiven(rpc, Balances, 'getTransaction', [signature, optionsOf('base64')]);
  if (!found) return undefined;
  const { fee, preBalances, postBalances } = found.meta;
  const paid = (preBalances[0] ?? 0) - (postBalances[0] ?? 0);
  return { fee: BigInt(fee), rent: BigInt(paid - fee) };
}

/** A transfer that the program logged. Addresses are in base58. */
export interface PermitTransfer {
  permit: string;
  from: string;
  to: string;
}

const EVENT = EVENTS.find((event) => event.name === 'PermitTransferred');
const LOG_PREFIX = 'Program data: ';

const Logged = z.object({
  err: z.custom<unknown>((err) => err !== undefined),
  logMessages: z.array(z.string()).nullish(),
});
const Executed = z.object({ meta: Logged.nullish() }).nullable();

/**
 * Reads the transfers that a landed transaction logged, none where it failed; undefined where the node does not have it or keeps no logs.
 * @throws DomainError `unavailable` for every failure (`isBadAnswer` where the node answered)
 * @see describe-program.ts, the event PermitTransferred
 */
export async function readTransfers(rpc: JsonRpc, signature: string): Promise<PermitTransfer[] | undefined> {
  const executed = await ask(rpc, Executed, 'getTransaction', [signature, optionsOf('base64')]);
  if (!executed?.meta) return undefined;
  const { err, logMessages } = executed.meta;
  return err === null ? logMessages?.flatMap(transferOf) : [];
}

function transferOf(log: string): PermitTransfer[] {
  if (!log.startsWith(LOG_PREFIX)) return [];
  const data = Buffer.from(log.slice(LOG_PREFIX.length), 'base64');
  const discriminator = data.subarray(0, DISCRIMINATOR_SIZE);
  if (!discriminator.equals(EVENT_DISCRIMINATORS.PermitTransferred)) return [];
  const fields = data.subarray(DISCRIMINATOR_SIZE);
  if (EVENT === undefined || fields.length !== sizeOf(EVENT.fields)) return [];
  const { permit, from, to } = readFields(EVENT.fields, fields);
  return [{ permit, from, to }];
}

const Address = z.string().max(44).regex(BASE58);
const Loaded = z.object({ writable: z.array(Address), readonly: z.array(Address) });
const Message = z.object({ accountKeys: z.array(Address), addressTableLookups: z.array(z.unknown()).nullish() });
const Transaction = z
  .object({
    transaction: z.object({ message: Message }),
    meta: z.object({ loadedAddresses: Loaded.nullish() }).nullish(),
  })
  .nullable();

/**
 * Reads the addresses in a landed transaction, with those of lookup tables.
 * @returns undefined where the node does not serve it (pruned, another version) or in an unknown shape
 * @throws DomainError `unavailable` where the node does not answer
 */
export async function readAddresses(rpc: JsonRpc, signature: string): Promise<string[] | undefined> {
  const found = await askIfGiven(rpc, Transaction, 'getTransaction', [signature, optionsOf('json')]);
  if (!found) return undefined;
  const { accountKeys, addressTableLookups } = found.transaction.message;
  const loaded = found.meta?.loadedAddresses;
  if (!loaded && addressTableLookups?.length) return undefined;
  return [...accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
}
