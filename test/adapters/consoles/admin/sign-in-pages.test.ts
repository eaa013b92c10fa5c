import { afterAll, expect, it } from 'vitest';
import { makeLocalAdminLink } from '../../../../src/people/staff/make-link.ts';
import { axeBarriers } from '../../../support/find-barriers.ts';
import { startProvider } from '../../../support/oidc-provider.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';

/** In a real browser, which has its own mind about cookies, origins and forms. */
const provider = await startProvider();
afterAll(() => provider.stop());
const [browser, byLink, byProvider] = await Promise.all([
  testBrowser(),
  testApp(),
  testApp({ env: (port) => provider.register(`http://localhost:${port}/admin`) }),
]);

it('the provider on another site: there and back, into the console, and out of both', async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${byProvider.config.adminUrl}/auth/sign-in?returnTo=/admin/clients`);
  await page.waitForURL(`${byProvider.config.adminUrl}/clients`);
  const next = await page.evaluate(async () => {
    const answer = await fetch('/admin/auth/logout', { method: 'POST', headers: { accept: 'application/json' } });
    return ((await answer.json()) as { redirectTo: string }).redirectTo;
  });
  await page.goto(next);
  await page.locator('button[value=yes]').click();
  await page.waitForURL(`${byProvider.config.adminUrl}/auth/signed-out`);
  await page.getByRole('link', { name: 'Sign in again' }).waitFor();
  expect((await page.context().cookies(byProvider.origin)).map(({ name }) => name)).not.toContain('fan_staff');
});

it.each(['light', 'dark'] as const)('every page of the sign-in is accessible, in %s', async (colorScheme) => {
  const page = await (await browser.newContext({ colorScheme })).newPage();
  const auth = `${byLink.config.adminUrl}/auth`;
  for (const url of [
    `${auth}/sign-in`,
    `${auth}/signed-out`,
    `${auth}/callback`,
    (await makeLocalAdminLink(byLink.context())).url,
  ]) {
    await page.goto(url);
    expect(await axeBarriers(page), url).toEqual([]);
  }
});
