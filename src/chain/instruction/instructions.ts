import { addressBytes } from '@fan-api/cosign-policy/address-bytes';
import { configAddress, programDataAddress } from '@fan-api/cosign-policy/program-addresses';
import { checkLength, type FieldValues } from '@fan-api/cosign-policy/read-fields';
import { type InstructionArgs, instructionOf } from '@fan-api/cosign-policy/read-instruction';
import {
  FIELD_SIZES,
  type Field,
  type FieldType,
  INSTRUCTION_DISCRIMINATORS,
  type INSTRUCTIONS,
  type InstructionName,
} from '@fan-api/ticket-program/description';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';

type Described<Name extends InstructionName> = Extract<(typeof INSTRUCTIONS)[number], { readonly name: Name }>;

/** Slots whose address is derived from the program's. */
type DerivedSlot = 'config' | 'program_data' | 'system_program';

/** The addresses of an instruction's accounts by slot name, in base58, except those derived from the program's. */
export type AccountAddresses<Name extends InstructionName> = {
  readonly [Slot in Exclude<Described<Name>['accounts'][number]['name'], DerivedSlot>]: string;
};

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

/** Encodes Borsh fields. @throws RangeError for a value out of range or of another type @throws ChainError `bad_address` */
export function writeFields<const Fields extends readonly Field[]>(
  fields: Fields,
  values: FieldValues<Fields>,
): Buffer {
  const given: Readonly<Record<string, unknown>> = values;
  return Buffer.concat(fields.map(({ name, type }) => writeValue(name, type, given[name])));
}

function writeValue(name: string, type: FieldType, value: unknown): Buffer {
  const bytes = Buffer.alloc(FIELD_SIZES[type]);
  if (type === 'u8' && typeof value === 'number') bytes.writeUInt8(value);
  else if (type === 'u64' && typeof value === 'bigint') bytes.writeBigUInt64LE(value);
  else if (type === 'pubkey' && typeof value === 'string') bytes.set(addressBytes(value));
  else if (type === 'bytes32' && value instanceof Uint8Array) bytes.set(checkLength(name, value, 32));
  else throw new RangeError(`${name} is no ${type}`);
  return bytes;
}
