import { expect, test } from 'vitest';
import { inviteStaff } from '../../../src/people/staff/make-link.ts';
import { fillIn, openConsole, openSignInLink, openView } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const page = await openConsole(browser, app, 'support', { name: 'Sam Support' });

const note = () => page.getByRole('status').filter({ hasText: 'Restored your draft.' });
const stored = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('console.draft.')));

const wizard = () => openView(page, app, '/clients/new', 'Register a client');

test('the wizard, half filled, has what was typed after another view, and after a reload; Discard empties it', async () => {
  await wizard();
  await page.getByLabel('Name').fill('Half a client');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Partners' }).click();
  await page.getByRole('heading', { name: 'Partners', level: 1 }).waitFor();
  await page.goBack();
  await note().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Half a client');
  await page.reload();
  await note().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Half a client');

  await page.getByRole('button', { name: 'Discard' }).click();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  await expect.poll(stored).toEqual([]);
  await page.reload();
  await page.getByLabel('Name').waitFor();
  expect(await note().count()).toBe(0);
});

test('so does a dialog that was closed by mistake; Cancel and sending discard what was typed', async () => {
  const open = async () => {
    await openView(page, app, '/partners', 'Partners');
    await page.getByRole('button', { name: 'Register partner' }).click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
  };
  await open();
  await page.getByLabel('Name').fill('Slipped away');
  await page.keyboard.press('Escape');
  await open();
  await note().waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('Slipped away');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(stored).toEqual([]);
  await open();
  await fillIn(page, { Name: 'Sent' }, 'Register');
  await page.getByRole('heading', { name: 'Sent', level: 1 }).waitFor();
  await expect.poll(stored).toEqual([]);
});

test('a half-filled form is kept for its person only: another one in the same tab finds it empty, and nothing of it is left', async () => {
  await wizard();
  await page.getByLabel('Name').fill('Not for Nora');
  await expect.poll(stored).toHaveLength(1);
  const { url } = await inviteStaff(app.context(), { name: 'Nora Next', role: 'support' }, 'system');
  await openSignInLink(page, url);
  await wizard();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  expect(await stored()).toEqual([]);
});
