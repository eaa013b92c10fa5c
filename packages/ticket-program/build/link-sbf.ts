/**
 * A linker for Solana: turns the one relocatable object that stock clang makes for its BPF target into the ELF file that Solana's
 * loaders accept. No common linker can (ld.lld and GNU ld fail on BPF objects), and Solana's own tool chain is a large download.
 *
 * The steps are one file each in `linker/`: read the object, lay out what gets loaded, check the instructions, relocate, write.
 */
import { checkInstructions } from './linker/check-instructions.ts';
import { layOut } from './linker/lay-out.ts';
import { LinkError } from './linker/link-error.ts';
import { readObject } from './linker/read-object.ts';
import { relocate } from './linker/relocate.ts';
import { V0_HEADER_SIZE, writeV0 } from './linker/write-v0.ts';
import { writeV3 } from './linker/write-v3.ts';

export interface LinkOptions {
  /**
   * sBPF version of the result. 0 (the default) is what clusters accept today: system calls and addresses are relocated by the
   * loader. 3 has neither, and needs a cluster where SIMD-0178 and SIMD-0189 are active.
   */
  readonly version?: 0 | 3;
  /** Name of the function that the runtime calls. */
  readonly entry?: string;
}

/**
 * @param object an ELF relocatable made by `clang -target bpf -mcpu=v2 -c`; all code must be in this one object
 * @returns an ELF shared object that `solana program deploy` or a test VM loads; the same bytes for the same input
 * @throws LinkError when the object holds something that cannot run on Solana
 */
export function linkSbf(object: Uint8Array, { version = 0, entry = 'entrypoint' }: LinkOptions = {}): Uint8Array {
  const parsed = readObject(object);
  const entrySymbol = parsed.symbols.find(({ name, section }) => name === entry && section);
  if (!entrySymbol) throw new LinkError('no_entry', `there is no function named ${entry}`);

  const image = layOut(parsed, version === 0 ? { textBase: V0_HEADER_SIZE, contiguous: true } : { textBase: 0 });
  checkInstructions(image.text.bytes, version);
  const forLoader = relocate(image, parsed.relocations, version);
  const entryAddress = image.addressOf(entrySymbol);
  return version === 0 ? writeV0(image, forLoader, entryAddress) : writeV3(image, entryAddress);
}
