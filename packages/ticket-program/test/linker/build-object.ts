/** Makes relocatable objects as clang would, so that the linker is tested where there is no clang, and with what clang would not make. */
import {
  ELF_MAGIC,
  FILE_RELOCATABLE,
  FLAG_ALLOCATE,
  FLAG_EXECUTE,
  HEADER_SIZE,
  MACHINE_BPF,
  RELOCATION_SIZE,
  SECTION_HEADER_SIZE,
  SECTION_PROGBITS,
  SECTION_REL,
  SECTION_STRTAB,
  SECTION_SYMTAB,
  SYMBOL_SIZE,
} from '../../build/linker/elf.ts';

export interface ObjectSection {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly flags?: number;
  readonly type?: number;
  readonly alignment?: number;
  readonly relocations?: readonly { readonly offset: number; readonly type: number; readonly symbol: string }[];
}

export interface ObjectDescription {
  readonly sections: readonly ObjectSection[];
  /** A symbol without a section is one that the runtime must have. */
  readonly symbols: readonly { readonly name: string; readonly section?: string; readonly value?: number }[];
}

/** Opcodes for hand-written code; operands that a relocation fills are zero. */
export const asm = {
  /** Loads a 64-bit number or address into a register. */
  load: (register: number, value = 0) => [...instruction(0x18, register, 0, value), ...instruction(0, 0)],
  move: (register: number, value: number) => instruction(0xb7, register, 0, value),
  /** Reads the 8 bytes that a register points to. */
  read: (to: number, from: number) => instruction(0x79, to | (from << 4)),
  /** clang marks calls that need a relocation with source register 1. */
  call: (value = -1) => instruction(0x85, 0x10, 0, value),
  exit: () => instruction(0x95, 0),
};

export function instruction(opcode: number, registers: number, offset = 0, immediate = 0): number[] {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt8(opcode, 0);
  bytes.writeUInt8(registers, 1);
  bytes.writeInt16LE(offset, 2);
  bytes.writeInt32LE(immediate, 4);
  return [...bytes];
}

export function code(...instructions: readonly number[][]): Uint8Array {
  return Uint8Array.from(instructions.flat());
}

export function textSection(bytes: Uint8Array, relocations: ObjectSection['relocations'] = []): ObjectSection {
  return { name: '.text', bytes, flags: FLAG_ALLOCATE | FLAG_EXECUTE, alignment: 8, relocations };
}

export function rodataSection(bytes: Uint8Array, relocations: ObjectSection['relocations'] = []): ObjectSection {
  return { name: '.rodata', bytes, flags: FLAG_ALLOCATE, relocations };
}

export function buildObject({ sections, symbols }: ObjectDescription): Uint8Array {
  const names = collectNames();
  const indexOf = (name: string | undefined) => sections.findIndex((section) => section.name === name) + 1;

  const symbolTable = Buffer.alloc(SYMBOL_SIZE * (symbols.length + 1));
  symbols.forEach(({ name, section, value = 0 }, index) => {
    const at = SYMBOL_SIZE * (index + 1);
    symbolTable.writeUInt32LE(names.add(name), at);
    symbolTable.writeUInt16LE(section ? indexOf(section) : 0, at + 6);
    symbolTable.writeBigUInt64LE(BigInt(value), at + 8);
  });

  const relocationTables = sections.flatMap(({ name, relocations = [] }) => {
    if (relocations.length === 0) return [];
    const bytes = Buffer.alloc(RELOCATION_SIZE * relocations.length);
    relocations.forEach(({ offset, type, symbol }, index) => {
      const at = RELOCATION_SIZE * index;
      bytes.writeBigUInt64LE(BigInt(offset), at);
      bytes.writeUInt32LE(type, at + 8);
      bytes.writeUInt32LE(symbols.findIndex((other) => other.name === symbol) + 1, at + 12);
    });
    return [{ name: `.rel${name}`, type: SECTION_REL, bytes, info: indexOf(name) }];
  });

  const all: (ObjectSection & { info?: number; link?: number })[] = [...sections, ...relocationTables];
  // The symbol table and, right behind it, the names of everything.
  const namesIndex = all.length + 2;
  all.push({ name: '.symtab', type: SECTION_SYMTAB, bytes: symbolTable, link: namesIndex });
  const nameOffsets = [...all.map(({ name }) => names.add(name)), names.add('.strtab')];
  all.push({ name: '.strtab', type: SECTION_STRTAB, bytes: names.bytes() });

  const headers = Buffer.alloc(SECTION_HEADER_SIZE * (all.length + 1));
  const bodies: Buffer[] = [];
  let offset = HEADER_SIZE;
  all.forEach(({ bytes, type = SECTION_PROGBITS, flags = 0, alignment = 1, info = 0, link = 0 }, index) => {
    const at = SECTION_HEADER_SIZE * (index + 1);
    headers.writeUInt32LE(nameOffsets[index] ?? 0, at);
    headers.writeUInt32LE(type, at + 4);
    headers.writeBigUInt64LE(BigInt(flags), at + 8);
    headers.writeBigUInt64LE(BigInt(offset), at + 24);
    headers.writeBigUInt64LE(BigInt(bytes.length), at + 32);
    headers.writeUInt32LE(link, at + 40);
    headers.writeUInt32LE(info, at + 44);
    headers.writeBigUInt64LE(BigInt(alignment), at + 48);
    bodies.push(Buffer.from(bytes));
    offset += bytes.length;
  });

  const header = Buffer.alloc(HEADER_SIZE);
  header.writeUInt32BE(ELF_MAGIC, 0);
  header.writeUInt16LE(FILE_RELOCATABLE, 16);
  header.writeUInt16LE(MACHINE_BPF, 18);
  header.writeBigUInt64LE(BigInt(offset), 40);
  header.writeUInt16LE(all.length + 1, 60);
  header.writeUInt16LE(namesIndex, 62);
  return Buffer.concat([header, ...bodies, headers]);
}

function collectNames() {
  let bytes = Buffer.from('\0');
  return {
    add(name: string): number {
      const offset = bytes.length;
      bytes = Buffer.concat([bytes, Buffer.from(`${name}\0`)]);
      return offset;
    },
    bytes: () => bytes,
  };
}
