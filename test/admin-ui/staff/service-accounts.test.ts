import { expect, test } from 'vitest';
import { findServiceAccount } from '../../../src/people/staff/find-token.ts';
import { fillIn, openConsole, openView, rowWith } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

test('an admin makes a service account, gives it another token, and disables it', async () => {
  const page = await openConsole(browser, app, 'admin');
  await openView(page, app, '/service-accounts', 'Service accounts');
  await page.getByRole('button', { name: 'Create a service account' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create a service account' });
  await fillIn(form, { Name: 'Box office' }, 'Create');

  const shown = page.getByRole('dialog', { name: 'Token of Box office' });
  const readValue = async () => /sv_[\w-]{43}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  await shown.waitFor();
  const first = await readValue();
  expect(await findServiceAccount(app.context(), first)).toMatchObject({ scopes: ['inventory:write'] });
  await shown.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'New token for Box office' }).click();
  await page.getByRole('button', { name: 'Create token' }).click();
  await shown.waitFor();
  const second = await readValue();
  expect(second).not.toBe(first);
  expect(await findServiceAccount(app.context(), first)).toBeDefined();
  expect(await findServiceAccount(app.context(), second)).toBeDefined();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => rowWith(page, 'Box office').getByText('Valid').count()).toBe(2);

  await page.getByRole('button', { name: 'Disable Box office' }).click();
  const asking = page.getByRole('dialog', { name: 'Disable Box office' });
  await fillIn(asking, { Reason: 'No longer used' }, 'Disable');
  await page.getByRole('row', { name: /Box office.*Disabled/ }).waitFor();
  expect(await findServiceAccount(app.context(), second)).toBeUndefined();

  await openView(page, app, '/audit?actor=staff&action=service_account', 'Audit log');
  await expect.poll(() => page.getByRole('row', { name: /Box office/ }).count()).toBe(3);
});
