import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { cpuTime, parseStat, treeOf } from './process-figures.ts';

/** A line as Linux writes it: pid, name, state, parent, …; field 14 is the user time, 17 the system time of ended children. */
function statLine(name: string, times: readonly [number, number, number, number]): string {
  const before = Array.from({ length: 9 }, (_, at) => at);
  return `4321 (${name}) S 77 ${before.join(' ')} ${times.join(' ')} 20 0 11 0 123456`;
}

it('proc(5): own time is user and system time in hundredths of a second, apart from that of ended children', () => {
  const stat = parseStat(statLine('node', [150, 50, 7, 3]));
  expect(stat).toEqual({ name: 'node', parent: 77, own: 2_000, ended: 100 });
});

it('a process may have spaces and parentheses in its name', () => {
  const stat = parseStat(statLine('fan-api: worker (1) x', [1, 2, 3, 4]));
  expect(stat).toEqual({ name: 'fan-api: worker (1) x', parent: 77, own: 30, ended: 70 });
});

it('the tree of a process has its descendants and nobody else', () => {
  const parents = { 10: 1, 11: 10, 12: 11, 20: 1, 21: 20 };
  const stats = new Map(Object.entries(parents).map(([pid, parent]) => [Number(pid), { parent }]));
  expect(treeOf(10, stats)).toEqual([10, 11, 12]);
});

it('the time of a process that works off its event loop is in the pool, that of its event loop is not', async () => {
  const work = (how: string) => `
    const { pbkdf2Sync, pbkdf2 } = require('node:crypto');
    ${how}
    process.send('done');
    process.on('message', () => {});`;
  const onLoop = await timesOf(work(`pbkdf2Sync('a', 'b', 1_000_000, 64, 'sha512');`));
  const offLoop = await timesOf(
    `(async () => { ${work(`await new Promise((end) => pbkdf2('a', 'b', 1_000_000, 64, 'sha512', end));`)} })()`,
  );
  expect(onLoop.main).toBeGreaterThan(4 * onLoop.pool);
  expect(offLoop.pool).toBeGreaterThan(offLoop.main);
});

async function timesOf(code: string) {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    await once(child, 'message');
    return await cpuTime(child.pid ?? 0);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}
