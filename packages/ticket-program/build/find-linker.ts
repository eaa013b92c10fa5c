import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../linker');
const LINKER = join(FOLDER, 'target/debug/link-program');

/** The linker, if it has been built on this machine. */
export function findLinker(): string | undefined {
  return existsSync(LINKER) ? LINKER : undefined;
}

/**
 * Builds the linker from crates.io, in the versions of `Cargo.lock`. The first build takes a few minutes.
 *
 * @throws Error without cargo
 */
export function buildLinker(): string {
  const { status } = spawnSync('cargo', ['build', '--locked'], { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('the linker could not be built: it needs cargo (Rust 1.85 or newer) and crates.io');
  return LINKER;
}
