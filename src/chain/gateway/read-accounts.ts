import type { AccountName } from '@fan-api/ticket-program/description';
import { z } from 'zod';
import { ChainError } from '../../chain-error.ts';
import { addressBytes } from '../address-bytes.ts';
import { type AccountValues, accountKindOf, decodeAccount } from '../instruction/account-data.ts';
import { ask, at, CONFIRMED, unavailable } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';

/** An account that is there and can't be decoded as what it should be. One such account says nothing about the others. */
export interface UnreadableAccount {
  /**
   * `other`: a sound account of another program or another kind, so the address is wrong. `malformed`: no sound account, which
   * the program never writes, so the node is wrong.
   */
  readonly unreadable: 'other' | 'malformed';
  /** For staff. */
  readonly reason: string;
}

/** What a node says is at an address; undefined where there is no account. */
export type AccountReading<Account extends object> = Account | UnreadableAccount | undefined;

/** The most that `getMultipleAccounts` takes. */
const ACCOUNTS_PER_CALL = 100;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

const Accounts = at(z.array(z.unknown()));
const Account = z.object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) }).nullable();

export function isUnreadable(reading: AccountReading<object>): reading is UnreadableAccount {
  return reading !== undefined && 'unreadable' in reading;
}

/**
 * The account, for a caller who was given the address by somebody else.
 * @returns undefined where there is no such account, or one of another program or kind
 * @throws DomainError `unavailable` for a malformed account: that is the node's fault, not the caller's
 */
export function requireReadable<Account extends object>(reading: AccountReading<Account>): Account | undefined {
  if (!isUnreadable(reading)) return reading;
  if (reading.unreadable === 'malformed') throw unavailable(new Error(reading.reason));
  return undefined;
}

/**
 * Reads accounts of the ticket program, each for itself.
 * @param minContextSlot the slot that the state must have reached
 * @returns in the order of `addresses`
 * @throws DomainError `unavailable` where the cluster can't be asked
 */
export async function readAccounts<Name extends AccountName>(
  rpc: JsonRpc,
  programId: string,
  name: Name,
  addresses: readonly string[],
  minContextSlot = 0,
): Promise<AccountReading<AccountValues<Name> & { slot: number }>[]> {
  const options = { ...CONFIRMED, encoding: 'base64', minContextSlot };
  // a node refuses a whole page for one address that is none
  const askable = addresses.filter(isAddress);
  const pages = chunk(askable, ACCOUNTS_PER_CALL).map(async (page) => {
    const { context, value } = await ask(rpc, Accounts, 'getMultipleAccounts', [page, options]);
    if (value.length !== page.length) throw unavailable(new Error(`${value.length} accounts for ${page.length}`));
    return value.map((given) => readOne(programId, name, given, context.slot));
  });
  const read = (await Promise.all(pages)).flat();
  const byAddress = new Map(askable.map((address, index) => [address, read[index]]));
  return addresses.map((address) =>
    isAddress(address) ? byAddress.get(address) : unreadable('malformed', 'The address is not 32 bytes in base58'),
  );
}

export function readOne<Name extends AccountName>(
  programId: string,
  name: Name,
  given: unknown,
  slot: number,
): AccountReading<AccountValues<Name> & { slot: number }> {
  const parsed = Account.safeParse(given);
  if (!parsed.success) return unreadable('malformed', 'The node gives it in a form that is not known');
  if (parsed.data === null) return undefined;
  const { owner, data: encoded } = parsed.data;
  const data = Buffer.from(encoded[0], 'base64');
  // anybody can send lamports to an address before the program makes its account there
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
