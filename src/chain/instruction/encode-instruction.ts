import {
  type Field,
  INSTRUCTION_DISCRIMINATORS,
  type INSTRUCTIONS,
  type InstructionName,
} from '@fan-api/ticket-program/description';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { addressBytes } from '../address-bytes.ts';
import { type FieldValues, writeFields } from './fields.ts';
import { instructionOf } from './instruction-of.ts';
import { configAddress } from './program-addresses.ts';

type Described<Name extends InstructionName> = Extract<(typeof INSTRUCTIONS)[number], { readonly name: Name }>;

/** The addresses of an instruction's accounts by slot name, in base58, but for the two that follow from the program. */
export type AccountAddresses<Name extends InstructionName> = {
  readonly [Slot in Exclude<Described<Name>['accounts'][number]['name'], 'config' | 'system_program'>]: string;
};

/** The arguments of an instruction by name. */
export type InstructionArgs<Name extends InstructionName> = FieldValues<Described<Name>['args']>;

/**
 * Builds one instruction of the ticket program for `@solana/web3.js`.
 *
 * @param accounts addresses by slot name, in base58; `config` and `system_program` are filled in
 * @param args numbers as bigint, ids as 32 bytes, wallets in base58
 * @throws ChainError `bad_address`
 * @throws RangeError for an argument out of its range
 */
export function encodeInstruction<Name extends InstructionName>(
  programId: string,
  name: Name,
  accounts: AccountAddresses<Name>,
  args: InstructionArgs<Name>,
): TransactionInstruction {
  const addresses: Readonly<Record<string, string>> = { ...accounts, config: configAddress(programId).address };
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
