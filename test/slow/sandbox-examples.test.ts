/** The examples in Python, for which solders is installed, and in Go, where it is installed, beside the samples that they name. */
import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileOf } from '../docs/page-samples.ts';
import { samplesPython } from './samples-python.ts';

const run = promisify(execFile);
const env = {
  PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME,
  GO111MODULE: 'off',
};
const SAMPLES = ['cluster.py', 'ticket_accounts.py', 'trade.py', 'cluster.go', 'accounts.go', 'trade.go'];
const EXAMPLES = resolve('packages/sandbox/examples');
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'sandbox-examples-'));
  // npx finds the command there
  await symlink(resolve('node_modules'), join(cwd, 'node_modules'));
  for (const name of SAMPLES) await writeFile(join(cwd, name), fileOf(name));
  for (const name of ['test_tickets.py', 'tickets_test.go']) await copyFile(join(EXAMPLES, name), join(cwd, name));
});
afterAll(() => rm(cwd, { recursive: true }));

it('the example in Python sells a ticket', { timeout: 500_000 }, async () => {
  const { stderr } = await run(await samplesPython(), ['-B', 'test_tickets.py'], { cwd, env });
  expect(stderr).toMatch(/Ran 1 test in [\d.]+s\n\nOK\n$/);
});

const hasGo = spawnSync('go', ['version']).status === 0;
it.skipIf(!hasGo)('the example in Go sells a ticket', { timeout: 300_000 }, async () => {
  expect((await run('gofmt', ['-l', 'tickets_test.go'], { cwd, env })).stdout).toBe('');
  expect((await run('go', ['test', '-v'], { cwd, env })).stdout).toContain('--- PASS: TestATicketIsListedAndSold');
});
