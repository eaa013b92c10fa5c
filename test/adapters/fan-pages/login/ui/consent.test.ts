import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { Event } from '../../../../../src/entities/event.ts';
import { Partner } from '../../../../../src/entities/partner.ts';
import { Ticket, TicketType } from '../../../../../src/entities/ticket.ts';
import { knownId } from '../../../../../src/platform/identifier/known-id.ts';
import type { Id } from '../../../../../src/platform/identifier/type-id.ts';
import { createTestUsers } from '../../../../../src/sandbox/test-users.ts';
import { numberOf } from '../../../../../src/sign-in/fan/find-fans.ts';
import { axeBarriers } from '../../../../support/find-barriers.ts';
import { changeClient } from '../../../../support/make-client.ts';
import { giveTicket } from '../../../../support/production.ts';
import { testApp } from '../../../../support/test-app.ts';
import { testBrowser } from '../../../../support/test-browser.ts';
import { testUser } from '../login-calls.ts';
import { beginSignIn, enterCode, enterPhone, listedTickets, newPage } from './fan.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

/** A fan with 36 tickets of six events. */
const { em } = app.context();
const partner = await em.findOneOrFail(Partner, { name: 'Front Row' });
const [made] = await createTestUsers(app.context(), { partnerId: partner.id, count: 1 }, 'system');
if (!made) throw new Error('no test user was made');
const collector = { phone: numberOf(made.fan), code: made.testUser.code };
const first = new Map<string, Awaited<ReturnType<typeof giveTicket>>>();
for (const [index, eventName] of ['Aida', 'Carmen', 'Fidelio', 'Norma', 'Tosca', 'Turandot'].entries()) {
  // 20:00 in Berlin
  const startsAt = new Date(Date.UTC(2030, 11, 5 + index, 19));
  const plan = { mode: 'sandbox', eventName, startsAt, timeZone: 'Europe/Berlin' } as const;
  const given = await giveTicket(app, made.fan, plan);
  const { ticketType } = given;
  first.set(eventName, given);
  for (let more = 1; more < 6; more++) {
    const { ticket } = await giveTicket(app, made.fan, plan);
    await em.nativeUpdate(Ticket, { id: ticket.id }, { ticketType: ticketType.id });
  }
}

async function atConsent(user = collector, scopes?: string[]): Promise<Page> {
  const page = await newPage(browser);
  await beginSignIn(page, app, scopes);
  await enterPhone(page, user.phone);
  await enterCode(page, user.code);
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  return page;
}

/** Whether a click in the middle of it, where the page stands, meets it. */
const isInReach = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return hit !== null && (element === hit || element.contains(hit));
  });

/** Scrolls down until "Allow" can be pressed. @returns what is ticked and was not in sight by then */
const unseenAtAllow = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const isInSight = (element: Element) => {
      const { x, y, width } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + 4);
      return hit !== null && (element === hit || element.contains(hit));
    };
    const allow = document.querySelector('.decision .primary');
    const unseen = new Set([...document.querySelectorAll('.choice:has(:checked) strong')]);
    for (let y = 0; y < document.documentElement.scrollHeight; y += 40) {
      scrollTo(0, y);
      await new Promise(requestAnimationFrame);
      for (const title of [...unseen].filter(isInSight)) unseen.delete(title);
      if (allow && isInSight(allow)) return [...unseen].map((title) => title.textContent);
    }
    return ['"Allow" is nowhere'];
  });

test('"Allow" can be pressed only where all that is ticked is on the screen, on three phones in every language', async () => {
  const page = await atConsent(collector, ['openid', 'fan:tickets:read', 'fan:listings:write', 'fan:claims:write']);
  const found: Record<string, string[]> = {};
  for (const language of ['en', 'de', 'es', 'fr', 'pt', 'ja']) {
    await em.execute(`update authorization_session set ui_locales = ? where step = 'consent'`, [language]);
    await page.reload();
    await page.locator(`html:lang(${language}) .choice`).first().waitFor();
    for (const [width, height] of [[360, 640] as const, [390, 664] as const, [390, 844] as const]) {
      await page.setViewportSize({ width, height });
      found[`${language} ${width}x${height}`] = await unseenAtAllow(page);
    }
  }
  expect(Object.entries(found).filter(([, unseen]) => unseen.length > 0)).toEqual([]);
  // nor does Enter in a box press it from above
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('checkbox').first().press('Enter');
  await page.waitForTimeout(200);
  expect(await page.getByRole('checkbox').count()).toBe(3);
});

test('consent names the company and its privacy page', async () => {
  const clientId = knownId('client', app.kit.client_id);
  await changeClient(app, clientId, { name: 'Encore Resale', privacyUrl: 'https://front-row.example/privacy' });
  const page = await atConsent();
  await page.getByText('Encore Resale is run by Front Row.').waitFor();
  const link = page.getByRole('link', { name: 'Privacy at Front Row' });
  expect(await link.getAttribute('href')).toBe('https://front-row.example/privacy');
  await changeClient(app, clientId, { name: 'Front Row', privacyUrl: '' });
  await page.reload();
  await page.getByRole('checkbox').first().waitFor();
  expect(await page.getByText(/run by|Privacy at/).count()).toBe(0);
});

test('with 36 tickets to choose from on a phone, "Allow" and "Deny" are in reach all along the list', async () => {
  const page = await atConsent();
  const answers = ['Allow', 'Deny'].map((name) => page.getByRole('button', { name }));
  const inReach = () => Promise.all(answers.map(isInReach));
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  const unfold = page.getByRole('button', { name: /^Show tickets/ });
  for (let left = await unfold.count(); left > 0; left--) await unfold.first().click();
  expect(await page.getByRole('checkbox', { name: 'Standing' }).count()).toBe(36);
  for (const share of [0.3, 0.7, 1, 0.3]) {
    await page.evaluate((part) => scrollTo(0, part * document.documentElement.scrollHeight), share);
    expect(await inReach(), `at ${share}`).toEqual([true, true]);
  }
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('alert').getByText('Choose at least one ticket').waitFor();
  expect(await isInReach(page.getByRole('alert').getByText('Choose at least one ticket'))).toBe(true);
  expect(await axeBarriers(page)).toEqual([]);
});

test('WCAG 2.4.11: the answers cover no element that has the focus', async () => {
  const page = await atConsent();
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  const covered: string[] = [];
  for (let pressed = 0; pressed < 40; pressed++) {
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(() => {
      const focused = document.activeElement;
      const bar = document.querySelector('.pinned');
      if (!focused || !bar || bar.contains(focused) || !document.querySelector('main')?.contains(focused)) return '';
      const isClear = focused.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top + 1;
      return isClear ? '' : (focused.closest('label')?.textContent ?? focused.textContent ?? '?');
    });
    if (seen !== '') covered.push(seen);
  }
  expect(covered).toEqual([]);
});

test('a long list begins with its events, each at the time of its own zone; all tickets of one are ticked at once, and a part shows as a part', async () => {
  const page = await atConsent();
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  await page.getByRole('group', { name: 'Aida' }).getByText('Thu, Dec 5, 2030, 8:00 PM CET').waitFor();
  const carmen = page.getByRole('group', { name: 'Carmen' });
  const whole = carmen.getByRole('checkbox', { name: 'All tickets for this event' });
  expect(await page.getByRole('checkbox', { name: 'Standing' }).count()).toBe(0);
  await whole.check();
  await page.getByText('6 of 36 selected').waitFor();

  await carmen.getByRole('button', { name: 'Show tickets: Carmen' }).click();
  const single = carmen.getByRole('checkbox', { name: 'Standing' });
  await single.first().uncheck();
  await page.getByText('5 of 36 selected').waitFor();
  expect(await whole.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate])).toEqual([false, true]);
  await page.reload();
  await page.getByText('5 of 36 selected').waitFor();
  expect(await carmen.getByRole('checkbox', { name: 'Standing', checked: true }).count()).toBe(5);

  await whole.click();
  await page.getByText('6 of 36 selected').waitFor();
  await whole.uncheck();
  await page.getByText('0 of 36 selected').waitFor();
  await whole.check();
  await page.getByRole('button', { name: 'Allow' }).click();
  expect(await listedTickets(page)).toEqual(Array(6).fill('Carmen · Standing'));
});

test('actions that sell or collect tickets stand out from those that only read, also in words', async () => {
  const page = await atConsent(collector, ['openid', 'fan:tickets:read', 'fan:listings:write', 'fan:claims:write']);
  const described = (name: string) =>
    page.getByRole('checkbox', { name }).evaluate((box) =>
      (box.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    );
  expect(await described('Put your tickets up for sale')).toMatch(/^Sells /);
  expect(await described('Collect tickets for you')).toMatch(/^Collects /);
  expect(await described('See your tickets')).not.toMatch(/^(Sells|Collects|Makes)/);
  const colourOf = (name: string) =>
    page.locator('.choice', { hasText: name }).evaluate((box) => getComputedStyle(box).borderColor);
  expect(await colourOf('Put your tickets up for sale')).not.toBe(await colourOf('See your tickets'));
});

test('for an app that asks to sell, limits of resale are shown: once for an event, otherwise for each ticket', async () => {
  const [aidas, normas] = ['Aida', 'Norma'].map((name) => first.get(name)!);
  const limit = (resaleUntil: Date | null) => em.nativeUpdate(Event, { id: aidas!.event.id }, { resaleUntil });
  const move = (ticketType: Id<'typ'>) => em.nativeUpdate(Ticket, { id: normas!.ticket.id }, { ticketType });
  const vip = em.create(TicketType, { event: normas!.event, name: 'VIP', resale: false });
  await em.flush();
  await Promise.all([limit(new Date('2030-12-04T17:00:00Z')), move(vip.id)]);
  const selling = await atConsent(collector, ['openid', 'fan:tickets:read', 'fan:listings:write']);
  await selling.getByRole('radio', { name: 'Only selected tickets' }).check();
  const aida = selling.getByRole('group', { name: 'Aida' });
  await aida.getByText('Can be resold until Wed, Dec 4, 2030, 6:00 PM CET').waitFor();
  await selling.getByRole('button', { name: 'Show tickets: Norma' }).click();
  const norma = selling.getByRole('group', { name: 'Norma' });
  expect(await norma.getByText('Can’t be resold').count()).toBe(1);
  await norma.getByRole('checkbox', { name: 'VIP Can’t be resold' }).waitFor();
  expect(await axeBarriers(selling)).toEqual([]);

  const reading = await atConsent(collector, ['openid', 'fan:tickets:read']);
  await reading.getByRole('radio', { name: 'Only selected tickets' }).check();
  await reading.getByRole('group', { name: 'Aida' }).waitFor();
  expect(await reading.getByText(/resold/).count()).toBe(0);
  await Promise.all([limit(null), move(normas!.ticketType.id)]);
});

test('the page says whose account it is; "Not you?" goes back to the number, and another fan signs in', async () => {
  const page = await atConsent();
  await page.getByText(`Signed in as +1 ••• ••• ${collector.phone.slice(-4)}`).waitFor();
  await page.getByRole('radio', { name: 'Only selected tickets' }).check();
  await page.getByRole('button', { name: 'Not you?' }).click();

  await expect.poll(() => page.getByLabel('Mobile number').inputValue()).toBe('');
  const other = testUser(app);
  await enterPhone(page, other.phone);
  await enterCode(page, other.code);
  await page.getByText(`Signed in as +1 ••• ••• ${other.phone.slice(-4)}`).waitFor();
  // a choice of the fan before is not this one's
  expect(await page.getByRole('radio', { name: 'All current and future tickets' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Allow' }).click();
  expect(await listedTickets(page)).toHaveLength(4);
});

test('a tab that still shows the previous fan grants nothing for the next one', async () => {
  const page = await atConsent();
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.getByRole('button', { name: 'Not you?' }).click();
  const other = testUser(app);
  await enterPhone(second, other.phone);
  await enterCode(second, other.code);
  await second.getByRole('button', { name: 'Allow' }).waitFor();

  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText(`Signed in as +1 ••• ••• ${other.phone.slice(-4)}`).waitFor();
  await page.getByText('4 tickets now, plus every ticket you get later').waitFor();
});

test('consent says where it can be changed or ended later: the portal, in a tab of its own', async () => {
  const page = await atConsent();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Your apps (opens in a new tab)' }).click();
  const portal = await opened;
  await portal.getByLabel('Mobile number').waitFor();
  expect(portal.url()).toBe(`${app.config.loginUrl}/apps`);
});
