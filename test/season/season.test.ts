import { expect, it, onTestFinished } from 'vitest';
import { playSeason } from './season.ts';
import { openStand } from './stand.ts';

it('a season of 60 tickets ends without a violation, with sales and scans of all kinds', async () => {
  const stand = await openStand({ confirmedAfter: 0, finalizedAfter: 0 });
  onTestFinished(() => stand.close());
  const season = await playSeason(stand, { tickets: 60, kill: false, seed: 1 });
  expect(season.violations).toEqual([]);
  expect(season.sales).toBeGreaterThan(10);
  expect(season.entered).toBeGreaterThan(20);
  expect(season.scans).toBeGreaterThan(season.entered);
}, 120_000);
