import { expect, test } from 'vitest';
import { Permit, UnreadPermit } from '../../../src/entities/permit.ts';
import { openConsole, openView } from '../../support/console.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

test('staff find the permits that could not be read, with the reason and the next try', async () => {
  const { em, now } = app.context();
  const [bad] = await em.find(Permit, {}, { orderBy: { id: 'asc' } });
  if (!bad) throw new Error('the starter kit has permits');
  const since = new Date(now().getTime() - 900_000);
  const retryAt = new Date(now().getTime() + 600_000);
  em.create(UnreadPermit, { permit: bad, reason: 'Permit state 7', since, tries: 6, slot: 7n, retryAt });
  await em.flush();

  const page = await openConsole(browser, app, 'support');
  await openView(page, app, '/permits', 'Permits');
  await page.getByRole('combobox', { name: 'Onchain state' }).click();
  await page.getByRole('option', { name: 'Not readable' }).click();
  await page.getByText('1 entry').waitFor();
  expect(new URL(page.url()).searchParams.get('chain')).toBe('unread');
  const row = page.getByRole('row').filter({ hasText: 'Not readable' });
  expect(await row.innerText()).toMatch(/Permit state 7\. Next try: in \d+ min\./);

  await page.goto(`${app.config.adminUrl}/permits/${bad.id}`);
  const alert = page.getByRole('alert').filter({ hasText: 'could not be read' });
  await alert.waitFor();
  expect(await alert.innerText()).toMatch(/Permit state 7[\s\S]+15 min\. ago, 6 tries so far\. Next try: in \d+ min\./);
});
