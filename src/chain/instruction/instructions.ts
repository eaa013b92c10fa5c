import {
  DISCRIMINATOR_SIZE,
  type Field,
  INSTRUCTION_DISCRIMINATORS,
  INSTRUCTIONS,
  type Instruction,
  type InstructionName,
  sizeOf,
} from '@fan-api/ticket-program/description';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { addressBytes } from '../address-bytes.ts';
import { type FieldValues, readFields, writeFields } from './fields.ts';
import { configAddress, programDataAddress } from './program-addresses.ts';

type Described<Name extends InstructionName> = Extract<(typeof INSTRUCTIONS)[number], { readonly name: Name }>;

/** Slots whose address follows from the program's. */
type DerivedSlot = 'config' | 'program_data' | 'system_program';

/** The addresses of an instruction's accounts by slot name, in base58, except those that follow from the program's. */
export type AccountAddresses<Name extends InstructionName> = {
  readonly [Slot in Exclude<Described<Name>['accounts'][number]['name'], DerivedSlot>]: string;
};

/** The arguments of an instruction by name. */
export type InstructionArgs<Name extends InstructionName> = FieldValues<Described<Name>['args']>;

const byName = new Map<string, Instruction>(INSTRUCTIONS.map((instruction) => [instruction.name, instruction]));
const nameByDiscriminator = new Map<string, InstructionName>(
  INSTRUCTIONS.map(({ name }) => [Buffer.from(INSTRUCTION_DISCRIMINATORS[name]).toString('latin1'), name]),
);

/** The description of an instruction: its accounts in order with their flags, and its arguments. */
export function instructionOf(name: InstructionName): Instruction {
  const found = byName.get(name);
  if (found === undefined) throw new RangeError(`the program has no instruction ${name}`);
  return found;
}

/** The instruction by its discriminator; the rest of the data is not checked. */
export function instructionNameOf(data: Uint8Array): InstructionName | undefined {
  return nameByDiscriminator.get(Buffer.from(data.subarray(0, DISCRIMINATOR_SIZE)).toString('latin1'));
}

/** The exact length of an instruction's data, discriminator included. */
export function instructionDataLength(name: InstructionName): number {
  return DISCRIMINATOR_SIZE + sizeOf(instructionOf(name).args);
}

/** Decodes the arguments in an instruction's data. @throws RangeError for another length */
export function decodeArgs<Name extends InstructionName>(name: Name, data: Uint8Array): InstructionArgs<Name> {
  return readFields(instructionOf(name).args, data.subarray(DISCRIMINATOR_SIZE)) as InstructionArgs<Name>;
}

/**
 * Builds one instruction of the ticket program for `@solana/web3.js`.
 * @param args numbers as bigint, ids as 32 bytes, wallets in base58
 * @throws ChainError `bad_address`
 * @throws RangeError for an argument out of range
 */
export function encodeInstruction<Name extends InstructionName>(
  programId: string,
  name: Name,
  accounts: AccountAddresses<Name>,
  args: InstructionArgs<Name>,
): TransactionInstruction {
  const addresses: Readonly<Record<string, string>> = {
    ...accounts,
    config: configAddress(programId).address,
    program_data: programDataAddress(programId).address,
  };
  const described = instructionOf(name);
  const fields: readonly Field[] = described.args;
  return new TransactionInstruction({
    programId: publicKey(programId),
    keys: described.accounts.map((slot) => ({
      pubkey: publicKey(slot.address ?? addresses[slot.name] ?? ''),
      isSigner: slot.signer ?? false,
      isWritable: slot.writable ?? false,
    })),
    data: Buffer.concat([INSTRUCTION_DISCRIMINATORS[name], writeFields(fields, args)]),
  });
}

function publicKey(address: string): PublicKey {
  return new PublicKey(addressBytes(address));
}
