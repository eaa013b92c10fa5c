import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fan } from '../../../../src/entities/fan.ts';
import { Ticket } from '../../../../src/entities/ticket.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { barriersFrom, TWO_SIDES } from '../../../support/find-barriers.ts';
import { portalCodeSent } from '../../../support/phone-challenge.ts';
import { giveTicket, readCodesFromLog } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';
import { enterCode, newPage } from '../login/ui/fan.ts';
import { openPortal } from './portal-calls.ts';

/** A fan's own data at the portal: the copy, and leaving. */
const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const PAST = { startsAt: new Date('2026-01-05T18:00:00Z'), endsAt: new Date('2026-01-05T22:00:00Z') };
let phone: string;
let fan: Fan;
let numbers = 8880100;
beforeEach(async () => {
  phone = `+1202${numbers++}`;
  fan = await registerFan(app.context(), 'production', phone);
});
afterEach(() => app.resetClock());

async function signInAt(page: Page): Promise<void> {
  const codeFor = readCodesFromLog(app);
  await page.goto(`${app.config.loginUrl}/apps`);
  await page.getByLabel('Mobile number').fill(phone);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('6-digit code').waitFor();
  await portalCodeSent(app, phone);
  await enterCode(page, codeFor(phone));
  await section(page).waitFor();
}

const section = (page: Page) => page.getByRole('region', { name: 'Your data' });

test('a fan downloads all that is kept, to read and in full', async () => {
  await giveTicket(app, fan, { eventName: '<i>Night 1</i>', ...PAST });
  const page = await newPage(browser);
  await signInAt(page);
  const fileOf = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      section(page).getByRole('link', { name }).click(),
    ]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };
  await app.runtime.activity.flush();
  const file = await fileOf('Full file (JSON)');
  expect(file.name).toMatch(/^fan-data-\d{4}-\d\d-\d\d\.json$/);
  expect(JSON.parse(file.text)).toMatchObject({
    fan: fan.id,
    account: [{ phone }],
    tickets: [{ event: '<i>Night 1</i>' }],
  });
  expect(file.text).toContain('portal.session.get');
  const read = await fileOf('Page to read');
  expect(read.text).toContain('&#60;i&#62;Night 1&#60;/i&#62;');
  const reader = await page.context().newPage();
  await reader.setContent(read.text);
  await reader.getByRole('heading', { name: 'Your data' }).waitFor();
  await reader.getByText(phone).waitFor();
  expect(read.text).not.toContain('portal.');
  expect(await barriersFrom(reader, { sides: TWO_SIDES })).toEqual([]);
});

test('a visitor, and a fan who signed in a while ago, are sent to the portal', async () => {
  const url = `${app.config.loginUrl}/apps/data/my-data.json`;
  const visitor = await fetch(url, { redirect: 'manual' });
  expect([visitor.status, visitor.headers.get('location')]).toEqual([303, `${app.config.loginUrl}/apps`]);
  const codeFor = readCodesFromLog(app);
  const portal = openPortal(app);
  await portal.get('phone.sendCode', { phone });
  await portalCodeSent(app, phone);
  await portal.get('phone.verifyCode', { code: codeFor(phone) });
  const get = (address = url) => fetch(address, { redirect: 'manual', headers: { cookie: portal.cookie } });
  expect((await get()).status).toBe(200);
  expect((await get(url.replace('my-data', 'data'))).status).toBe(303);
  app.advance(600);
  expect((await get()).status).toBe(303);
});

test('a fan who holds a ticket reads which, and leaves once it is gone', async () => {
  const { ticket } = await giveTicket(app, fan, { eventName: 'Night 5' });
  const page = await newPage(browser);
  await signInAt(page);
  await section(page).getByRole('button', { name: 'Delete my account' }).click();
  await section(page).getByText('still holds these tickets').waitFor();
  await section(page).getByText('Night 5').waitFor();
  await app.context().em.nativeUpdate(Ticket, { id: ticket.id }, { owner: null });

  await section(page).getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await app.context().em.count(Fan, { phone })).toBe(1);
  await section(page).getByRole('button', { name: 'Delete my account' }).click();
  await dialog.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor();
  await page.getByRole('button', { name: 'Close this page' }).click();
  await page.getByLabel('Mobile number').waitFor();
  expect(await app.context().em.findOneOrFail(Fan, fan.id)).toMatchObject({ phone: null });
});

test('a while after the sign-in it asks for another one', async () => {
  const page = await newPage(browser);
  await signInAt(page);
  await page.clock.install();
  await page.clock.setFixedTime(Date.now() + 601_000);
  await page.reload();
  await section(page).getByText('sign in again to download').waitFor();
  expect(await section(page).getByRole('button', { name: 'Delete my account' }).count()).toBe(0);
});

test('the section has no barrier, also on a small phone', async () => {
  await giveTicket(app, fan, { eventName: 'Night 5' });
  const page = await newPage(browser);
  await signInAt(page);
  await section(page).getByRole('button', { name: 'Delete my account' }).click();
  await section(page).getByText('Night 5').waitFor();
  expect(await barriersFrom(page, { sides: TWO_SIDES })).toEqual([]);
});
