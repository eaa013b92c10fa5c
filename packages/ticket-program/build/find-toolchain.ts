import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The versions whose output is committed. Others make other bytes, so the committed program could not be verified. */
const RUST_VERSION = 'rustc 1.95.0 ';
const LINKER_VERSION = 'sbpf-linker 0.2.6';

export interface Toolchain {
  /** The linker's command. */
  readonly linker: string;
}

/** What is missing to build the program, and how it is had. */
export class ToolMissing extends Error {}

/**
 * Looks for the tools that build the program. Downloads nothing.
 *
 * @param folder of the crate; its `rust-toolchain.toml` names the version of Rust
 * @param linker by default the environment's `SBPF_LINKER`, then `sbpf-linker`
 * @throws ToolMissing for the first that is missing
 */
export function findToolchain(folder: string, linker = process.env.SBPF_LINKER ?? 'sbpf-linker'): Toolchain {
  const rust = outputOf('rustc', ['--version'], folder);
  if (!rust?.startsWith(RUST_VERSION)) {
    throw new ToolMissing('no Rust 1.95.0: rustup toolchain install 1.95.0 --component rust-src');
  }
  const sysroot = outputOf('rustc', ['--print', 'sysroot'], folder)?.trim() ?? '';
  if (!existsSync(join(sysroot, 'lib/rustlib/src/rust/library/core'))) {
    throw new ToolMissing('no rust-src: rustup component add rust-src --toolchain 1.95.0');
  }
  if (!outputOf(linker, ['--version'], folder)?.startsWith(LINKER_VERSION)) {
    throw new ToolMissing('no sbpf-linker 0.2.6: cargo +1.95.0 install sbpf-linker --version 0.2.6 --locked');
  }
  return { linker };
}

function outputOf(command: string, args: readonly string[], folder: string): string | undefined {
  const env = { ...process.env, RUSTUP_AUTO_INSTALL: '0' };
  const { status, stdout } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}
