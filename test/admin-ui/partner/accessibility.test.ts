import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { Notification, NotificationAttempt } from '../../../src/entities/notification.ts';
import { addEndpoint } from '../../../src/partners/notification/change-endpoint.ts';
import { sendTest } from '../../../src/partners/notification/replay-notifications.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { clientAt, edit } from '../../src/partners/client/production-client.ts';
import { fillIn } from '../../support/console.ts';
import { atRest, barriersFrom, DESK_AND_PHONE, moveTo, quiet, TWO_SIDES } from '../../support/find-barriers.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { ownBrowser, testBrowser } from '../../support/test-browser.ts';
import { kitPartner, openWorkspace, openWorkspaceView } from '../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const partner = await kitPartner(app);

/** A production client with a change that waits for review. */
const { id: liveId } = await clientAt(app, 'enabled');
await edit(app, liveId, { redirectUris: ['https://resale.example/app'] });
const tokens = await signIn(app, { scope: 'openid fan:tickets:read' });
await callFan(app, '/tickets', tokens.access_token);
const refused = await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', body: '{}' });
const refusedId = refused.headers.get('x-request-id') ?? '';
await app.runtime.activity.flush();
const clientId = app.kit.client_id as Id<'client'>;
const wish = { format: 'set_poll', types: ['grant.revoked'] } as const;
const { endpoint } = await addEndpoint(app.context(), clientId, wish, 'system');
const { jti } = await sendTest(app.context(), endpoint.id);
const { em } = app.context();
await em.nativeUpdate(Notification, { jti }, { state: 'dead', failure: 'refused', endedAt: new Date() });
const notification = await em.findOneOrFail(Notification, { jti });
const attempt = { at: new Date(), durationMs: 70, status: 500, failure: 'answered 500', answer: '<b>no</b>' };
em.create(NotificationAttempt, { notification, ...attempt });
await em.flush();

const FIRST = new Set(['/', '/clients', '/people']);

test('WCAG 2.2: no view of the workspace has a barrier or has to be scrolled sideways, on a phone and a desk screen, light and dark', {
  timeout: 180_000,
}, async () => {
  const page = await openWorkspace(browser, app, partner);
  // but for the views that the console has too, which are seen there
  const found: Record<string, string[]> = {};
  const see = async (name: string) => {
    await quiet(page);
    // the frame, and the first views of all, are seen by all rules on both screens
    found[name] = await barriersFrom(page, { sides: FIRST.has(name) ? TWO_SIDES : DESK_AND_PHONE });
  };
  const visit = async (path: string, title: string) => {
    await moveTo(page, `${app.config.partnersUrl}${path}`, title);
    await see(path);
  };
  const client = `/clients/${app.kit.client_id}`;
  await visit('/', partner.name);
  await visit('/clients', 'Clients');
  await visit('/clients/new', 'Register a client');
  await page.getByRole('button', { name: 'Register client' }).click();
  await page.getByText('It must have 1 to 120 characters.').waitFor();
  await see('register without a name');
  for (const tab of ['overview', 'calls']) await visit(`${client}?tab=${tab}`, 'Front Row');
  for (const tab of ['overview', 'configuration', 'review', 'calls'])
    await visit(`/clients/${liveId}?tab=${tab}`, 'Resale');
  await visit(`/usage?client=${liveId}`, 'Usage and limits');
  await moveTo(page, `${app.config.partnersUrl}${client}/starter-kit`, 'Starter kit');
  await page.getByRole('button', { name: /^Create (a starter kit|another)$/ }).click();
  await page.getByRole('heading', { name: 'Next steps' }).waitFor();
  await see('a starter kit');
  await visit('/connect', 'How to call');
  await visit('/go-live-checks', 'Go-live checks');
  await visit(`/requests/${refusedId}`, 'POST /authorizations');
  await visit('/requests/nothing', 'Request not found');
  await visit('/events', 'Events');
  await page.getByRole('button', { name: 'Add an endpoint' }).click();
  await page.getByRole('checkbox', { name: 'grant.revoked' }).waitFor();
  await see('add an endpoint');
  await visit(`/events/${endpoint.id}`, 'Polls of Front Row');
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByRole('heading', { name: 'Payload' }).waitFor();
  await see('a delivery');
  await visit('/usage', 'Usage and limits');
  await visit('/permits', 'Permits');
  await page.getByRole('button', { name: 'Grant permits' }).first().click();
  await page.getByLabel('Tickets each').waitFor();
  await see('grant permits');
  await visit('/failures', 'Failures');
  await visit('/reset-sandbox', 'Reset sandbox');
  await visit('/people', 'People');
  await page.context().close();

  expect(Object.keys(found).length).toBeGreaterThan(20);
  expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
});

test('WCAG 2.2: nor have the pages of the sign-in', async () => {
  const page = await ownBrowser(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(app.config.partnersUrl);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByText('Enter your e-mail address').waitFor();
  expect(await barriersFrom(page)).toEqual([]);
  await fillIn(page, { 'E-mail address': 'dev@encore.example' }, 'Send me a link');
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  expect(await barriersFrom(page)).toEqual([]);
  await page.context().close();
});

test('the workspace and the fan pages are one family: the same green, corner, ground and small text, light and dark', async () => {
  const look = (of: Page, button: string) =>
    of.getByRole('button', { name: button }).evaluate((element) => {
      const { backgroundColor, borderRadius } = getComputedStyle(element);
      const ground = [document.body, document.documentElement].map((part) => getComputedStyle(part).backgroundColor);
      const small = document.createElement('small');
      element.append(small);
      small.style.fontSize = 'var(--mantine-font-size-sm, var(--text-small))';
      const { fontSize } = getComputedStyle(small);
      return {
        backgroundColor,
        borderRadius,
        fontSize,
        ground: ground.find((colour) => colour !== 'rgba(0, 0, 0, 0)'),
      };
    });
  const inBoth = async (button: string) => {
    const looks: Awaited<ReturnType<typeof look>>[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await atRest(page);
      looks.push(await look(page, button));
    }
    return looks;
  };
  const page = await openWorkspace(browser, app, partner);
  await openWorkspaceView(page, app, '/clients/new', 'Register a client');
  const workspace = await inBoth('Register client');
  await page.goto(`${app.config.loginUrl}/apps`);
  await page.getByLabel('Mobile number').waitFor();
  expect(workspace).toEqual(await inBoth('Continue'));
  expect(workspace[0]).not.toEqual(workspace[1]);
  await page.context().close();
});
