import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

it.each([
  ['admin -- viewer', /"name": "Local admin",.*"role": "ADMIN"/s],
  ['audit -- verify', /^0 files and 0 entries of the database are intact\n$/],
  ['keys:rotate', /^Key [\w-]{43} is published and signs from \S+\.\n$/],
])(
  'npm run %s prints its result on standard output, and its log on standard error',
  {
    timeout: 120_000,
  },
  async (command, result) => {
    const env = { ...CHILD_ENV, DATA_DIR: dataDir };
    const { stdout, stderr } = await promisify(execFile)('npm', ['run', '--silent', ...command.split(' ')], { env });
    expect(stdout).toMatch(result);
    const logged = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    if (asRoot) expect(logged).toMatchObject([{ level: 40, msg: expect.stringContaining(dataDir) }]);
  },
);
