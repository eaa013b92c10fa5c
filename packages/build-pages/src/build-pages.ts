/**
 * Builds the browser pages (login, portal, playground, documentation, console, partner workspace), each into a `dist/` beside its sources.
 *
 * `--if-stale` does nothing if `dist` was built from exactly these sources. It compares content, not dates: a clone or an
 * unpacked archive may have any date. Without Vite (`npm ci --omit=dev`) existing pages are used as they are.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { BuiltFile } from './render-docs.ts';

/**
 * Limit of gzipped JavaScript of the login page, in bytes: phones load it during a purchase. Chunks that are loaded later
 * and all languages count.
 */
const LOGIN_SCRIPT_BUDGET = 90_000;

/** Limit for the console and the workspace, without the views that are loaded later. */
const CONSOLE_SCRIPT_BUDGET = 250_000;

/** How long assets of earlier builds are kept: open pages request them when a view is opened. */
const KEPT_ASSETS_MS = 30 * 60_000;

/** Inside `dist`: the hash of what it was built from. */
const FINGERPRINT_FILE = '.built-from';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const adapters = join(project, 'adapters');

interface Page {
  name: string;
  root: string;
  /** Globs of its sources, from the project's root; the first three pages share parts, and so do the last two. */
  sources: string;
  jsx: 'preact' | 'react';
  /** Limit of gzipped JavaScript that is loaded first, in bytes; undefined for none. */
  scriptBudget: number | undefined;
  /** The budget also counts what is loaded later. */
  isBudgetForAll?: boolean;
  /** The page is the frame of the documentation. */
  isDocs?: boolean;
}

const LOOK_SOURCES = 'packages/look/src/*';
/** Rules of `src` that pages use, too. */
const RULE_SOURCES = 'src/{partners/scope-table,platform/{current-phone-form,plain-digits}}.ts';
const PREACT_SOURCES = `{adapters/{fan-pages/{page-kit,login/ui,portal/ui},public/{style,playground/ui}}/**/*.{html,css,json,ts,tsx,svg},${LOOK_SOURCES},${RULE_SOURCES}}`;
const KIT_SOURCES = `{admin-ui/kit/**/*.{css,ts,tsx,svg},${LOOK_SOURCES}}`;
const pages: Page[] = [
  {
    name: 'login',
    root: join(adapters, 'fan-pages/login/ui'),
    sources: PREACT_SOURCES,
    jsx: 'preact',
    scriptBudget: LOGIN_SCRIPT_BUDGET,
    isBudgetForAll: true,
  },
  {
    name: 'portal',
    root: join(adapters, 'fan-pages/portal/ui'),
    sources: PREACT_SOURCES,
    jsx: 'preact',
    scriptBudget: LOGIN_SCRIPT_BUDGET,
  },
  {
    name: 'playground',
    root: join(adapters, 'public/playground/ui'),
    sources: `{${PREACT_SOURCES},packages/sdk/src/*.ts}`,
    jsx: 'preact',
    scriptBudget: undefined,
  },
  {
    name: 'documentation',
    root: join(adapters, 'public/docs/ui'),
    sources:
      '{adapters/public/docs/{pages/*.{md,json},ui/*.{html,css,ts}},adapters/fan-pages/page-kit/{icon.svg,style/controls.css},packages/look/src/*,adapters/public/style/*.css,packages/{build-pages/src,sdk/{build,src}}/*.ts}',
    jsx: 'preact',
    scriptBudget: undefined,
    isDocs: true,
  },
  {
    name: 'console',
    root: join(project, 'admin-ui/staff'),
    sources: `{${KIT_SOURCES},admin-ui/staff/**/*.{html,css,ts,tsx,svg},docs/runbook/incidents.md}`,
    jsx: 'react',
    scriptBudget: CONSOLE_SCRIPT_BUDGET,
  },
  {
    name: 'workspace',
    root: join(project, 'admin-ui/partner'),
    sources: `{${KIT_SOURCES},admin-ui/partner/**/*.{html,css,ts,tsx}}`,
    jsx: 'react',
    scriptBudget: CONSOLE_SCRIPT_BUDGET,
  },
];

/** Files that commands generate beside the sources: the hash leaves them out. */
const IS_MADE = /dist|graphql-env\.d\.ts$|sdk\/src\/openapi\.ts$/;

/** One hash over all sources of a page, the lock file and this script. */
function fingerprintOf(page: Page): string {
  const sources = globSync(page.sources, { cwd: project })
    .filter((path) => !IS_MADE.test(path))
    .sort();
  const hash = createHash('sha256');
  for (const path of [
    ...sources,
    'packages/build-pages/src/build-pages.ts',
    'packages/build-pages/src/compile-texts.ts',
    'packages/build-pages/src/compile-runbook.ts',
    'package-lock.json',
  ]) {
    const file = join(project, path);
    if (existsSync(file)) hash.update(path).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** True when the page's `dist` was built from the sources as they are. */
function isFresh(page: Page): boolean {
  const file = join(page.root, 'dist', FINGERPRINT_FILE);
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprintOf(page);
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
  const [{ build }, { compileTexts }, { compileRunbook }] = await Promise.all([
    import('vite'),
    import('./compile-texts.ts'),
    import('./compile-runbook.ts'),
  ]);
  const result = await build({
    root: page.root,
    configFile: false,
    envDir: false,
    publicDir: false,
    base: './',
    logLevel: 'error',
    plugins: [compileTexts, compileRunbook],
    json: { namedExports: false },
    oxc: { jsx: { runtime: 'automatic', importSource: page.jsx } },
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
  const chunks = new Map(outputs.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])));
  const first = new Set([...chunks.values()].filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  // Entries added during the iteration are visited too, so this follows imports transitively.
  for (const name of first) for (const imported of chunks.get(name)?.imports ?? []) first.add(imported);
  return outputs.map((file) => ({
    path: file.fileName,
    content: file.type === 'chunk' ? file.code : file.source,
    first: first.has(file.fileName),
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
  keepAssets(join(dist, 'assets'), join(incoming, 'assets'));
  if (existsSync(dist)) renameSync(dist, outgoing);
  renameSync(incoming, dist);
  rmSync(outgoing, { recursive: true, force: true });
}

/** Copies recent assets of earlier builds; names contain a hash of the content, so they cannot collide. */
function keepAssets(earlier: string, incoming: string): void {
  if (!existsSync(earlier)) return;
  for (const name of readdirSync(earlier)) {
    const file = join(earlier, name);
    const isRecent = Date.now() - statSync(file).mtimeMs < KEPT_ASSETS_MS;
    if (isRecent) cpSync(file, join(incoming, name), { force: false, preserveTimestamps: true });
  }
}

/** The scripts, styles and data in compressed form, for browsers that accept it. Brotli takes too long for the API reference. */
function compressed(files: BuiltFile[]): BuiltFile[] {
  return files
    .filter((file) => /\.(js|css|json)$/.test(file.path))
    .flatMap((file) => [
      { ...file, path: `${file.path}.gz`, content: gzipSync(file.content) },
      ...(file.path.startsWith('scalar/')
        ? []
        : [{ ...file, path: `${file.path}.br`, content: brotliCompressSync(file.content) }]),
    ]);
}

/** Bytes of the files with this suffix. */
function sizeOf(files: BuiltFile[], suffix: string): number {
  return files.filter((file) => file.path.endsWith(suffix)).reduce((sum, file) => sum + file.content.length, 0);
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** @returns false when the page's script is over its budget; its `dist` is then left as it was. */
async function buildPage(page: Page): Promise<boolean> {
  // Before bundling, so that an edit during the build makes the page stale.
  const fingerprint = fingerprintOf(page);
  const bundled = await bundle(page);
  const plain = page.isDocs ? (await import('./render-docs.ts')).renderDocs(bundled, page.root) : bundled;
  const files = [...plain, ...compressed(plain)];
  const loadedFirst = files.filter((file) => file.first);
  const script = sizeOf(loadedFirst, '.js.gz');
  const counted = page.isBudgetForAll ? sizeOf(files, '.js.gz') : script;
  if (page.scriptBudget !== undefined && counted > page.scriptBudget) {
    console.error(
      `${page.name} page: ${kilobytes(counted)} of gzipped JavaScript, ${kilobytes(page.scriptBudget)} allowed`,
    );
    return false;
  }
  replaceDist(page, [...files, { path: FINGERPRINT_FILE, content: fingerprint }]);
  const style = sizeOf(files, '.css.gz');
  const later = sizeOf(files, '.js.gz') - script;
  const more = later > 0 ? ` and ${kilobytes(later)} when asked for` : '';
  console.log(`${page.name} page built: ${kilobytes(script)} script${more}, ${kilobytes(style)} style (gzipped)`);
  return true;
}

/** @returns the exit code. */
async function main(onlyIfStale: boolean): Promise<number> {
  const toBuild = onlyIfStale ? pages.filter((page) => !isFresh(page)) : pages;
  if (toBuild.length > 0 && !isInstalled('vite')) {
    const missing = toBuild.filter((page) => !existsSync(join(page.root, 'dist/index.html')));
    if (missing.length === 0) return 0;
    console.error(
      `The ${missing.map((page) => page.name).join(' and ')} page is not built, and Vite, which builds it, is not installed. ` +
        'Run `npm ci && npm run build` once; after that `npm ci --omit=dev` keeps what was built.',
    );
    return 1;
  }
  const results = await Promise.all(toBuild.map(buildPage));
  return results.every(Boolean) ? 0 : 1;
}

process.exitCode = await main(process.argv.includes('--if-stale'));
