/**
 * Builds the two browser pages of the service, the hosted login pages and the playground, from `ui/` to `ui/dist/`.
 *
 * `--if-stale` does nothing when `dist` was built from exactly these sources. What counts is their content, not their
 * dates: a clone, a container layer or an unpacked archive may carry any date.
 * Without Vite (`npm ci --omit=dev`) pages that were built before are used as they are.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Bytes of gzipped JavaScript that the login page may have: a phone on a slow line loads it in the middle of a purchase. */
const LOGIN_SCRIPT_BUDGET = 90_000;

/** Inside `dist`: the hash of what it was built from. */
const FINGERPRINT_FILE = '.built-from';

const adapters = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  { name: 'login', root: join(adapters, 'login/ui'), scriptBudget: LOGIN_SCRIPT_BUDGET },
  { name: 'playground', root: join(adapters, 'playground/ui'), scriptBudget: undefined },
];

type Page = (typeof pages)[number];
type BuiltFile = { path: string; content: string | Uint8Array };

/** One hash over all sources of both pages (they share parts), the lock file and this script. */
function fingerprintOfSources(): string {
  const sources = globSync('{login,playground}/ui/**/*.{html,css,ts,tsx,svg}', { cwd: adapters })
    .filter((path) => !path.includes('dist'))
    .sort();
  const hash = createHash('sha256');
  for (const path of [...sources, 'login/build-ui.ts', '../package-lock.json']) {
    const file = join(adapters, path);
    if (existsSync(file)) hash.update(path).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** True when the page's `dist` was built from the sources with this fingerprint. */
function isFresh(page: Page, fingerprint: string): boolean {
  const file = join(page.root, 'dist', FINGERPRINT_FILE);
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprint;
}

function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

/** Bundles one page in memory. */
async function bundle(page: Page): Promise<BuiltFile[]> {
  const { build } = await import('vite');
  const result = await build({
    root: page.root,
    configFile: false,
    envDir: false,
    publicDir: false,
    base: './',
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      cssCodeSplit: false,
      target: 'es2022',
      // The content security policy allows no inline script, style or font.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((part) => ('output' in part ? part.output : []));
  return outputs.map((file) => ({
    path: file.fileName,
    content: file.type === 'chunk' ? file.code : file.source,
  }));
}

/** Replaces `dist` by two renames, so that a server that reads it meanwhile finds the old page or the new one. */
function replaceDist(page: Page, files: BuiltFile[]): void {
  const dist = join(page.root, 'dist');
  const incoming = `${dist}-${process.pid}-new`;
  const outgoing = `${dist}-${process.pid}-old`;
  for (const file of files) {
    const target = join(incoming, file.path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, file.content);
  }
  if (existsSync(dist)) renameSync(dist, outgoing);
  renameSync(incoming, dist);
  rmSync(outgoing, { recursive: true, force: true });
}

/** The scripts and styles once more in compressed form, which the server sends to browsers that take it. */
function compressed(files: BuiltFile[]): BuiltFile[] {
  return files
    .filter((file) => /\.(js|css)$/.test(file.path))
    .flatMap((file) => [
      { path: `${file.path}.gz`, content: gzipSync(file.content) },
      { path: `${file.path}.br`, content: brotliCompressSync(file.content) },
    ]);
}

/** Bytes of the files that end so. */
function sizeOf(files: BuiltFile[], suffix: string): number {
  return files.filter((file) => file.path.endsWith(suffix)).reduce((sum, file) => sum + file.content.length, 0);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** @returns false when the page's script is over its budget; its `dist` is then left as it was. */
async function buildPage(page: Page, fingerprint: string): Promise<boolean> {
  const plain = await bundle(page);
  const files = [...plain, ...compressed(plain)];
  const script = sizeOf(files, '.js.gz');
  if (page.scriptBudget !== undefined && script > page.scriptBudget) {
    console.error(
      `${page.name} page: ${kilobytes(script)} of gzipped JavaScript, ${kilobytes(page.scriptBudget)} allowed`,
    );
    return false;
  }
  replaceDist(page, [...files, { path: FINGERPRINT_FILE, content: fingerprint }]);
  const style = sizeOf(files, '.css.gz');
  console.log(`${page.name} page built: ${kilobytes(script)} script, ${kilobytes(style)} style (gzipped)`);
  return true;
}

/** @returns the exit code. */
async function main(onlyIfStale: boolean): Promise<number> {
  const fingerprint = fingerprintOfSources();
  const toBuild = onlyIfStale ? pages.filter((page) => !isFresh(page, fingerprint)) : pages;
  if (toBuild.length > 0 && !isInstalled('vite')) {
    const missing = toBuild.filter((page) => !existsSync(join(page.root, 'dist/index.html')));
    if (missing.length === 0) return 0;
    console.error(
      `The ${missing.map((page) => page.name).join(' and ')} page is not built, and Vite, which builds it, is not installed. ` +
        'Run `npm ci && npm run build` once; after that `npm ci --omit=dev` keeps what was built.',
    );
    return 1;
  }
  const results = await Promise.all(toBuild.map((page) => buildPage(page, fingerprint)));
  return results.every(Boolean) ? 0 : 1;
}

process.exitCode = await main(process.argv.includes('--if-stale'));
