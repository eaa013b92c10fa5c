/**
 * The ticket program, described once: instructions with their accounts and arguments, account and event layouts; its errors
 * are in `describe-errors.ts`.
 *
 * Everything that must agree is made from this file: the Rust constants (`render-layout.ts`), the Anchor IDL (`render-idl.ts`) and the
 * discriminators that a TypeScript encoder or decoder needs. Order is part of the contract everywhere: accounts and fields are
 * positional on the wire, and an error's code is its index.
 *
 * All integers are little-endian; layouts are Borsh without padding; each account, event and instruction starts with an 8-byte
 * discriminator, and an account's version follows it.
 */
import { createHash } from 'node:crypto';

export type FieldType = 'pubkey' | 'bytes32' | 'u64' | 'u8';

export interface Field {
  readonly name: string;
  readonly type: FieldType;
}

/**
 * One part of a program-derived address: fixed text, an argument of the instruction, the address of another account of it, or the
 * address of the ticket program itself.
 */
export type Seed =
  | { readonly text: string }
  | { readonly arg: string }
  | { readonly account: string }
  | { readonly programId: true };

export interface AccountSlot {
  readonly name: string;
  readonly writable?: true;
  readonly signer?: true;
  /** Base58, if only one account fits this slot. */
  readonly address?: string;
  readonly seeds?: readonly Seed[];
  /** Base58 address of the program that the seeds count for, if it is not the ticket program. */
  readonly derivedBy?: string;
}

export interface Instruction {
  readonly name: string;
  readonly docs: string;
  readonly accounts: readonly AccountSlot[];
  readonly args: readonly Field[];
  /** The type of its return data. */
  readonly returns?: FieldType;
}

export interface Layout {
  readonly name: string;
  readonly docs: string;
  readonly fields: readonly Field[];
}

/** The loader of programs that can be upgraded. A program's ProgramData account, which names its upgrade authority, belongs to it. */
export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';

const config = { name: 'config', seeds: [{ text: 'config' }] } as const;
const writableConfig = { ...config, writable: true } as const;
const admin = { name: 'admin', signer: true } as const;
const permit = { name: 'permit', writable: true } as const;
const owner = { name: 'owner', signer: true } as const;
const authority = { name: 'authority', signer: true } as const;
const payer = { name: 'payer', writable: true, signer: true } as const;
/** The payer that the configuration names: closed accounts pay their lamports to it. */
const receiver = { name: 'receiver', writable: true } as const;
const systemProgram = { name: 'system_program', address: '11111111111111111111111111111111' } as const;

export const INSTRUCTIONS = [
  {
    name: 'initialize_v1',
    docs: "Creates the configuration, once. Only the program's upgrade authority may do so; it becomes the admin.",
    accounts: [
      writableConfig,
      { ...admin, writable: true },
      authority,
      { name: 'payer', signer: true },
      { name: 'program_data', seeds: [{ programId: true }], derivedBy: UPGRADEABLE_LOADER },
      systemProgram,
    ],
    args: [],
  },
  {
    name: 'rotate_authority_v1',
    docs: 'Replaces the co-signing authority; the one before still co-signs listings. The new one signs too, so that a mistyped key cannot lock the program.',
    accounts: [writableConfig, admin, { name: 'new_authority', signer: true }],
    args: [],
  },
  {
    name: 'retire_authority_v1',
    docs: 'Ends the rights of the authority before the present one.',
    accounts: [writableConfig, admin, { name: 'former_authority' }],
    args: [],
  },
  {
    name: 'rotate_admin_v1',
    docs: 'Replaces the admin. The new one signs too, so that a mistyped key cannot lock the program.',
    accounts: [writableConfig, admin, { name: 'new_admin', signer: true }],
    args: [],
  },
  {
    name: 'rotate_payer_v1',
    docs: 'Replaces the payer, which gets the lamports of closed accounts. The new one signs too, so that a mistyped key gets none.',
    accounts: [writableConfig, admin, { name: 'new_payer', signer: true }],
    args: [],
  },
  {
    name: 'register_event_v1',
    docs: 'Creates the account of an event. It can be closed from the given time on, in Unix seconds: the end of the event and a grace period.',
    accounts: [
      config,
      { name: 'event', writable: true, seeds: [{ text: 'event' }, { arg: 'event_id' }] },
      authority,
      { name: 'organiser' },
      payer,
      systemProgram,
    ],
    args: [
      { name: 'event_id', type: 'bytes32' },
      { name: 'closable_from', type: 'u64' },
    ],
  },
  {
    name: 'issue_permit_v1',
    docs: 'Creates the permit of one ticket of an event, held by the given owner.',
    accounts: [
      config,
      { name: 'event' },
      { ...permit, seeds: [{ text: 'permit' }, { account: 'event' }, { arg: 'ticket_id' }] },
      authority,
      payer,
      systemProgram,
    ],
    args: [
      { name: 'ticket_id', type: 'bytes32' },
      { name: 'owner', type: 'pubkey' },
    ],
  },
  {
    name: 'create_listing_v1',
    docs: 'Lists a held permit for a price in lamports. While listed, only the marketplace may transfer it. Returns the number of the listing.',
    accounts: [config, permit, owner, authority, { name: 'marketplace' }],
    args: [{ name: 'price', type: 'u64' }],
    returns: 'u64',
  },
  {
    name: 'cancel_listing_v1',
    docs: 'Takes a listed permit off the market: its owner holds it again.',
    accounts: [config, permit, owner, authority],
    args: [],
  },
  {
    name: 'transfer_permit_v1',
    docs: 'Moves a permit: signed by the owner while it is held, by the stored marketplace while it is listed. It names the number and price of the listing; both are zero while held.',
    accounts: [config, permit, { name: 'transfer_authority', signer: true }, { name: 'destination' }],
    args: [
      { name: 'listing', type: 'u64' },
      { name: 'price', type: 'u64' },
    ],
  },
  {
    name: 'close_event_v1',
    docs: 'Shrinks the account of an event, once it can be closed, to a mark that stays: no permit of it is issued any more, and its permits can be closed.',
    accounts: [config, { name: 'event', writable: true }, authority, receiver],
    args: [],
  },
  {
    name: 'close_permit_v1',
    docs: 'Closes a held permit of a closed event.',
    accounts: [config, { name: 'event' }, permit, authority, receiver],
    args: [],
  },
] as const satisfies readonly Instruction[];

const version = { name: 'version', type: 'u8' } as const;

/** The `version` of all accounts that the program makes and accepts. */
export const ACCOUNT_VERSION = 2;

export const ACCOUNTS = [
  {
    name: 'Config',
    docs: 'One per program, at seeds "config". The former authority is zero where there is none.',
    fields: [
      version,
      { name: 'authority', type: 'pubkey' },
      { name: 'former_authority', type: 'pubkey' },
      { name: 'admin', type: 'pubkey' },
      { name: 'payer', type: 'pubkey' },
      { name: 'bump', type: 'u8' },
    ],
  },
  {
    name: 'Event',
    docs: 'One per event, at seeds "event", event_id.',
    fields: [
      version,
      { name: 'event_id', type: 'bytes32' },
      { name: 'organiser', type: 'pubkey' },
      { name: 'closable_from', type: 'u64' },
      { name: 'bump', type: 'u8' },
    ],
  },
  { name: 'ClosedEvent', docs: 'What stays of a closed event, at its address.', fields: [version] },
  {
    name: 'Permit',
    docs: 'One per ticket, at seeds "permit", address of the event, ticket_id. Marketplace and price are zero while held. The listing is the number of the newest one: the first is 1.',
    fields: [
      version,
      { name: 'event', type: 'pubkey' },
      { name: 'ticket_id', type: 'bytes32' },
      { name: 'owner', type: 'pubkey' },
      { name: 'state', type: 'u8' },
      { name: 'marketplace', type: 'pubkey' },
      { name: 'price', type: 'u64' },
      { name: 'listing', type: 'u64' },
      { name: 'bump', type: 'u8' },
    ],
  },
] as const satisfies readonly Layout[];

/** Values of `Permit.state`. */
export const PERMIT_STATES = { held: 0, listed: 1 } as const;

export const EVENTS = [
  {
    name: 'PermitIssued',
    docs: 'A permit was created.',
    fields: [
      { name: 'permit', type: 'pubkey' },
      { name: 'event', type: 'pubkey' },
      { name: 'owner', type: 'pubkey' },
    ],
  },
  {
    name: 'ListingCreated',
    docs: 'A permit went on the market.',
    fields: [
      { name: 'permit', type: 'pubkey' },
      { name: 'owner', type: 'pubkey' },
      { name: 'marketplace', type: 'pubkey' },
      { name: 'price', type: 'u64' },
      { name: 'listing', type: 'u64' },
    ],
  },
  {
    name: 'ListingCancelled',
    docs: 'A permit went off the market unsold.',
    fields: [
      { name: 'permit', type: 'pubkey' },
      { name: 'owner', type: 'pubkey' },
      { name: 'listing', type: 'u64' },
    ],
  },
  {
    name: 'PermitTransferred',
    docs: 'A permit changed hands. Price and number are those of the listing; zero when its owner transferred it.',
    fields: [
      { name: 'permit', type: 'pubkey' },
      { name: 'from', type: 'pubkey' },
      { name: 'to', type: 'pubkey' },
      { name: 'price', type: 'u64' },
      { name: 'listing', type: 'u64' },
    ],
  },
  {
    name: 'EventClosed',
    docs: 'An event was closed. The lamports went to the payer.',
    fields: [
      { name: 'event', type: 'pubkey' },
      { name: 'lamports', type: 'u64' },
    ],
  },
  {
    name: 'PermitClosed',
    docs: 'A permit was closed. The lamports went to the payer.',
    fields: [
      { name: 'permit', type: 'pubkey' },
      { name: 'owner', type: 'pubkey' },
      { name: 'lamports', type: 'u64' },
    ],
  },
  {
    name: 'AuthorityRotated',
    docs: 'The co-signing authority was replaced.',
    fields: [
      { name: 'from', type: 'pubkey' },
      { name: 'to', type: 'pubkey' },
    ],
  },
  {
    name: 'AuthorityRetired',
    docs: 'The authority before the present one has no rights any more.',
    fields: [{ name: 'authority', type: 'pubkey' }],
  },
  {
    name: 'AdminRotated',
    docs: 'The admin was replaced.',
    fields: [
      { name: 'from', type: 'pubkey' },
      { name: 'to', type: 'pubkey' },
    ],
  },
  {
    name: 'PayerRotated',
    docs: 'The payer was replaced.',
    fields: [
      { name: 'from', type: 'pubkey' },
      { name: 'to', type: 'pubkey' },
    ],
  },
] as const satisfies readonly Layout[];

export type InstructionName = (typeof INSTRUCTIONS)[number]['name'];
export type AccountName = (typeof ACCOUNTS)[number]['name'];
export type EventName = (typeof EVENTS)[number]['name'];

/** Bytes of a discriminator, which opens every instruction, account and event. */
export const DISCRIMINATOR_SIZE = 8;

/** Bytes that a value of each type takes on the wire. */
export const FIELD_SIZES: Readonly<Record<FieldType, number>> = { pubkey: 32, bytes32: 32, u64: 8, u8: 1 };

/**
 * @param fields the fields of an account or event, or the arguments of an instruction
 * @returns their length in bytes, without the discriminator
 */
export function sizeOf(fields: readonly Field[]): number {
  return fields.reduce((total, { type }) => total + FIELD_SIZES[type], 0);
}

/** The 8 bytes that distinguish instructions, accounts and events: the start of sha256 of `<namespace>:<name>`, as Anchor does it. */
export function discriminator(namespace: 'global' | 'account' | 'event', name: string): Uint8Array {
  return createHash('sha256').update(`${namespace}:${name}`).digest().subarray(0, DISCRIMINATOR_SIZE);
}

function discriminators<Name extends string>(
  namespace: 'global' | 'account' | 'event',
  described: readonly { readonly name: Name }[],
): Readonly<Record<Name, Uint8Array>> {
  const entries = described.map(({ name }) => [name, discriminator(namespace, name)] as const);
  return Object.fromEntries(entries) as Record<Name, Uint8Array>;
}

export const INSTRUCTION_DISCRIMINATORS = discriminators<InstructionName>('global', INSTRUCTIONS);
export const ACCOUNT_DISCRIMINATORS = discriminators<AccountName>('account', ACCOUNTS);
export const EVENT_DISCRIMINATORS = discriminators<EventName>('event', EVENTS);
