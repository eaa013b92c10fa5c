import {
  DISCRIMINATOR_SIZE,
  INSTRUCTION_DISCRIMINATORS,
  INSTRUCTIONS,
  type Instruction,
  type InstructionName,
  sizeOf,
} from '@fan-api/ticket-program/description';
import { type FieldValues, readFields } from './read-fields.ts';

type Described<Name extends InstructionName> = Extract<(typeof INSTRUCTIONS)[number], { readonly name: Name }>;

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
