import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { apply, eventRow, ticketRow, typeRow } from '../../src/inventory/stage.ts';
import { openConsole, openView } from '../../support/console.ts';
import { asNdjson, IMPORT_ENV, importBody, importToken } from '../../support/import-calls.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';

const [app, browser] = await Promise.all([testApp({ env: IMPORT_ENV }), testBrowser()]);
const token = await importToken(app);
const rows = [
  eventRow('spring', { name: 'Spring' }),
  typeRow('spring', 'all'),
  ticketRow('spring', 'all', 'S-1'),
  // its event comes later
  ticketRow('autumn', 'all', 'S-2', { holder_phone: '+12025550142' }),
  { ...ticketRow('spring', 'all', 'S-3'), seat: 4 },
];
const run = (await importBody(app, token, asNdjson(rows), '?name=spring.ndjson')).run;
const page = await openConsole(browser, app, 'admin', { name: 'Ada Admin' });

const failed = () => page.getByRole('region', { name: 'Failed rows', exact: true });
const figureOf = async (name: string) =>
  (await page.getByRole('region', { name: 'Import run' }).locator('div', { hasText: name }).last().innerText())
    .split('\n')
    .at(-1);

async function downloadFailed(reason: string): Promise<Record<string, unknown>[]> {
  await page.getByRole('button', { name: 'Download failed rows' }).click();
  await page.getByLabel('Reason').fill(reason);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Download' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

test('runs are listed with their counts, filtered by state, and found by the name of their file', async () => {
  await openView(page, app, '/imports', 'Import runs');
  const row = page.getByRole('row', { name: /spring\.ndjson/ });
  await row.waitFor();
  expect((await row.getByRole('cell').allInnerTexts()).slice(0, 4)).toEqual(['Finished, 2 failed', '5', '3', '2']);
  await openView(page, app, '/imports?state=INTERRUPTED', 'Import runs');
  await page.getByText('No matches.').waitFor();
  for (const text of ['spring.nd', run]) {
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search for anything' }).fill(text);
    await page.getByRole('group', { name: 'Found' }).getByRole('option').first().click();
    await page.getByRole('heading', { name: 'spring.ndjson', level: 1 }).waitFor();
    await openView(page, app, '/', 'Home');
  }
});

test('failed rows are shown with line, reference, reason and the row, without a whole number; the download has all', async () => {
  await openView(page, app, `/imports/${run}`, 'spring.ndjson');
  await expect.poll(() => failed().getByRole('rowheader').allInnerTexts()).toEqual(['4', '5']);
  const [orphan] = await failed().getByRole('row', { name: 'S-2' }).all();
  expect(await orphan?.innerText()).toContain('No event has the reference autumn yet.');
  expect(await orphan?.innerText()).toContain('unknown_event');
  await orphan?.getByText('As given').click();
  const text = await failed().getByRole('region', { name: 'Row of line 4' }).innerText();
  expect(text).toContain('"event": "autumn"');
  expect(text).not.toContain('2025550142');

  const lines = await downloadFailed('To mend them.');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({
    reference: 'S-2',
    holder_phone: '+12025550142',
    _line: 4,
    _reason: 'unknown_event',
  });
});

test('failed rows are run again: those that fit by now are applied, and the others stay', async () => {
  await apply(app, [eventRow('autumn', { name: 'Autumn' }), typeRow('autumn', 'all')]);
  await openView(page, app, `/imports/${run}`, 'spring.ndjson');
  await page.getByRole('button', { name: 'Run failed rows again' }).click();
  await page.getByRole('dialog').getByText('2 rows are applied once more').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => figureOf('Failed'), { timeout: 10_000 }).toBe('1');
  await expect.poll(() => failed().getByRole('rowheader').allInnerTexts()).toEqual(['5']);
  expect(await app.context().em.count(Ticket, { reference: 'S-2' })).toBe(1);
  const entry = await app.context().em.findOneOrFail(AuditEntry, { action: 'import_run.rerun', subject: run });
  expect(entry.actor).toMatch(/^staff:/);
});

test('a cause leads to its rows; rows that were mended are uploaded in place, and the run is whole', async () => {
  await openView(page, app, `/imports/${run}`, 'spring.ndjson');
  await page.getByRole('link', { name: 'Only these rows: seat is not a member of this kind of row.' }).click();
  await failed().getByText('Only: seat is not a member of this kind of row.').waitFor();
  const [row] = await downloadFailed('To mend it.');
  const { seat: _, ...mended } = row as { seat: number };
  await page.getByRole('button', { name: 'Upload mended rows' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The seat has no member.');
  const [choosing] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog.getByRole('button', { name: 'File' }).click(),
  ]);
  await choosing.setFiles({
    name: 'mended.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(JSON.stringify(mended)),
  });
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect.poll(() => figureOf('Failed'), { timeout: 10_000 }).toBe('0');
  await page.getByText('Finished', { exact: true }).first().waitFor();
  expect(await app.context().em.count(Ticket, { reference: 'S-3' })).toBe(1);
});

test('an import that was interrupted says after which line it goes on', async () => {
  const { em } = app.context();
  const cut = (await importBody(app, token, asNdjson([eventRow('cut')]), '?name=cut.ndjson')).run;
  await em.execute(
    `update import_run set state = 'interrupted', received_all = false, message = 'The connection broke off.' where file_name = 'cut.ndjson'`,
  );
  await openView(page, app, `/imports/${cut}`, 'cut.ndjson');
  await page.getByText('The connection broke off.').waitFor();
  await page.getByText('it goes on after line 1').waitFor();
});
