import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { type ChainApp, startChainApp } from '../support/chain-app.ts';
import { findBarriers, openConsole, openView } from '../support/console.ts';
import { randomAddress } from '../support/ticket-transactions.ts';

let app: ChainApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  [app, browser] = await Promise.all([startChainApp(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await app?.stop();
});

test('issue 9, A9: while the chain names another authority, every view says that no listing can be signed', async () => {
  const page = await openConsole(browser, app, 'support');
  const banner = page.getByRole('status').filter({ hasText: 'No listing can be signed' });
  await openView(page, app, '/partners', 'Partners');
  expect(await banner.count()).toBe(0);
  const ours = app.chain.authority;
  app.chain.authority = randomAddress();
  await page.reload();
  await banner.getByText('in sandbox').waitFor();
  expect(await banner.textContent()).toMatch(/the ticket program on the chain names another authority than ours/);
  expect(await findBarriers(page)).toEqual([]);
  app.chain.authority = ours;
  await page.reload();
  await page.getByRole('rowheader', { name: 'Front Row' }).waitFor();
  await expect.poll(() => banner.count()).toBe(0);
});
