/**
 * The ticket program's bytes, for any Solana library: what the IDL says, and no more.
 *
 * @module
 */
import { ACCOUNT_VERSION, ACCOUNTS, INSTRUCTIONS } from './ticket-program.ts';
import { pause } from './transport.ts';

/** The part of a ticket from which its accounts follow. `Ticket` of the Fan API has it. */
export interface OnchainTicket {
  tix_event_id: string;
  tix_ticket_id: string;
}

export type InstructionName = keyof typeof INSTRUCTIONS;

/** Seeds of the program's addresses that are text. */
export const SEEDS = {
  config: new TextEncoder().encode('config'),
  permit: new TextEncoder().encode('permit'),
} as const;

/** A permit as the chain has it, which may be newer than what the API shows. Addresses are in base58. */
export interface Permit {
  address: string;
  /** The fan's wallet. */
  owner: string;
  listed: boolean;
  /** Who alone may transfer the ticket while it is listed; undefined while it is not. */
  marketplace: string | undefined;
  /** Price of the listing. */
  lamports: bigint;
  /** Number of the newest listing, which `transferPermit` names: the first is 1. */
  listing: bigint;
}

/** The listing that a transfer fulfils. The network refuses the transfer once another listing has taken its place. */
export interface Sale {
  /** Its number: read the permit once the listing is confirmed, and keep it with the price. */
  listing: bigint;
  /** Its price. */
  lamports: bigint;
}

/** The data of an instruction. @param numbers its arguments, in their order @throws RangeError for one that is no u64 */
export function instructionData(name: InstructionName, numbers: readonly bigint[]): Uint8Array {
  const { discriminator } = INSTRUCTIONS[name];
  const data = new Uint8Array(discriminator.length + 8 * numbers.length);
  data.set(discriminator);
  const view = new DataView(data.buffer);
  for (const [index, number] of numbers.entries()) {
    if (number < 0n || number >= 1n << 64n) throw new RangeError(`${number} is no price or number of a listing.`);
    view.setBigUint64(discriminator.length + 8 * index, number, true);
  }
  return data;
}

/** An account of an instruction, with the rights that it needs. */
export interface AccountSlot<Address> {
  name: string;
  address: Address;
  signer: boolean;
  writable: boolean;
}

/** The accounts of an instruction in their order. @throws TypeError where one is missing */
export function accountsOf<Address>(
  name: InstructionName,
  given: Readonly<Record<string, Address>>,
): AccountSlot<Address>[] {
  return INSTRUCTIONS[name].accounts.map(({ name: account, signer, writable }) => {
    const address = given[account];
    if (address === undefined) throw new TypeError(`${name} needs the account ${account}.`);
    return { name: account, address, signer, writable };
  });
}

/** @param addressOf base58 of 32 bytes @throws TypeError where the account is no permit */
export function decodePermit(address: string, data: Uint8Array, addressOf: (bytes: Uint8Array) => string): Permit {
  const { discriminator, offsets } = ACCOUNTS.Permit;
  expectKind(data, discriminator, 'permit');
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const listed = view.getUint8(offsets.state) === 1;
  return {
    address,
    owner: addressOf(data.slice(offsets.owner, offsets.owner + 32)),
    listed,
    marketplace: listed ? addressOf(data.slice(offsets.marketplace, offsets.marketplace + 32)) : undefined,
    lamports: view.getBigUint64(offsets.price, true),
    listing: view.getBigUint64(offsets.listing, true),
  };
}

/** Who co-signs listings, as 32 bytes. @throws TypeError where the account is not the program's configuration */
export function decodeAuthority(data: Uint8Array): Uint8Array {
  const { discriminator, offsets } = ACCOUNTS.Config;
  expectKind(data, discriminator, 'configuration of the ticket program');
  return data.slice(offsets.authority, offsets.authority + 32);
}

function expectKind(data: Uint8Array, discriminator: readonly number[], what: string): void {
  if (!discriminator.every((byte, index) => data[index] === byte)) throw new TypeError(`The account is no ${what}.`);
  const version = data[discriminator.length];
  if (version !== ACCOUNT_VERSION) throw new TypeError(`The ${what} has version ${version}, not ${ACCOUNT_VERSION}.`);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws TypeError where it is not hex */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) throw new TypeError('The transaction is not hex.');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** A blockhash expires within some 60 to 90 seconds. */
const CONFIRMED_WITHIN_MS = 90_000;
const ASK_AGAIN_MS = 400;

interface Status {
  err: unknown;
  confirmationStatus?: string | null;
}

/** Polls instead of subscribing, because not every RPC address has a WebSocket. @throws Error where the cluster refused it */
export async function untilConfirmed(
  signature: string,
  ask: () => Promise<Status | null | undefined>,
  signal?: AbortSignal,
): Promise<void> {
  for (const until = Date.now() + CONFIRMED_WITHIN_MS; Date.now() < until; await pause(ASK_AGAIN_MS, signal)) {
    const status = await ask();
    if (status?.err) throw new Error(`The cluster refused ${signature}: ${inWords(status.err)}`);
    if (status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized') return;
  }
  throw new Error(`${signature} was not confirmed within ${CONFIRMED_WITHIN_MS / 1_000} seconds.`);
}

/** The numbers in kit's errors are bigints. */
function inWords(error: unknown): string {
  return JSON.stringify(error, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}
