import { describe, expect, test } from 'vitest';
import { registerPartner } from '../../../src/partners/partner/register-partner.ts';
import { endGrant } from '../../../src/sign-in/fan/end-access.ts';
import { openConsole, openView } from '../../support/console.ts';
import { signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);
const context = app.context();
// made in an order that is not that of their names
for (let index = 0; index < 30; index++) {
  await registerPartner(context, `Sorted ${String((index * 7) % 30).padStart(2, '0')}`, 'system');
}
await context.em.flush();
const page = await openConsole(browser, app, 'admin', { name: 'Ada Admin' });

const names = () => page.getByRole('rowheader').allInnerTexts();
const header = (name: string) => page.getByRole('columnheader', { name });
const sorted = (from: number, to: number) =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => from + Math.sign(to - from) * step).map(
    (index) => `Sorted ${String(index).padStart(2, '0')}`,
  );

describe('a list', () => {
  test('is ordered by the header of a column, also the other way round; the address keeps it, and the pages go on in it', async () => {
    await openView(page, app, '/partners?search=Sorted', 'Partners');
    await page.getByText('30 entries').waitFor();
    expect(await header('Registered').getAttribute('aria-sort')).toBe('descending');
    await header('Name').getByRole('button').click();
    await expect.poll(names).toEqual(sorted(0, 24));
    expect(await header('Name').getAttribute('aria-sort')).toBe('ascending');
    expect(await header('Registered').getAttribute('aria-sort')).toBeNull();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(names).toEqual(sorted(25, 29));

    await page.getByRole('button', { name: 'First page' }).click();
    await header('Name').getByRole('button').click();
    await expect.poll(names).toEqual(sorted(29, 5));
    expect(new URL(page.url()).search).toBe('?search=Sorted&sort=name_desc');
    await page.reload();
    await expect.poll(names).toEqual(sorted(29, 5));
    expect(await header('Name').getAttribute('aria-sort')).toBe('descending');
    await page.goBack();
    await expect.poll(names).toEqual(sorted(0, 24));
  });

  test('on a phone, where it has no headers, offers its orders by name', async () => {
    const phone = await openConsole(browser, app, 'support', { viewport: { width: 390, height: 800 } });
    await openView(phone, app, '/partners?search=Sorted', 'Partners');
    await phone.getByLabel('Sort by').selectOption('Name, A to Z');
    await phone.getByRole('rowheader').first().getByText('Sorted 00').waitFor();

    // clients are ordered by their age at first, which no column shows
    await openView(phone, app, '/clients', 'Clients');
    const chosen = () => phone.getByLabel('Sort by').locator('option:checked').innerText();
    expect(await chosen()).toBe('Newest first');
    await phone.getByLabel('Sort by').selectOption('Status, last steps first');
    await expect.poll(() => new URL(phone.url()).search).toBe('?sort=status_desc');
    await phone.getByLabel('Sort by').selectOption('Newest first');
    await expect.poll(() => new URL(phone.url()).search).toBe('');
    await phone.context().close();
  });

  test('shows its rows before they are counted', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().variables.count === true) await held;
      await route.continue();
    });
    await openView(page, app, '/partners?search=Sorted', 'Partners');
    await expect.poll(async () => (await names()).length).toBe(25);
    await expect.poll(() => page.getByText('30 entries').count()).toBe(0);
    release();
    await page.getByText('30 entries').waitFor();
    await page.unroute('**/graphql');
  });
});

test('the audit log names its targets with the identifier beside, and shows the reason that staff typed', async () => {
  const { grant_id } = await signIn(app);
  await endGrant(app.context(), { grantId: grant_id, reason: 'The fan lost the phone.' }, 'system');
  await openView(page, app, `/audit?subject=${grant_id}&action=grant.revoked`, 'Audit log');
  const row = page.getByRole('row').filter({ hasText: 'grant.revoked' });
  await row.getByText('The fan lost the phone.').waitFor();
  const link = row.getByRole('link', { name: 'Front Row for' });
  expect(await link.getAttribute('href')).toBe(`/admin/grants/${grant_id}`);
  expect(await row.innerText()).not.toContain('revoked_by_staff');
  await row.getByText('Details').click();
  await row.getByText('revoked_by_staff').waitFor();
  await row.getByRole('button', { name: 'Copy grant' }).waitFor();
});
