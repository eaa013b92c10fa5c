import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { mainProcess } from '../support/main-process.ts';

const { run } = mainProcess();
const cache = await mkdtemp(join(tmpdir(), 'fan-api-compiled-'));
afterAll(() => rm(cache, { recursive: true }));

/** Node tells there what it had to strip of types by itself. */
const TELL = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE', NODE_COMPILE_CACHE: cache };
const STRIPPED = /writing cache for StrippedTypeScript \S*\/((?:src|schema|adapters|packages)\/\S+\.ts)/g;

const strippedIn = (text: string) => [...text.matchAll(STRIPPED)].map(([, file]) => file);

it('every module of the service is compiled beforehand: a start loads no TypeScript parser', async () => {
  const node = join(process.cwd(), 'node_modules/.bin/node');
  const compiled = await promisify(execFile)(node, ['deploy/compile.ts'], {
    env: { PATH: process.env.PATH, ...TELL },
    maxBuffer: 100_000_000,
  });
  const written = strippedIn(compiled.stdout + compiled.stderr);
  expect(written).toEqual(
    expect.arrayContaining(['adapters/main.ts', 'adapters/commands/migrate.ts', 'src/errors.ts']),
  );

  const elsewhere = { SANDBOX_RPC_URL: 'http://127.0.0.1:1', SURFACES: 'auth,login,fan,admin,partners,docs' };
  const service = await run({ ...TELL, ...elsewhere });
  expect(await service.ready()).toBe(true);
  service.child.kill('SIGTERM');
  await service.ended();
  expect(service.output() + service.errors()).toContain('retrieving transpile cache');
  expect(strippedIn(service.output() + service.errors())).toEqual([]);
});
