import { expect, test } from 'vitest';
import { NotificationEndpoint } from '../../../src/entities/notification.ts';
import { addEndpoint } from '../../../src/partners/notification/change-endpoint.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { delivererOf, startReceiver } from '../../src/partners/notification/notification-stage.ts';
import { choose } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { kitPartner, openWorkspace, openWorkspaceView } from '../../support/workspace.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

const receiver = await startReceiver();
const page = await openWorkspace(browser, app, await kitPartner(app));

/** What the keyboard is at. */
const focused = () => page.evaluate(() => document.activeElement?.textContent);

/** What a status message says. */
const told = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();

const press = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

test('a person adds an endpoint, keeps its secret, sends a test, sees the payload, and the answer as text, and replays it', async () => {
  receiver.answer = (_, response) => void response.writeHead(200).end('<img src=x onerror=alert(1)> taken');
  await openWorkspaceView(page, app, '/events', 'Events');
  await page.getByRole('button', { name: 'Add an endpoint' }).first().click();
  await choose(page, 'Client', /Front Row/);
  await page.getByRole('textbox', { name: 'Address' }).fill('https://10.0.0.1/');
  await page.getByRole('checkbox', { name: 'grant.revoked' }).check();
  await press('Add');
  await page.getByText('The address is not a public https address.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await press('Add');
  await page.getByText('whsec_').first().waitFor();
  await press('Done');
  // the dialog with the secret followed the form, and the button that opened that may be gone
  await expect.poll(focused).toMatch(/^(Add an endpoint|Events)$/);
  await page.getByRole('link', { name: `Open: ${receiver.url}` }).click();
  await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await told('The test is on its way.');
  expect(await focused()).toBe('Send a test');
  await delivererOf(app).turn();
  await told(/^Your server answered 200 after [\d,]+ ms\.$/);
  // the log follows by itself
  await page.locator('#view').getByText('Delivered', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Details' }).click();
  await page.getByText('"type": "endpoint.test"').waitFor();
  await page.getByText('<img src=x onerror=alert(1)> taken').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('Details of endpoint.test');
  await page.getByRole('button', { name: 'Replay endpoint.test' }).click();
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

test('WCAG 2.2 §2.4.3: a dialog that closes gives the focus back', async () => {
  const edit = page.getByRole('button', { name: 'Edit' });
  for (const close of ['Escape', 'Enter']) {
    await edit.press('Enter');
    await page.getByRole('checkbox', { name: 'grant.revoked' }).waitFor();
    if (close === 'Enter') await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).focus();
    await page.keyboard.press(close);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(focused).toBe('Edit');
  }
});

test('a test that fails says why, and is sent again at one press', async () => {
  receiver.answer = (_, response) => void response.writeHead(500).end('no');
  await page.reload();
  const sendTest = page.getByRole('button', { name: 'Send a test' });
  await sendTest.click();
  await told('The test is on its way.');
  await delivererOf(app).turn();
  await told(/^The test failed: answered 500 after [\d,]+ ms \(next attempt: /);
  receiver.answer = (_, response) => void response.writeHead(202).end();
  await sendTest.click();
  await told('The test is on its way.');
  await delivererOf(app).turn();
  await told(/^Your server answered 202/);
});

test('a test that is sent while the endpoint rests from its failures says when it goes out', async () => {
  const rest = (restUntil: Date | null) =>
    app.context().em.nativeUpdate(NotificationEndpoint, { url: receiver.url }, { restUntil });
  await rest(new Date(Date.now() + 4 * 60_000));
  await page.reload();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await told(/^The endpoint rests after several failures in a row \(next attempt: /);
  await rest(null);
});

test('of an endpoint that polls a person sees when it last did, and how its test went', async () => {
  const clientId = app.kit.client_id as Id<'client'>;
  const wish = { format: 'set_poll', types: ['grant.revoked'] } as const;
  const { endpoint, secret } = await addEndpoint(app.context(), clientId, wish, 'system');
  const poll = async (body: object) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const url = `${app.config.apiUrl}/notifications/poll`;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return Object.keys(((await answer.json()) as { sets: object }).sets);
  };
  await openWorkspaceView(page, app, `/events/${endpoint.id}`, 'Polls of Front Row');
  const lastPoll = page.locator('dl > div', { hasText: 'Last poll' });
  await lastPoll.getByText('None yet').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await told('The test waits for the next poll of your server.');
  const ack = await poll({ returnImmediately: true });
  await told('Your server polled the test. It has to acknowledge it');
  await poll({ ack, maxEvents: 0 });
  await told('Your server polled the test and acknowledged it.');
  await lastPoll.locator('time').waitFor();
});
