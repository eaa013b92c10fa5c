import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `-mcpu=v2`: the jump instructions that Solana supports. No built-ins and no loop idioms: they would become calls to memcpy and
 * memset. No jump tables: no loader has the relocations that they need.
 */
const FLAGS = [
  ...['-target', 'bpf', '-mcpu=v2', '-O2', '-ffreestanding', '-fno-builtin', '-fno-jump-tables', '-fno-unwind-tables'],
  ...['-mllvm', '-disable-loop-idiom-all', '-Wall', '-Wextra', '-Werror'],
];

export interface CompileOptions {
  /** A clang 14, from `findCompiler`. */
  readonly compiler: string;
  /** From `findLinker`. */
  readonly linker: string;
  /**
   * sBPF version. 0 (the default) is what clusters accept today: the loader relocates system calls and addresses. 3 has no
   * relocations, and needs a cluster where SIMD-0178 and SIMD-0189 are active.
   */
  readonly version?: 0 | 3;
}

/**
 * Compiles and links `permit.c`; needs an up-to-date `permit.h` beside it.
 *
 * @returns the program as an ELF file, the same bytes for the same source, compiler and options
 */
export function compileProgram({ compiler, linker, version = 0 }: CompileOptions): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'ticket-program-'));
  try {
    const object = join(folder, 'permit.o');
    // Relative paths, so that the output does not depend on where the checkout is.
    execFileSync(compiler, [...FLAGS, '-c', 'permit.c', '-o', object], {
      cwd: join(import.meta.dirname, '../program'),
    });
    const program = join(folder, 'permit.so');
    execFileSync(linker, [object, program, `v${version}`]);
    return readFileSync(program);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
