import { expect, it } from 'vitest';
import { residentIn } from './memory.ts';
import { speedPage } from './write-pages.ts';

it('the page has a section for each part that was measured, with machine and day', () => {
  const page = speedPage({
    ready: 1.94,
    signIn: [{ request: 'GET /x', statements: 3 }],
    measured: { signIn: 'today' },
  });
  expect(page).toContain('| ready after npm start | 1.9 s | 2 s |  |');
  expect(page).toContain('## From authorize to the code');
  expect(page).toContain('| GET /x | 3 |');
  expect(page).toContain('Measured today.');
  expect(page).not.toContain('## Growth');
});

it('the page says why a limit is there, of what misses only', () => {
  expect(speedPage({ ready: 1 })).toContain('Nothing misses its goal.');
  expect(speedPage({ ready: 3 })).toMatch(/- \*\*ready after npm start\*\*: \w+/);
});

it('resident memory is that of /proc/PID/status, and none of a process that has ended', () => {
  expect(residentIn('Name:\tnode\nVmHWM:\t  9999 kB\nVmRSS:\t  2048 kB\nRssAnon:\t 1 kB\n')).toBe(2);
  expect([residentIn(''), residentIn('Name:\tnode\nState:\tZ (zombie)\n')]).toEqual([0, 0]);
});
