import {
  ELF_MAGIC,
  FILE_RELOCATABLE,
  HEADER_SIZE,
  MACHINE_BPF,
  RELOCATION_SIZE,
  SECTION_HEADER_SIZE,
  SECTION_NOBITS,
  SECTION_REL,
  SECTION_SYMTAB,
  SYMBOL_SIZE,
} from './elf.ts';
import { LinkError } from './link-error.ts';

export interface Section {
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly alignment: number;
  readonly size: number;
  /** Empty for a section that takes no room in the file. */
  readonly bytes: Buffer;
}

export interface ObjectSymbol {
  readonly name: string;
  /** None for a symbol that the object does not define: a system call. */
  readonly section: Section | undefined;
  /** Offset in its section. */
  readonly value: number;
}

export interface Relocation {
  readonly section: Section;
  /** Offset in the section of what must be mended. */
  readonly offset: number;
  readonly type: number;
  readonly symbol: ObjectSymbol;
}

export interface ObjectFile {
  readonly sections: readonly Section[];
  readonly symbols: readonly ObjectSymbol[];
  readonly relocations: readonly Relocation[];
}

interface SectionHeader {
  readonly section: Section;
  readonly link: number;
  readonly info: number;
}

/** @throws LinkError `not_an_object`, also for a file that is cut short or points outside itself; `no_symbols` */
export function readObject(bytes: Uint8Array): ObjectFile {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    file.length < HEADER_SIZE ||
    file.readUInt32BE(0) !== ELF_MAGIC ||
    file.readUInt16LE(16) !== FILE_RELOCATABLE ||
    file.readUInt16LE(18) !== MACHINE_BPF
  ) {
    throw new LinkError('not_an_object', 'this is not a relocatable ELF object for BPF');
  }
  try {
    return readTables(file);
  } catch (error) {
    if (error instanceof RangeError) throw new LinkError('not_an_object', 'the object is cut short or damaged');
    throw error;
  }
}

function readTables(file: Buffer): ObjectFile {
  const headers = readSections(file);
  const symbols = readSymbols(headers);
  const relocations = headers
    .filter(({ section }) => section.type === SECTION_REL)
    .flatMap((header) => readRelocations(header, headers, symbols));
  return { sections: headers.map(({ section }) => section), symbols, relocations };
}

function readSections(file: Buffer): SectionHeader[] {
  const table = slice(file, readU64(file, 40), file.readUInt16LE(60) * SECTION_HEADER_SIZE);
  const headers = records(table, SECTION_HEADER_SIZE);
  const bodyOf = (header: Buffer) => slice(file, readU64(header, 24), readU64(header, 32));
  const names = bodyOf(pick(headers, file.readUInt16LE(62)));
  return headers.map((header) => {
    const type = header.readUInt32LE(4);
    const section = {
      name: readText(names, header.readUInt32LE(0)),
      type,
      flags: readU64(header, 8),
      alignment: readU64(header, 48) || 1,
      size: readU64(header, 32),
      bytes: type === SECTION_NOBITS ? Buffer.alloc(0) : bodyOf(header),
    };
    return { section, link: header.readUInt32LE(40), info: header.readUInt32LE(44) };
  });
}

function readSymbols(headers: readonly SectionHeader[]): ObjectSymbol[] {
  const table = headers.find(({ section }) => section.type === SECTION_SYMTAB);
  if (!table) throw new LinkError('no_symbols', 'the object has no symbol table');
  const names = pick(headers, table.link).section.bytes;
  return records(table.section.bytes, SYMBOL_SIZE).map((record) => {
    const index = record.readUInt16LE(6);
    return {
      name: readText(names, record.readUInt32LE(0)),
      // Numbers past the table are reserved ones, such as "absolute".
      section: index === 0 ? undefined : headers[index]?.section,
      value: readU64(record, 8),
    };
  });
}

function readRelocations(
  { section, info }: SectionHeader,
  headers: readonly SectionHeader[],
  symbols: readonly ObjectSymbol[],
): Relocation[] {
  return records(section.bytes, RELOCATION_SIZE).map((record) => ({
    section: pick(headers, info).section,
    offset: readU64(record, 0),
    type: record.readUInt32LE(8),
    symbol: pick(symbols, record.readUInt32LE(12)),
  }));
}

function records(table: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.floor(table.length / size) }, (_, index) => slice(table, index * size, size));
}

function readU64(file: Buffer, at: number): number {
  return Number(file.readBigUInt64LE(at));
}

function readText(names: Buffer, at: number): string {
  const end = names.indexOf(0, at);
  if (end < 0) throw new RangeError('a name without an end');
  return names.toString('latin1', at, end);
}

/** `subarray` would quietly give less than was asked for. */
function slice(file: Buffer, start: number, size: number): Buffer {
  if (start + size > file.length) throw new RangeError('beyond the end of the file');
  return file.subarray(start, start + size);
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError('no such entry');
  return item;
}
