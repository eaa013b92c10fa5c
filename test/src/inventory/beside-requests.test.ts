import { expect, it } from 'vitest';
import { MOST_ROWS } from '../../../src/inventory/apply-rows.ts';
import { testApp } from '../../support/test-app.ts';
import { apply, newEvent, PRODUCTION_PROGRAM_ID, ticketRow } from './stage.ts';

/** D-218: rows come in beside requests. */
const app = await testApp({ env: { PRODUCTION_PROGRAM_ID } });

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The most CPU time that passes between two turns of the event loop: unlike the clock, it leaves out what other processes take. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = cpuMs();
  const probe = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  await work();
  clearInterval(probe);
  return longest;
}

it('1,000 rows of new holders are applied in turns of the event loop that no request notices', async () => {
  const { event, type, rows } = newEvent();
  await apply(app, rows);
  const tickets = (part: number) =>
    Array.from({ length: MOST_ROWS }, (_, index) =>
      ticketRow(event, type, `${part}-${index}`, { holder_phone: `+4930${part}${String(index).padStart(5, '0')}` }),
    );
  // the first time code is compiled
  for (const part of [1, 2]) await apply(app, tickets(part));
  const turns: number[] = [];
  for (const part of [3, 4, 5]) turns.push(await longestTurn(() => apply(app, tickets(part))));
  expect(Math.min(...turns)).toBeLessThan(30);
});
