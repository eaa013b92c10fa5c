import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { registerFan } from '../../../src/fan/register-fan.ts';
import { KEY_ENCRYPTION_KEY } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

// each starts a process of its own, which takes a while on a busy machine
vi.setConfig({ testTimeout: 60_000 });

const app = await testApp();
const NEW = Buffer.alloc(32, 23).toString('hex');

/** `npm run keys:…` beside the running server. */
async function run(command: 'keys-status' | 'reencrypt-keys', env: Record<string, string>) {
  const { databaseUrl = '' } = app.config;
  return promisify(execFile)(process.execPath, [`adapters/commands/${command}.ts`], {
    env: { DATABASE_URL: databaseUrl, ...env },
  });
}

/** `wallet: [done, left]` */
function tableOf(text: string): Record<string, number[]> {
  const lines = [...text.matchAll(/^(\w+) +\S+ +(\d+) +(\d+)$/gm)];
  return Object.fromEntries(lines.map(([, table = '', done, left]) => [table, [Number(done), Number(left)]]));
}

it('npm run keys:status tells what each key sealed; npm run keys:reencrypt brings it to the new one', async () => {
  await registerFan(app.context(), 'production', '+12025550190');
  const alone = await run('keys-status', { KEY_ENCRYPTION_KEY });
  expect(tableOf(alone.stdout)).toMatchObject({ wallet: [3, 0], signing_key: [1, 0], staff_session: [0, 0] });
  expect(alone.stdout).toMatch(/FALLBACK {2}none\n/);
  expect(alone.stdout).toMatch(/\nNothing is left\.\n$/);

  const both = { KEY_ENCRYPTION_KEY: NEW, KEY_ENCRYPTION_KEY_FALLBACK: KEY_ENCRYPTION_KEY };
  const during = await run('keys-status', both);
  expect(tableOf(during.stdout)).toMatchObject({ wallet: [0, 3], signing_key: [0, 1] });
  expect(during.stdout).toContain('4 left: a job re-encrypts them every minute');
  const turned = { KEY_ENCRYPTION_KEY, KEY_ENCRYPTION_KEY_FALLBACK: NEW };
  expect((await run('keys-status', turned)).stdout).toContain('Another process seals with the newer key');

  const done = await run('reencrypt-keys', both);
  expect(done.stdout).toMatch(/^4 secrets re-encrypted\.\n/);
  expect(tableOf(done.stdout)).toMatchObject({ wallet: [3, 0], signing_key: [1, 0] });
  expect(done.stdout).toContain('Nothing is left: remove KEY_ENCRYPTION_KEY_FALLBACK from every process.');
  for (const text of [alone, during, done].flatMap(({ stdout, stderr }) => [stdout, stderr])) {
    expect(text).not.toContain(NEW);
    expect(text).not.toContain(KEY_ENCRYPTION_KEY);
  }
});

it('without the fallback it says what remains, with exit code 1 and no stack', async () => {
  const failure = await run('keys-status', { KEY_ENCRYPTION_KEY }).catch((error) => error);
  expect(failure.code).toBe(1);
  expect(failure.stderr).toMatch(
    /^KEY_ENCRYPTION_KEY does not open everything in this database: 1 row of signing_key, 3 rows/,
  );
  expect(failure.stderr).not.toMatch(/\n\s+at /);
});
