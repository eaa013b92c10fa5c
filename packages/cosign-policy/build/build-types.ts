import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));
const ENTRY = 'cosign-policy/src/lint';

/** Modules of other packages that the entry's types may lead to. */
const NEIGHBOURS = ['@fan-api/solana-wire/parse-transaction', '@fan-api/ticket-program/description'];

/** An import of a declaration file: of a neighbour, or of another package of the workspace. */
const IMPORT = /(from |import\()'(\.[^']*|@fan-api\/[^']*)'/g;

/**
 * Writes the declarations of `lint` and of all that its types name: a partner's compiler needs no others.
 * @param folder becomes `lint.d.ts` and the files beside it
 */
export function buildTypes(folder: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'cosign-policy-types-'));
  try {
    emitDeclarations(emitted);
    for (const [module, text] of reachable(emitted)) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${nameOf(module)}.d.ts`), text);
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

function emitDeclarations(folder: string): void {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const project = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: folder,
    rootDir: PACKAGES,
    // TypeScript writes no declarations for modules that it finds below node_modules
    paths: Object.fromEntries(NEIGHBOURS.map((name) => [name, [sourceOf(name)]])),
    typeRoots: [join(PACKAGES, '../node_modules/@types')],
  };
  const options = {
    extends: join(PACKAGES, '../tsconfig.json'),
    compilerOptions,
    include: [],
    files: [`${PACKAGES}${ENTRY}.ts`],
  };
  writeFileSync(project, JSON.stringify(options));
  execFileSync(process.execPath, [compiler, '-p', project], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The declarations that the entry's types lead to, with imports of each other by the names that they get. */
function reachable(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (module: string): void => {
    if (found.has(module)) return;
    found.set(module, '');
    const text = readFileSync(join(folder, `${module}.d.ts`), 'utf8');
    const named = text.replace(IMPORT, (_, before: string, specifier: string) => {
      const other = moduleOf(module, specifier);
      visit(other);
      return `${before}'./${nameOf(other)}.js'`;
    });
    found.set(module, named);
  };
  visit(ENTRY);
  return found;
}

/** The path of an imported module below the packages, without its ending. */
function moduleOf(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) {
    return relative(PACKAGES, resolve(PACKAGES, dirname(importer), specifier)).replace(/\.ts$/, '');
  }
  return relative(PACKAGES, sourceOf(specifier)).replace(/\.ts$/, '');
}

/** The file of a module of another package. */
function sourceOf(specifier: string): string {
  return realpathSync(fileURLToPath(import.meta.resolve(specifier)));
}

/** `cosign-policy/src/rules` is `rules`, and `solana-wire/src/base58` is `solana-wire-base58`. */
function nameOf(module: string): string {
  return module
    .replace(/^cosign-policy\/src\//, '')
    .replace('/src/', '-')
    .replaceAll('/', '-');
}
