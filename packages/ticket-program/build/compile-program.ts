import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Toolchain, ToolMissing } from './find-toolchain.ts';

const TARGET = 'bpfel-unknown-none';

/** Arguments of `cargo rustc` before and after its `--`. The standard library is built too: Rust has no binary of it for BPF. */
const CARGO_FLAGS = ['--release', '--locked', '--target', TARGET, '-Z', 'build-std=core,alloc'];
/**
 * `lower-atomic`: LLVM 22 cannot compile the compiler fence before a call of another program, in solana-instruction-view
 * (https://github.com/llvm/llvm-project/pull/196734). The virtual machine allows unaligned access and gives a function 4,096 bytes of
 * stack; LLVM must know both.
 */
const RUSTC_FLAGS = [
  ...['-C', 'passes=lower-atomic'],
  ...['--deploy=false', '--export=entrypoint', '--cpu-features=+allows-misaligned-mem-access'].flatMap(linkArg),
  ...linkArg('--llvm-args=-bpf-stack-size=4096'),
];

export interface CompileOptions {
  /** Of the crate. */
  readonly folder: string;
  readonly toolchain: Toolchain;
  /**
   * sBPF version. 0 (the default) is what clusters accept today: the loader relocates system calls and addresses. 3 has no
   * relocations, and needs a cluster where SIMD-0178 and SIMD-0189 are active.
   */
  readonly version?: 0 | 3;
  /** Downloads no crates. */
  readonly offline?: boolean;
}

/**
 * Compiles and links the crate; needs an up-to-date `layout.rs` in it.
 *
 * @returns the program as an ELF file, the same bytes for the same source and tools, wherever they lie
 * @throws ToolMissing where `offline` forbids to download a crate; Error with the compiler's output
 */
export function compileProgram({ folder, toolchain, version = 0, offline = false }: CompileOptions): Uint8Array {
  const target = mkdtempSync(join(tmpdir(), 'ticket-program-'));
  const linker = ['-C', `linker=${toolchain.linker}`, ...linkArg(`--arch=v${version}`)];
  const args = ['rustc', ...CARGO_FLAGS, ...(offline ? ['--offline'] : []), '--', ...RUSTC_FLAGS, ...linker];
  // BOOTSTRAP: a stable compiler accepts `-Z build-std` only so. Flags of the machine would change the bytes.
  const env = {
    ...process.env,
    CARGO_TARGET_DIR: target,
    RUSTC_BOOTSTRAP: '1',
    RUSTFLAGS: '',
    CARGO_ENCODED_RUSTFLAGS: '',
  };
  try {
    const { status, stderr } = spawnSync('cargo', args, { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0 && offline && stderr.includes('without `--offline`')) {
      throw new ToolMissing('crates that Cargo.lock names are not on this machine: npm run program:build');
    }
    if (status !== 0) throw new Error(`the program does not compile\n${stderr}`);
    return readFileSync(join(target, TARGET, 'release/libpermit.so'));
  } finally {
    rmSync(target, { recursive: true });
  }
}

function linkArg(argument: string): string[] {
  return ['-C', `link-arg=${argument}`];
}
