import { INSTRUCTIONS, type Instruction, type InstructionName } from '@fan-api/ticket-program/description';

const byName = new Map<string, Instruction>(INSTRUCTIONS.map((instruction) => [instruction.name, instruction]));

/** The description of an instruction: its accounts in order with their flags, and its arguments. */
export function instructionOf(name: InstructionName): Instruction {
  const found = byName.get(name);
  if (found === undefined) throw new RangeError(`the program has no instruction ${name}`);
  return found;
}
