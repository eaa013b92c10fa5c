import { HEADER_SIZE, PROGRAM_HEADER_SIZE } from './elf.ts';
import type { Image } from './lay-out.ts';
import { SEGMENT_EXECUTE, SEGMENT_LOAD, SEGMENT_READ, writeFileHeader, writeProgramHeader } from './write-headers.ts';

const CODE_ADDRESS = 1n << 32n;
const PROGRAM_HEADERS = 2;

/**
 * sBPF v3: two program headers in a fixed order, no sections, nothing for the loader to relocate.
 *
 * @see SIMD-0189
 */
export function writeV3({ text, rodata }: Image, entry: number): Uint8Array {
  const headers = Buffer.alloc(HEADER_SIZE + PROGRAM_HEADERS * PROGRAM_HEADER_SIZE);
  writeFileHeader(headers, {
    entry: CODE_ADDRESS + BigInt(entry),
    programHeaders: PROGRAM_HEADERS,
    sectionTable: 0,
    sections: 0,
    flags: 3,
  });
  writeProgramHeader(headers, 0, {
    type: SEGMENT_LOAD,
    flags: SEGMENT_READ,
    offset: headers.length,
    address: 0n,
    size: rodata.bytes.length,
  });
  writeProgramHeader(headers, 1, {
    type: SEGMENT_LOAD,
    flags: SEGMENT_EXECUTE,
    offset: headers.length + rodata.bytes.length,
    address: CODE_ADDRESS,
    size: text.bytes.length,
  });
  return Buffer.concat([headers, rodata.bytes, text.bytes]);
}
