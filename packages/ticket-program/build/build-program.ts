/**
 * Builds the ticket program: header, IDL, `permit.so` and its checksum.
 *
 *   npm run program:build               rebuilds the committed files (needs clang 14 and cargo)
 *   npm run program:build -- --check    rebuilds in memory and compares; exit code 1 on any difference
 *   PROGRAM_ADMIN=<base58> PROGRAM_ID=<base58> npm run program:build -- --out <folder>
 *                                       the program and IDL for a real cluster
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCAL_ADMIN, LOCAL_PROGRAM_ID } from '../src/local-keys.ts';
import { compileProgram, publicKeyBytes } from './compile-program.ts';
import { findCompiler } from './find-compiler.ts';
import { buildLinker, findLinker } from './find-linker.ts';
import { renderHeader } from './render-header.ts';
import { renderIdl } from './render-idl.ts';

const FOLDER = join(import.meta.dirname, '../program');
const HEADER = 'permit.h';
const IDL = 'idl.json';
const PROGRAM = 'permit.so';
const CHECKSUM = `${PROGRAM}.sha256`;

export interface CheckResult {
  readonly file: string;
  readonly outcome: 'same' | 'differs' | 'skipped: no clang-14' | 'skipped: no linker';
}

/** The checksum file, in the form that `sha256sum -c` reads. */
export function renderChecksum(program: Uint8Array): string {
  return `${createHash('sha256').update(program).digest('hex')}  ${PROGRAM}\n`;
}

/**
 * Rebuilds everything in memory and compares it with a folder of built files. Nothing is written.
 *
 * @param folder by default the committed files
 * @param compiler by default what this machine has, as is `linker`; without both the program's code cannot be compared, only its
 *   checksum
 */
export function checkProgram(folder = FOLDER, compiler = findCompiler(), linker = findLinker()): CheckResult[] {
  const compare = (file: string, expected: string | Uint8Array): CheckResult => {
    const path = join(folder, file);
    const same = existsSync(path) && readFileSync(path).equals(Buffer.from(expected));
    return { file, outcome: same ? 'same' : 'differs' };
  };
  const built = join(folder, PROGRAM);
  const header = compare(HEADER, renderHeader());
  const idl = compare(IDL, renderIdl(LOCAL_PROGRAM_ID));
  const checksum = compare(CHECKSUM, existsSync(built) ? renderChecksum(readFileSync(built)) : '');
  return [header, idl, checksum, { file: PROGRAM, outcome: programOutcome() }];

  function programOutcome(): CheckResult['outcome'] {
    if (!compiler) return 'skipped: no clang-14';
    if (!linker) return 'skipped: no linker';
    // The compiler reads the committed header: with a stale one it would compile something else, or nothing.
    if (header.outcome === 'differs') return 'differs';
    return compare(PROGRAM, compileProgram({ compiler, linker, admin: LOCAL_ADMIN })).outcome;
  }
}

/**
 * Builds for one cluster. The header is written beside the source: it is the same for every cluster.
 *
 * @param folder where IDL, program and checksum go
 * @throws Error without clang 14 or cargo
 */
export function buildProgram(folder: string, admin: string, programId: string): void {
  const compiler = findCompiler();
  if (!compiler) throw new Error('clang 14 is needed: install clang-14, or name it in CC');
  publicKeyBytes(programId);
  writeHeader();
  const program = compileProgram({ compiler, linker: buildLinker(), admin });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, IDL), renderIdl(programId));
  writeFileSync(join(folder, PROGRAM), program);
  writeFileSync(join(folder, CHECKSUM), renderChecksum(program));
  console.log(`${join(folder, PROGRAM)}: ${program.length} bytes, admin ${admin}, for address ${programId}`);
}

/** Not written if it is up to date: another build may be reading it. */
function writeHeader(): void {
  const path = join(FOLDER, HEADER);
  const header = renderHeader();
  const upToDate = existsSync(path) && readFileSync(path, 'utf8') === header;
  if (!upToDate) writeFileSync(path, header);
}

function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, out: { type: 'string' } } });
  if (values.check) {
    const results = checkProgram();
    for (const { file, outcome } of results) console.log(`${file}: ${outcome}`);
    process.exitCode = results.some(({ outcome }) => outcome === 'differs') ? 1 : 0;
    return;
  }
  const { PROGRAM_ADMIN = LOCAL_ADMIN, PROGRAM_ID = LOCAL_PROGRAM_ID } = process.env;
  const forLocalNetwork = PROGRAM_ADMIN === LOCAL_ADMIN && PROGRAM_ID === LOCAL_PROGRAM_ID;
  if (!forLocalNetwork && !values.out) {
    throw new Error('the committed program is the one of the local network: give --out <folder> for another');
  }
  buildProgram(values.out ?? FOLDER, PROGRAM_ADMIN, PROGRAM_ID);
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
