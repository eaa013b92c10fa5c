import { afterEach, describe, expect, test } from 'vitest';
import { SigningKey } from '../../../src/entities/signing-key.ts';
import { FRESH_SIGN_IN } from '../../../src/partners/rights.ts';
import { button, openConsole, openView } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const { config } = app.runtime;
const { databaseUrl } = config;
const admin = await openConsole(browser, app, 'admin', { name: 'Ada Admin', timezoneId: 'Europe/Berlin' });
afterEach(() => {
  Object.assign(config, { databaseUrl });
  app.resetClock();
});

/** As after `npm start` without configuration: the tests' own database stands in for the embedded one. */
const asEmbedded = () => Object.assign(config, { databaseUrl: undefined });

test('a session shows its browser by name, its address and its time zone', async () => {
  await openView(admin, app, '/sessions', 'My sessions');
  const session = admin.getByRole('article', { name: /^Chrome \d+ on Linux$/ });
  await session.getByText(/\((this machine)\)/).waitFor();
  await session.getByText('Europe/Berlin').waitFor();
  await session.getByText('This browser').waitFor();
});

describe('a fresh sign-in on the embedded default', () => {
  const confirm = () => admin.getByRole('dialog', { name: 'Confirm it’s you' });

  test('is one press, and the step that it interrupted goes on: the next key is published, and while it waits there is no other', async () => {
    asEmbedded();
    app.advance(FRESH_SIGN_IN + 1);
    await openView(admin, app, '/keys', 'Keys');
    await button(admin, 'Rotate').click();
    await confirm().getByRole('button', { name: 'Confirm it’s you' }).click();
    await button(admin.getByRole('dialog', { name: /^Rotate/ }), 'Rotate').click();
    await admin.getByRole('dialog').waitFor({ state: 'hidden' });
    const { kid } = await app.context().em.findOneOrFail(SigningKey, { state: 'next' });
    const next = admin.getByRole('region', { name: 'Next key' });
    await next.getByText('Signs from').waitFor();
    expect(await next.innerText()).toContain(kid);
    const again = admin.getByRole('button', { name: 'Rotate (The next key is already published' });
    expect(await again.getAttribute('aria-disabled')).toBe('true');
  });

  test('a step that the service refuses for its age is confirmed in place and done, without a second press', async () => {
    asEmbedded();
    await admin.reload();
    await openView(admin, app, '/kill-switches?stop=CO_SIGNING', 'Kill switches');
    const form = admin.getByRole('dialog');
    await form.getByLabel('Reason').fill('A test of the stop.');
    app.advance(2 * FRESH_SIGN_IN + 60);
    await form.getByRole('button', { name: 'Stop', exact: true }).click();
    await confirm().getByRole('button', { name: 'Confirm it’s you' }).click();
    await admin.getByRole('row').filter({ hasText: 'A test of the stop.' }).waitFor();
    await admin.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});
