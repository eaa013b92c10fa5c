import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const HELPER = new URL('end-with-bench.ts', import.meta.url).href;

/** A bench that starts a process, says its id and does as told. */
const bench = (options: object, then: string) => `
  import { spawn } from 'node:child_process';
  const { endWithBench } = await import('${HELPER}');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
  endWithBench(child, ${JSON.stringify(options)});
  console.log(child.pid);
  ${then}`;

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each([
  { how: 'by SIGTERM', signal: 'SIGTERM', code: 143, options: {} },
  { how: 'by SIGINT, with its group', signal: 'SIGINT', code: 130, options: { leadsGroup: true } },
  { how: 'by an error', signal: undefined, code: 1, options: {} },
] as const)('a bench that is ended $how ends what it started', async ({ signal, code, options }) => {
  const then = signal === undefined ? `throw new Error('on purpose');` : 'setInterval(() => {}, 1000);';
  const parent = spawn(process.execPath, ['--input-type=module', '-e', bench(options, then)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(parent, 'exit');
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(pid).toBeGreaterThan(1);
  if (signal !== undefined) parent.kill(signal);
  expect((await ended)[0]).toBe(code);
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});
