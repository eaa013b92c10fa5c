import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { delivererOf, type Receiver, startReceiver } from '../../../src/notification/notification-stage.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';
import { kitPartner, openWorkspace, openWorkspaceView } from '../../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp({ env: { NOTIFICATION_LOOPBACK: 'true' } }), testBrowser()]);
let page: Page;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  page = await openWorkspace(browser, app, await kitPartner(app));
});

const press = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

test('a person adds an endpoint, keeps its secret, sends a test, sees the payload, and the answer as text, and replays it', async () => {
  receiver.answer = (_, response) => void response.writeHead(200).end('<img src=x onerror=alert(1)> taken');
  await openWorkspaceView(page, app, '/events', 'Events');
  await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
  await page.getByRole('combobox', { name: 'Client' }).click();
  await page.getByRole('option', { name: /Front Row/ }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/');
  await page.getByRole('checkbox', { name: 'grant.revoked' }).check();
  await press('Add');
  await page.getByText('The address is not a public https address.').waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await press('Add');
  await page
    .getByText(/whsec_/)
    .first()
    .waitFor();
  await press('Done');
  await page.getByRole('link', { name: `Open: ${receiver.url}` }).click();
  await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await press('Send a test');
  await page.getByText('The test is on its way.').waitFor();
  await delivererOf(app).turn();
  // the log follows by itself
  await page.locator('#view').getByText('Delivered', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByText('"type": "endpoint.test"').waitFor();
  await page.getByText('<img src=x onerror=alert(1)> taken').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  await press('Replay');
  await page.getByText('It is sent again.').waitFor();
  await delivererOf(app).turn();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Choose all' }).click();
  await press('Save');
  await page.getByText('The endpoint is changed.').waitFor();
  await page.locator('#view').getByText('listing.ended').waitFor();
});
