import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeAddress } from '@fan-api/solana-wire/base58';
import { type LinkOptions, linkSbf } from './link-sbf.ts';

/**
 * `-mcpu=v2`: the jumps that Solana knows. No built-ins and no loop idioms: they would become calls to memcpy and memset. No jump
 * tables: they need relocations that no loader has.
 */
const FLAGS = [
  ...['-target', 'bpf', '-mcpu=v2', '-O2', '-ffreestanding', '-fno-builtin', '-fno-jump-tables', '-fno-unwind-tables'],
  ...['-mllvm', '-disable-loop-idiom-all', '-Wall', '-Wextra', '-Werror'],
];

export interface CompileOptions {
  /** A clang 14, as `findCompiler` gives it. */
  readonly compiler: string;
  /** Base58 public key of the only wallet that may initialise the program. */
  readonly admin: string;
  /** sBPF version, 0 by default. */
  readonly version?: LinkOptions['version'];
}

/**
 * Compiles and links `permit.c`; needs an up-to-date `permit.h` beside it.
 *
 * @returns the program as an ELF file, the same bytes for the same source, compiler and options
 */
export function compileProgram({ compiler, admin, version = 0 }: CompileOptions): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'ticket-program-'));
  try {
    const object = join(folder, 'permit.o');
    // Relative paths, so that where the checkout lies leaves no trace.
    execFileSync(
      compiler,
      [...FLAGS, `-DADMIN_BYTES=${publicKeyBytes(admin).join(',')}`, '-c', 'permit.c', '-o', object],
      {
        cwd: join(import.meta.dirname, '../program'),
      },
    );
    return linkSbf(readFileSync(object), { version });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @throws RangeError for anything else than 32 bytes in base58 */
export function publicKeyBytes(address: string): Uint8Array {
  const bytes = decodeAddress(address);
  if (bytes === undefined) throw new RangeError(`not a base58 address: ${address}`);
  return bytes;
}
