import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHILD_ENV } from '../../support/child-env.ts';

/**
 * The real commands, on a data folder of their own. Root makes them warn at start: the system user of PostgreSQL can't enter
 * the folder of a temporary one.
 */
let dataDir: string;
beforeAll(async () => {
  // mode 700
  dataDir = await mkdtemp(join(tmpdir(), 'fan-api-commands-'));
});
afterAll(async () => {
  const moved = await readFile(join(dataDir, 'postgres-folder'), 'utf8').catch(() => undefined);
  if (moved !== undefined) await rm(join('/var/lib/fan-api', moved), { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

const asRoot = process.getuid?.() === 0;

async function npmRun(...words: string[]) {
  const env = { ...CHILD_ENV, DATA_DIR: dataDir };
  return promisify(execFile)('npm', ['run', '--silent', ...words], { env });
}

/** Level and message of each line that is a log line. */
function logLines(text: string): { level: number; msg: string }[] {
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

describe('a command prints its result on standard output, and its log on standard error', () => {
  it('npm run admin', { timeout: 120_000 }, async () => {
    const { stdout, stderr } = await npmRun('admin', '--', 'viewer');
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Local admin', role: 'ADMIN' });
    if (asRoot) expect(logLines(stderr)).toMatchObject([{ level: 40, msg: expect.stringContaining(dataDir) }]);
  });

  it('npm run keys:rotate', { timeout: 120_000 }, async () => {
    const { stdout, stderr } = await npmRun('keys:rotate');
    expect(stdout).toMatch(/^Key [\w-]{43} is published and signs from \S+\.\n$/);
    if (asRoot) expect(logLines(stderr)).toMatchObject([{ level: 40, msg: expect.stringContaining(dataDir) }]);
  });
});
