import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { setClientLogo } from '../../../../../src/partners/client/client-logo.ts';
import { png } from '../../../../src/partners/client/logo-images.ts';
import { openConsole, openView } from '../../../../support/console.ts';
import { makeClient } from '../../../../support/make-client.ts';
import { authorizeUrl, signIn } from '../../../../support/partner.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testUser } from '../login-calls.ts';
import { enterCode, enterPhone, newPage, watchFaults } from './fan.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

/** A client with a logo. @returns its client_id */
async function clientWithLogo(name: string): Promise<string> {
  const clientId = await makeClient(app, { name });
  await setClientLogo(app.context(), clientId, png({ width: 96, height: 64 }).toString('base64'), 'system');
  return clientId;
}

/** What stands for the partner beside its name: the size of a picture that is shown, or letters. */
const avatarOf = (page: Page, within = '.who') =>
  page.locator(`${within} .avatar`).evaluate(async (shown) => {
    if (!(shown instanceof HTMLImageElement)) return shown.textContent;
    await shown.decode();
    return `${shown.naturalWidth} × ${shown.naturalHeight}`;
  });

test('the fan sees the logo of the partner on each step, after the end of the session too, and in the portal', async () => {
  const clientId = await clientWithLogo('Side Door');
  const { phone, code } = testUser(app);
  const page = await newPage(browser);
  await page.goto((await authorizeUrl(app, { clientId })).url.href);
  await page.getByLabel('Mobile number').waitFor();
  expect(await avatarOf(page)).toBe('96 × 64');
  // the name is beside it: a screen reader need not hear it twice
  expect(await page.locator('.who').ariaSnapshot()).not.toMatch(/img/);
  await enterPhone(page, phone);
  await enterCode(page, code);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  app.advance(700);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await avatarOf(page)).toBe('96 × 64');
  app.resetClock();

  await signIn(app, { clientId });
  await page.goto(`${app.config.loginUrl}/apps`);
  await enterPhone(page, phone);
  await enterCode(page, code);
  await page.getByRole('heading', { name: 'Apps with access to your tickets' }).waitFor();
  expect(await avatarOf(page, '.app-head')).toBe('96 × 64');
});

test('initials stand for a partner without a logo, and for one whose logo does not load', async () => {
  const [plain, broken] = [await makeClient(app, { name: 'Plain Tickets' }), await clientWithLogo('Broken Logo')];
  const page = await newPage(browser);
  const arrive = async (clientId: string) => {
    await page.goto((await authorizeUrl(app, { clientId })).url.href);
    await page.getByLabel('Mobile number').waitFor();
  };
  await arrive(plain);
  expect(await avatarOf(page)).toBe('PT');
  await page.route('**/logos/**', (route) => route.abort());
  await arrive(broken);
  await page.locator('span.avatar').waitFor();
  expect(await avatarOf(page)).toBe('BL');
});

test('staff set a logo from a file, a large one made smaller; a bad one is refused in place; removing can be undone', async () => {
  const clientId = await makeClient(app, { name: 'Encore' });
  const page = await openConsole(browser, app, 'support');
  const faults = watchFaults(page);
  await openView(page, app, `/clients/${clientId}?tab=configuration`, 'Encore');
  const region = page.getByRole('region', { name: 'Logo' });
  await region.getByText('fans see the initials').waitFor();
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    region.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });

  await choose('tiny.png', 'image/png', png({ width: 16, height: 16 }));
  await region.getByText('has 16 × 16 pixels; each side must have 32 to 1024').waitFor();
  await choose('logo.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await region.getByText('Choose a PNG, JPEG or WebP image.').waitFor();
  await choose('logo.png', 'image/png', png());
  await region.getByText('PNG, 64 × 64 pixels').waitFor();
  await choose('large.png', 'image/png', png({ width: 2000, height: 1000, padding: 40_000 }));
  await region.getByText('WEBP, 512 × 256 pixels').waitFor();
  await region.getByRole('img', { name: 'Logo of Encore' }).waitFor();

  await region.getByRole('button', { name: 'Remove logo' }).click();
  await region.getByText('fans see the initials').waitFor();
  await page.getByRole('alert').filter({ hasText: 'removed' }).getByRole('button', { name: 'Undo' }).click();
  await region.getByText('WEBP, 512 × 256 pixels').waitFor();
  expect(faults).toEqual([]);
});
