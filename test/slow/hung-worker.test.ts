import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mainProcess } from '../support/main-process.ts';

const { run } = mainProcess();

it('D-233: a worker whose event loop stands still is killed within a minute, and another takes its place', async () => {
  const { child, output } = await run({ WORKERS: '2', SURFACES: 'auth' });
  const workers = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);
  const ready = () => output().split('"msg":"ready"').length - 1;
  await expect.poll(ready, { timeout: 60_000 }).toBe(2);
  const [hung = 0, sound = 0] = workers();
  process.kill(hung, 'SIGSTOP');
  await expect.poll(ready, { timeout: 90_000 }).toBe(3);
  expect(output()).toContain('a worker hangs');
  expect(workers()).not.toContain(hung);
  expect(workers()).toContain(sound);
}, 200_000);
