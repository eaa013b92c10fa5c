import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { NotificationEndpoint } from '../../../src/entities/notification.ts';
import { addEndpoint } from '../../../src/partners/notification/add-endpoint.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { findBarriers, openConsole, openView } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const path = `/clients/${app.kit.client_id}?tab=events`;
let page: Page;

beforeAll(async () => {
  page = await openConsole(browser, app, 'admin', { viewport: { width: 390, height: 844 } });
  const types = ['grant.revoked'];
  const clientId = app.kit.client_id as Id<'client'>;
  const { endpoint } = await addEndpoint(app.context(), clientId, { format: 'set_poll', types }, 'system');
  await app.context().em.nativeUpdate(NotificationEndpoint, { id: endpoint.id }, { lastPolledAt: new Date() });
  const url = 'https://encore.example/security-events';
  await addEndpoint(app.context(), clientId, { format: 'set_push', url, types }, 'system');
});

/** Answers a query of the console in another way, until `unroute`. */
async function meddle(operation: string, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route('**/graphql', (route) =>
    (route.request().postData() ?? '').includes(`query ${operation}(`) ? answer(route) : route.continue(),
  );
}

const fail = (route: Route) => route.fulfill({ status: 502, body: 'bad gateway' });

test('while its endpoints are read, a client’s page is no wider than a phone', async () => {
  const { promise: seen, resolve: goOn } = Promise.withResolvers<void>();
  await meddle('ClientEndpoints', async (route) => {
    await seen;
    await route.continue();
  });
  await openView(page, app, path, 'Front Row');
  await page.getByRole('status', { name: 'Loading' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  goOn();
  await page.getByText('Last poll').waitFor();
  await page.unroute('**/graphql');
});

test('where its endpoints can’t be read, a client’s page says why and reads them again', async () => {
  await meddle('ClientEndpoints', fail);
  await openView(page, app, path, 'Front Row');
  await page.getByText('The endpoints could not be read').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Pause https://encore.example/security-events' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
});

test('a page of which nothing can be read still has a title', async () => {
  await meddle('Client', fail);
  await openView(page, app, path, 'Client');
  await page.getByText('The client could not be read').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await page.unroute('**/graphql');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Front Row', level: 1 }).waitFor();
});
