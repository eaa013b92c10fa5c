import {
  DISCRIMINATOR_SIZE,
  INSTRUCTION_DISCRIMINATORS,
  INSTRUCTIONS,
  type InstructionName,
  sizeOf,
} from '@fan-api/ticket-program/description';
import type { InstructionArgs } from './encode-instruction.ts';
import { readFields } from './fields.ts';
import { instructionOf } from './instruction-of.ts';

const nameByDiscriminator = new Map<string, InstructionName>(
  INSTRUCTIONS.map(({ name }) => [Buffer.from(INSTRUCTION_DISCRIMINATORS[name]).toString('latin1'), name]),
);

/** Which of our instructions the data starts like, if any. Says nothing about what follows the discriminator. */
export function instructionNameOf(data: Uint8Array): InstructionName | undefined {
  return nameByDiscriminator.get(Buffer.from(data.subarray(0, DISCRIMINATOR_SIZE)).toString('latin1'));
}

/** The exact length of an instruction's data, discriminator included. */
export function instructionDataLength(name: InstructionName): number {
  return DISCRIMINATOR_SIZE + sizeOf(instructionOf(name).args);
}

/**
 * The arguments in the data of an instruction known by name.
 *
 * @throws RangeError for data of another length
 */
export function decodeArgs<Name extends InstructionName>(name: Name, data: Uint8Array): InstructionArgs<Name> {
  return readFields(instructionOf(name).args, data.subarray(DISCRIMINATOR_SIZE)) as InstructionArgs<Name>;
}
