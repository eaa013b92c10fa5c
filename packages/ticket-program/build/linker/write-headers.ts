import { ELF_MAGIC, FILE_SHARED, HEADER_SIZE, MACHINE_BPF, PROGRAM_HEADER_SIZE, SECTION_HEADER_SIZE } from './elf.ts';

export interface FileHeader {
  readonly entry: bigint;
  readonly programHeaders: number;
  readonly sectionTable: number;
  /** The last section is the one with the names. */
  readonly sections: number;
  /** The sBPF version. */
  readonly flags: number;
}

export interface ProgramHeader {
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly address: bigint;
  readonly size: number;
}

export const SEGMENT_LOAD = 1;
export const SEGMENT_DYNAMIC = 2;
export const SEGMENT_EXECUTE = 1;
export const SEGMENT_WRITE = 2;
export const SEGMENT_READ = 4;

/** 64-bit, little-endian, version 1, no particular operating system. */
const IDENTIFICATION = [2, 1, 1, 0];

export function writeFileHeader(file: Buffer, header: FileHeader): void {
  file.writeUInt32BE(ELF_MAGIC, 0);
  file.set(IDENTIFICATION, 4);
  file.writeUInt16LE(FILE_SHARED, 16);
  file.writeUInt16LE(MACHINE_BPF, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(header.entry, 24);
  file.writeBigUInt64LE(BigInt(HEADER_SIZE), 32);
  file.writeBigUInt64LE(BigInt(header.sectionTable), 40);
  file.writeUInt32LE(header.flags, 48);
  file.writeUInt16LE(HEADER_SIZE, 52);
  file.writeUInt16LE(PROGRAM_HEADER_SIZE, 54);
  file.writeUInt16LE(header.programHeaders, 56);
  file.writeUInt16LE(SECTION_HEADER_SIZE, 58);
  file.writeUInt16LE(header.sections, 60);
  file.writeUInt16LE(Math.max(header.sections - 1, 0), 62);
}

export function writeProgramHeader(file: Buffer, index: number, header: ProgramHeader): void {
  const at = HEADER_SIZE + index * PROGRAM_HEADER_SIZE;
  const size = BigInt(header.size);
  file.writeUInt32LE(header.type, at);
  file.writeUInt32LE(header.flags, at + 4);
  file.writeBigUInt64LE(BigInt(header.offset), at + 8);
  file.writeBigUInt64LE(header.address, at + 16);
  file.writeBigUInt64LE(header.address, at + 24);
  file.writeBigUInt64LE(size, at + 32);
  file.writeBigUInt64LE(size, at + 40);
  file.writeBigUInt64LE(8n, at + 48);
}
