import { INSTRUCTION_SIZE, R_BPF_64_32, R_BPF_64_64, R_BPF_64_ABS64, R_BPF_64_RELATIVE } from './elf.ts';
import { type Image, isCode, type Segment } from './lay-out.ts';
import { LinkError } from './link-error.ts';
import type { ObjectSymbol, Relocation } from './read-object.ts';
import { syscallHash } from './syscall-hash.ts';

/** What is left for the loader to do (sBPF v0 only): a system call has a name, an address has none. */
export interface LoaderRelocation {
  readonly address: number;
  readonly type: typeof R_BPF_64_32 | typeof R_BPF_64_RELATIVE;
  readonly syscall?: string;
}

/** One place to mend: `at` is the offset in the segment. */
interface Site {
  readonly image: Image;
  readonly segment: Segment;
  readonly at: number;
  readonly symbol: ObjectSymbol;
  readonly version: 0 | 3;
}

/** In sBPF v3 code lies 4 GiB up: the upper half of an address says whether it is code. */
const V3_CODE_UPPER_HALF = 1;

/**
 * Fills in addresses and call targets, in the bytes of the image.
 *
 * @returns what only the loader can fill in; empty for version 3
 * @throws LinkError `unknown_relocation`, `unloaded_symbol`
 */
export function relocate(image: Image, relocations: readonly Relocation[], version: 0 | 3): LoaderRelocation[] {
  return relocations.flatMap(({ section, offset, type, symbol }) => {
    const found = image.placeOf(section);
    // Debug and unwind sections have relocations too, but are not loaded.
    if (!found) return [];
    const site: Site = { image, segment: found.segment, at: found.start + offset, symbol, version };
    const inCode = isCode(section);
    if (inCode && type === R_BPF_64_32) return symbol.section ? relocateCall(site) : relocateSyscall(site);
    if (inCode && type === R_BPF_64_64) return relocateLoad(site);
    if (!inCode && type === R_BPF_64_ABS64) return relocatePointer(site);
    throw new LinkError('unknown_relocation', `relocation type ${type} in ${section.name} against ${symbol.name}`);
  });
}

function relocateSyscall({ segment, at, symbol, version }: Site): LoaderRelocation[] {
  // The source register says what kind of call it is; 0 means one that the runtime resolves.
  segment.bytes.writeUInt8(segment.bytes.readUInt8(at + 1) & 0x0f, at + 1);
  if (version === 3) {
    segment.bytes.writeUInt32LE(syscallHash(symbol.name), at + 4);
    return [];
  }
  segment.bytes.writeInt32LE(-1, at + 4);
  return [{ address: segment.base + at, type: R_BPF_64_32, syscall: symbol.name }];
}

/** A call within the code is relative, counted in instructions from the one that follows. */
function relocateCall({ image, segment, at, symbol }: Site): LoaderRelocation[] {
  const addend = segment.bytes.readInt32LE(at + 4) + 1;
  const target = (image.addressOf(symbol) - segment.base) / INSTRUCTION_SIZE + addend;
  segment.bytes.writeInt32LE(target - at / INSTRUCTION_SIZE - 1, at + 4);
  return [];
}

/** `lddw` spreads its 64-bit operand over the immediates of its two slots. */
function relocateLoad({ image, segment, at, symbol, version }: Site): LoaderRelocation[] {
  const address = image.addressOf(symbol) + segment.bytes.readInt32LE(at + 4);
  segment.bytes.writeUInt32LE(address, at + 4);
  segment.bytes.writeUInt32LE(upperHalf(symbol, version), at + INSTRUCTION_SIZE + 4);
  return version === 3 ? [] : [{ address: segment.base + at, type: R_BPF_64_RELATIVE }];
}

function relocatePointer({ image, segment, at, symbol, version }: Site): LoaderRelocation[] {
  const address = image.addressOf(symbol) + Number(segment.bytes.readBigInt64LE(at));
  if (version === 3) {
    segment.bytes.writeUInt32LE(address, at);
    segment.bytes.writeUInt32LE(upperHalf(symbol, version), at + 4);
    return [];
  }
  // A peculiarity of the v0 loader: in data too it takes the address from where `lddw` would have it, 4 bytes on.
  segment.bytes.writeUInt32LE(0, at);
  segment.bytes.writeUInt32LE(address, at + 4);
  return [{ address: segment.base + at, type: R_BPF_64_RELATIVE }];
}

function upperHalf({ section }: ObjectSymbol, version: 0 | 3): number {
  return version === 3 && section && isCode(section) ? V3_CODE_UPPER_HALF : 0;
}
