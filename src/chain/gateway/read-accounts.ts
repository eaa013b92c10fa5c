import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { type AccountValues, accountKindOf, decodeAccount } from '@fan-api/cosign-policy/read-account';
import { type AccountName, PERMIT_STATES } from '@fan-api/ticket-program/description';
import { z } from 'zod';
import { ChainError } from '../../platform/chain-error.ts';
import { askForEach, at, CONFIRMED, FINALIZED, unavailable } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';

/** An account that exists but cannot be decoded as the expected kind. */
export interface UnreadableAccount {
  /** `other`: a valid account of another program or kind, so the address is wrong. `malformed`: the node's answer is wrong. */
  readonly unreadable: 'other' | 'malformed';
  /** For staff. */
  readonly reason: string;
}

/** The account at an address; undefined where there is none. */
export type AccountReading<Account extends object> = Account | UnreadableAccount | undefined;

/** A Permit account as the service uses it. */
export interface PermitAccount {
  /** Wallet of the owner, base58. */
  owner: string;
  state: 'held' | 'listed';
  /** Who may transfer it while listed, base58; null while held. */
  marketplace: string | null;
  /** Lamports; 0 while held. */
  price: bigint;
  /** The number of its newest listing; 0 before the first. */
  listing: bigint;
  /** The slot at which this was read. */
  slot: number;
}

/** The limit of `getMultipleAccounts`. */
const ACCOUNTS_PER_CALL = 100;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

const Account = z.object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) }).nullable();
const Accounts = at(z.array(z.unknown()));

export function isUnreadable(reading: AccountReading<object>): reading is UnreadableAccount {
  return reading !== undefined && 'unreadable' in reading;
}

/**
 * The account at an address that came from outside.
 * @returns undefined where there is none, or one of another program or kind
 * @throws DomainError `unavailable` for a malformed account, which is the node's fault
 */
export function requireReadable<Account extends object>(reading: AccountReading<Account>): Account | undefined {
  if (!isUnreadable(reading)) return reading;
  if (reading.unreadable === 'malformed') throw unavailable(new Error(reading.reason));
  return undefined;
}

/**
 * Reads accounts of the ticket program; one that is unreadable does not affect the others.
 * @param minContextSlot the slot that the state must have reached
 * @param final at `finalized` instead of `confirmed`
 * @returns in the order of `addresses`
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function readAccounts<Name extends AccountName>(
  rpc: JsonRpc,
  programId: string,
  name: Name,
  addresses: readonly string[],
  minContextSlot = 0,
  final = false,
): Promise<AccountReading<AccountValues<Name> & { slot: number }>[]> {
  // a node refuses a whole page for one malformed address
  const askable = addresses.filter(isAddress);
  const pages = chunk(askable, ACCOUNTS_PER_CALL).map(async (page) => {
    const { values, slot } = await readRaw(rpc, page, minContextSlot, final);
    return values.map((value) => decodeReading(programId, name, value, slot));
  });
  const read = (await Promise.all(pages)).flat();
  const byAddress = new Map(askable.map((address, index) => [address, read[index]]));
  return addresses.map((address) =>
    isAddress(address) ? byAddress.get(address) : unreadable('malformed', 'The address is not 32 bytes in base58'),
  );
}

/** Reads up to 100 accounts of any program in one call, and so at one slot. @returns in the order of `addresses`, unchecked */
export function readRaw(
  rpc: JsonRpc,
  addresses: readonly string[],
  minContextSlot: number,
  final = false,
): Promise<{ values: unknown[]; slot: number }> {
  const options = { ...(final ? FINALIZED : CONFIRMED), encoding: 'base64', minContextSlot };
  return askForEach(rpc, Accounts, 'getMultipleAccounts', [addresses, options]);
}

/** Decodes one account of `readRaw`. */
export function decodeReading<Name extends AccountName>(
  programId: string,
  name: Name,
  value: unknown,
  slot: number,
): AccountReading<AccountValues<Name> & { slot: number }> {
  const parsed = Account.safeParse(value);
  if (!parsed.success) return unreadable('malformed', 'The node gives it in a form that is not known');
  if (parsed.data === null) return undefined;
  const { owner, data: encoded } = parsed.data;
  const data = Buffer.from(encoded[0], 'base64');
  // anybody can send lamports to an address before the program creates its account there
  if (owner === SYSTEM_PROGRAM && data.length === 0) return undefined;
  if (owner !== programId) return unreadable('other', `The account belongs to the program ${owner}`);
  const kind = accountKindOf(data);
  if (kind !== undefined && kind !== name) return unreadable('other', `It is an account of the kind ${kind}`);
  try {
    return { ...decodeAccount(name, data), slot };
  } catch (error) {
    const detail = error instanceof ChainError ? error.context.detail : String(error);
    return unreadable('malformed', `The account data can not be decoded: ${detail}`);
  }
}

export function toPermit(account: AccountValues<'Permit'> & { slot: number }): PermitAccount {
  const listed = account.state === PERMIT_STATES.listed;
  return {
    owner: account.owner,
    state: listed ? 'listed' : 'held',
    marketplace: listed ? account.marketplace : null,
    price: account.price,
    listing: account.listing,
    slot: account.slot,
  };
}

function unreadable(kind: UnreadableAccount['unreadable'], reason: string): UnreadableAccount {
  return { unreadable: kind, reason };
}

function isAddress(text: string): boolean {
  try {
    return addressBytes(text).length === 32;
  } catch {
    return false;
  }
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** An account of any program. */
export interface RawAccount {
  /** Base58. */
  readonly owner: string;
  readonly executable: boolean;
  readonly lamports: bigint;
  readonly data: Buffer;
}

const AnyAccount = z
  .object({
    owner: z.string(),
    executable: z.boolean(),
    lamports: z.number().nonnegative(),
    data: z.tuple([z.string(), z.literal('base64')]),
  })
  .nullable();

/**
 * Reads accounts of any program at one slot; undefined where there is none.
 * @throws DomainError `unavailable` where the cluster is unreachable, or returns a malformed account
 */
export async function readAnyAccounts(rpc: JsonRpc, addresses: readonly string[]): Promise<(RawAccount | undefined)[]> {
  const { values } = await readRaw(rpc, addresses, 0);
  return values.map((value) => {
    const { success, data: account } = AnyAccount.safeParse(value);
    if (!success) throw unavailable(new Error('The node gives an account in a form that is not known'));
    if (account === null) return undefined;
    return { ...account, lamports: BigInt(account.lamports), data: Buffer.from(account.data[0], 'base64') };
  });
}
