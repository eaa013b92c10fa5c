/**
 * Builds the ticket program: layout, IDL, `permit.so` and its checksum.
 *
 *   npm run program:build               rebuilds the committed files (needs Rust 1.95.0, rust-src and sbpf-linker 0.2.6)
 *   npm run program:build -- --check    rebuilds in memory and compares; exit code 1 on any difference
 *   npm run program:build -- --idl <address>   prints the IDL for a cluster where the program has that address
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCAL_PROGRAM_ID } from '../src/local-keys.ts';
import { compileProgram } from './compile-program.ts';
import { findToolchain, ToolMissing } from './find-toolchain.ts';
import { renderIdl } from './render-idl.ts';
import { renderLayout } from './render-layout.ts';

const FOLDER = join(import.meta.dirname, '../program');
const LAYOUT = 'src/layout.rs';
const IDL = 'idl.json';
const PROGRAM = 'permit.so';
const CHECKSUM = `${PROGRAM}.sha256`;

export interface CheckResult {
  readonly file: string;
  readonly outcome: 'same' | 'differs' | `skipped: ${string}`;
}

/** The checksum file, in the form that `sha256sum -c` reads. */
export function renderChecksum(program: Uint8Array): string {
  return `${createHash('sha256').update(program).digest('hex')}  ${PROGRAM}\n`;
}

/**
 * Rebuilds everything in memory and compares it with a folder of built files. Nothing is written or downloaded.
 *
 * @param folder of the crate, by default the committed one
 * @param find looks for the tools; where it misses one, the program's code cannot be compared, only its checksum
 */
export function checkProgram(folder = FOLDER, find = findToolchain): CheckResult[] {
  const compare = (file: string, expected: string | Uint8Array): CheckResult => {
    const path = join(folder, file);
    const same = existsSync(path) && readFileSync(path).equals(Buffer.from(expected));
    return { file, outcome: same ? 'same' : 'differs' };
  };
  const built = join(folder, PROGRAM);
  const layout = compare(LAYOUT, renderLayout());
  const idl = compare(IDL, renderIdl(LOCAL_PROGRAM_ID));
  const checksum = compare(CHECKSUM, existsSync(built) ? renderChecksum(readFileSync(built)) : '');
  return [layout, idl, checksum, { file: PROGRAM, outcome: programOutcome() }];

  function programOutcome(): CheckResult['outcome'] {
    // The compiler reads the committed layout: with a stale one it would compile something else, or nothing.
    if (layout.outcome === 'differs') return 'differs';
    try {
      return compare(PROGRAM, compileProgram({ folder, toolchain: find(folder), offline: true })).outcome;
    } catch (error) {
      if (error instanceof ToolMissing) return `skipped: ${error.message}`;
      throw error;
    }
  }
}

/**
 * Rebuilds the committed files. The program is the same for every cluster; the committed IDL names the local network's address.
 *
 * @throws ToolMissing
 */
export function buildProgram(): void {
  const toolchain = findToolchain(FOLDER);
  writeFileSync(join(FOLDER, LAYOUT), renderLayout());
  const program = compileProgram({ folder: FOLDER, toolchain });
  writeFileSync(join(FOLDER, IDL), renderIdl(LOCAL_PROGRAM_ID));
  writeFileSync(join(FOLDER, PROGRAM), program);
  writeFileSync(join(FOLDER, CHECKSUM), renderChecksum(program));
  console.log(`${join(FOLDER, PROGRAM)}: ${program.length} bytes`);
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, idl: { type: 'string' } } });
  if (values.check) {
    const results = checkProgram();
    for (const { file, outcome } of results) console.log(`${file}: ${outcome}`);
    process.exitCode = results.some(({ outcome }) => outcome === 'differs') ? 1 : 0;
    return;
  }
  if (values.idl !== undefined) process.stdout.write(renderIdl(values.idl));
  else buildProgram();
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
