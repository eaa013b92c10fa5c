import {
  alignUp,
  DYNAMIC_ENTRY_SIZE,
  FLAG_ALLOCATE,
  FLAG_EXECUTE,
  FLAG_WRITE,
  HEADER_SIZE,
  PROGRAM_HEADER_SIZE,
  RELOCATION_SIZE,
  SECTION_DYNAMIC,
  SECTION_DYNSYM,
  SECTION_HEADER_SIZE,
  SECTION_PROGBITS,
  SECTION_REL,
  SECTION_STRTAB,
  SYMBOL_SIZE,
} from './elf.ts';
import type { Image } from './lay-out.ts';
import type { LoaderRelocation } from './relocate.ts';
import {
  SEGMENT_DYNAMIC,
  SEGMENT_EXECUTE,
  SEGMENT_LOAD,
  SEGMENT_READ,
  SEGMENT_WRITE,
  writeFileHeader,
  writeProgramHeader,
} from './write-headers.ts';

const PROGRAM_HEADERS = 3;

/** The code starts right behind the headers; in sBPF v0 every address equals its offset in the file. */
export const V0_HEADER_SIZE = HEADER_SIZE + PROGRAM_HEADERS * PROGRAM_HEADER_SIZE;

const DYNAMIC_STRTAB = 5;
const DYNAMIC_SYMTAB = 6;
const DYNAMIC_STRSZ = 10;
const DYNAMIC_SYMENT = 11;
const DYNAMIC_REL = 17;
const DYNAMIC_RELSZ = 18;
const DYNAMIC_RELENT = 19;
const DYNAMIC_ENTRIES = 8;

/** A global symbol without a type. */
const SYMBOL_INFO = 0x10;

type DynamicEntry = readonly [tag: number, value: number];

interface OutputSection {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly bytes: Buffer;
  readonly link?: string;
  /** For a symbol table: the index of the first global symbol. */
  readonly info?: number;
  readonly alignment: number;
  readonly entrySize?: number;
}

/**
 * sBPF v0: code, constants, and the dynamic tables by which the loader finds what it has to relocate.
 *
 * The loader wants addresses equal to file offsets, and the table of relocations aligned to 8.
 */
export function writeV0({ text, rodata }: Image, relocations: readonly LoaderRelocation[], entry: number): Uint8Array {
  const syscalls = [...new Set(relocations.flatMap(({ syscall }) => syscall ?? []))];
  const names = stringTable(syscalls);
  const symbols = symbolTable(syscalls, names);
  const relocationTable = relocationRecords(relocations, syscalls);

  const dynamicAt = rodata.base + rodata.bytes.length;
  const symbolsAt = dynamicAt + DYNAMIC_ENTRIES * DYNAMIC_ENTRY_SIZE;
  const namesAt = symbolsAt + symbols.length;
  const relocationsAt = alignUp(namesAt + names.bytes.length, 8);
  const end = relocationsAt + relocationTable.length;
  const relocationEntries: DynamicEntry[] = [
    [DYNAMIC_REL, relocationsAt],
    [DYNAMIC_RELSZ, relocationTable.length],
    [DYNAMIC_RELENT, RELOCATION_SIZE],
  ];
  const dynamic = dynamicTable([
    // The loader looks for the table as soon as it is mentioned, even if it is empty.
    ...(relocations.length > 0 ? relocationEntries : []),
    [DYNAMIC_SYMTAB, symbolsAt],
    [DYNAMIC_SYMENT, SYMBOL_SIZE],
    [DYNAMIC_STRTAB, namesAt],
    [DYNAMIC_STRSZ, names.bytes.length],
  ]);

  const sections: OutputSection[] = [
    section('.text', SECTION_PROGBITS, FLAG_ALLOCATE | FLAG_EXECUTE, text.base, text.bytes),
    section('.rodata', SECTION_PROGBITS, FLAG_ALLOCATE, rodata.base, rodata.bytes),
    {
      ...section('.dynamic', SECTION_DYNAMIC, FLAG_ALLOCATE | FLAG_WRITE, dynamicAt, dynamic),
      link: '.dynstr',
      entrySize: DYNAMIC_ENTRY_SIZE,
    },
    {
      ...section('.dynsym', SECTION_DYNSYM, FLAG_ALLOCATE, symbolsAt, symbols),
      link: '.dynstr',
      info: 1,
      entrySize: SYMBOL_SIZE,
    },
    { ...section('.dynstr', SECTION_STRTAB, FLAG_ALLOCATE, namesAt, names.bytes), alignment: 1 },
    {
      ...section('.rel.dyn', SECTION_REL, FLAG_ALLOCATE, relocationsAt, relocationTable),
      link: '.dynsym',
      entrySize: RELOCATION_SIZE,
    },
  ].filter(({ bytes }) => bytes.length > 0);

  const file = withSectionTable(sections, end, entry);
  const dataSize = end - rodata.base;
  [
    { type: SEGMENT_LOAD, flags: SEGMENT_READ | SEGMENT_EXECUTE, offset: text.base, size: text.bytes.length },
    { type: SEGMENT_LOAD, flags: SEGMENT_READ, offset: rodata.base, size: dataSize },
    { type: SEGMENT_DYNAMIC, flags: SEGMENT_READ | SEGMENT_WRITE, offset: dynamicAt, size: dynamic.length },
  ].forEach((header, index) => {
    writeProgramHeader(file, index, { ...header, address: BigInt(header.offset) });
  });
  return file;
}

function section(name: string, type: number, flags: number, offset: number, bytes: Buffer): OutputSection {
  return { name, type, flags, offset, bytes, alignment: 8 };
}

/** Every ELF string table starts with the empty string. */
function stringTable(texts: readonly string[]): { readonly bytes: Buffer; offsetOf(text: string): number } {
  const offsets = new Map<string, number>();
  let bytes = Buffer.from('\0');
  for (const text of texts) {
    offsets.set(text, bytes.length);
    bytes = Buffer.concat([bytes, Buffer.from(`${text}\0`)]);
  }
  return { bytes, offsetOf: (text) => offsets.get(text) ?? 0 };
}

function symbolTable(syscalls: readonly string[], names: { offsetOf(text: string): number }): Buffer {
  const table = Buffer.alloc(SYMBOL_SIZE * (syscalls.length + 1));
  syscalls.forEach((name, index) => {
    const at = SYMBOL_SIZE * (index + 1);
    table.writeUInt32LE(names.offsetOf(name), at);
    table.writeUInt8(SYMBOL_INFO, at + 4);
  });
  return table;
}

function relocationRecords(relocations: readonly LoaderRelocation[], syscalls: readonly string[]): Buffer {
  const table = Buffer.alloc(RELOCATION_SIZE * relocations.length);
  relocations.forEach(({ address, type, syscall }, index) => {
    const at = RELOCATION_SIZE * index;
    table.writeBigUInt64LE(BigInt(address), at);
    table.writeUInt32LE(type, at + 8);
    table.writeUInt32LE(syscall === undefined ? 0 : syscalls.indexOf(syscall) + 1, at + 12);
  });
  return table;
}

/** What stays zero at the end is the entry that closes the table. */
function dynamicTable(entries: readonly DynamicEntry[]): Buffer {
  const table = Buffer.alloc(DYNAMIC_ENTRIES * DYNAMIC_ENTRY_SIZE);
  entries.forEach(([tag, value], index) => {
    table.writeBigUInt64LE(BigInt(tag), DYNAMIC_ENTRY_SIZE * index);
    table.writeBigUInt64LE(BigInt(value), DYNAMIC_ENTRY_SIZE * index + 8);
  });
  return table;
}

/** The file with its header, its sections and their table; the program headers are still blank. */
function withSectionTable(loaded: readonly OutputSection[], loadedEnd: number, entry: number): Buffer {
  const names = stringTable([...loaded.map(({ name }) => name), '.shstrtab']);
  const sections: OutputSection[] = [
    ...loaded,
    { name: '.shstrtab', type: SECTION_STRTAB, flags: 0, offset: loadedEnd, bytes: names.bytes, alignment: 1 },
  ];
  const tableAt = alignUp(loadedEnd + names.bytes.length, 8);
  // One more: the table starts with an empty section.
  const count = sections.length + 1;
  const file = Buffer.alloc(tableAt + count * SECTION_HEADER_SIZE);
  writeFileHeader(file, {
    entry: BigInt(entry),
    programHeaders: PROGRAM_HEADERS,
    sectionTable: tableAt,
    sections: count,
    flags: 0,
  });
  const indexOf = (name: string | undefined) => (name ? sections.findIndex((other) => other.name === name) + 1 : 0);
  sections.forEach((item, index) => {
    item.bytes.copy(file, item.offset);
    const at = tableAt + (index + 1) * SECTION_HEADER_SIZE;
    file.writeUInt32LE(names.offsetOf(item.name), at);
    file.writeUInt32LE(item.type, at + 4);
    file.writeBigUInt64LE(BigInt(item.flags), at + 8);
    file.writeBigUInt64LE(BigInt(item.flags & FLAG_ALLOCATE ? item.offset : 0), at + 16);
    file.writeBigUInt64LE(BigInt(item.offset), at + 24);
    file.writeBigUInt64LE(BigInt(item.bytes.length), at + 32);
    file.writeUInt32LE(indexOf(item.link), at + 40);
    file.writeUInt32LE(item.info ?? 0, at + 44);
    file.writeBigUInt64LE(BigInt(item.alignment), at + 48);
    file.writeBigUInt64LE(BigInt(item.entrySize ?? 0), at + 56);
  });
  return file;
}
