import { Keypair } from '@solana/web3.js';
import { expect, test } from 'vitest';
import { openConsole, openView } from '../support/console.ts';
import { rotateBack, rotateTo } from '../support/foreign-authority.ts';
import { testBrowser } from '../support/test-browser.ts';
import { testChainApp } from '../support/test-chain-app.ts';
import { fundedMarketplace } from '../support/ticket-transactions.ts';

const [app, browser] = await Promise.all([testChainApp(), testBrowser()]);

test('while the chain names another authority, every view says that no listing can be signed', async () => {
  const page = await openConsole(browser, app, 'support');
  const banner = page.getByRole('status').filter({ hasText: 'Listings can’t be signed' });
  await openView(page, app, '/partners', 'Partners');
  expect(await banner.count()).toBe(0);
  const { wallet } = await fundedMarketplace(app);
  await rotateTo(app, wallet, Keypair.generate());
  await page.reload();
  await banner.getByText('in sandbox').waitFor();
  expect(await banner.textContent()).toMatch(/the ticket program names a different authority/);
  await rotateBack(app);
  await page.reload();
  await page.getByRole('rowheader', { name: 'Front Row' }).waitFor();
  await expect.poll(() => banner.count()).toBe(0);
});

test('while the payer is low, every view says for how many permits it lasts, and where to send SOL', async () => {
  const page = await openConsole(browser, app, 'support');
  const banner = page.getByRole('status').filter({ hasText: 'The SOL for permits runs low' });
  await openView(page, app, '/partners', 'Partners');
  expect(await banner.count()).toBe(0);
  const { lowPermits } = app.config.issuing;
  app.config.issuing.lowPermits = 1_000_000_000;
  await page.reload();
  await banner.getByText('in sandbox').waitFor();
  expect(await banner.textContent()).toMatch(/lasts for \d+ more\. Send SOL to/);
  expect(await banner.textContent()).toContain(app.chain.payer);
  app.config.issuing.lowPermits = lowPermits;
  await page.reload();
  await page.getByRole('rowheader', { name: 'Front Row' }).waitFor();
  await expect.poll(() => banner.count()).toBe(0);
});
