/**
 * Builds the ticket program: header, IDL, `permit.so` and its checksum.
 *
 *   npm run program:build               rebuilds the committed files (needs clang 14 and cargo)
 *   npm run program:build -- --check    rebuilds in memory and compares; exit code 1 on any difference
 *   npm run program:build -- --idl <address>   prints the IDL for a cluster where the program has that address
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LOCAL_PROGRAM_ID } from '../src/local-keys.ts';
import { compileProgram } from './compile-program.ts';
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
    return compare(PROGRAM, compileProgram({ compiler, linker })).outcome;
  }
}

/**
 * Rebuilds the committed files. The program is the same for every cluster; the committed IDL names the local network's address.
 *
 * @throws Error without clang 14 or cargo
 */
export function buildProgram(): void {
  const compiler = findCompiler();
  if (!compiler) throw new Error('clang 14 is needed: install clang-14, or name it in CC');
  writeHeader();
  const program = compileProgram({ compiler, linker: buildLinker() });
  writeFileSync(join(FOLDER, IDL), renderIdl(LOCAL_PROGRAM_ID));
  writeFileSync(join(FOLDER, PROGRAM), program);
  writeFileSync(join(FOLDER, CHECKSUM), renderChecksum(program));
  console.log(`${join(FOLDER, PROGRAM)}: ${program.length} bytes`);
}

/** Not written if it is up to date: another build may be reading it. */
function writeHeader(): void {
  const path = join(FOLDER, HEADER);
  const header = renderHeader();
  const upToDate = existsSync(path) && readFileSync(path, 'utf8') === header;
  if (!upToDate) writeFileSync(path, header);
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
