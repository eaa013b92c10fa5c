/** The examples in Python, which need no package, and in Go, where it is installed. */
import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const env = {
  PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME,
  GOFLAGS: '-mod=mod',
  GO111MODULE: 'off',
};
const cwd = 'packages/sandbox/examples';

it('the example in Python passes', { timeout: 180_000 }, async () => {
  const { stderr } = await run('python3', ['-B', 'test_tickets.py'], { cwd, env });
  expect(stderr).toMatch(/Ran 1 test in [\d.]+s\n\nOK\n$/);
});

const hasGo = spawnSync('go', ['version']).status === 0;
it.skipIf(!hasGo)('the example in Go passes', { timeout: 300_000 }, async () => {
  expect((await run('gofmt', ['-l', '.'], { cwd, env })).stdout).toBe('');
  expect((await run('go', ['test', '-v', 'tickets_test.go'], { cwd, env })).stdout).toContain('--- PASS: TestAFan');
});
