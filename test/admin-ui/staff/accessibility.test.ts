import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FRESH_SIGN_IN } from '../../../src/partners/rights.ts';
import { watchFaults } from '../../adapters/fan-pages/login/ui/fan.ts';
import { fillIn, openConsole, signInAs } from '../../support/console.ts';
import { barriersFrom, DESK_AND_PHONE, moveTo, quiet, SIDES, type Side } from '../../support/find-barriers.ts';
import { IMPORT_ENV } from '../../support/import-calls.ts';
import { testApp } from '../../support/test-app.ts';
import { testBrowser } from '../../support/test-browser.ts';
import { busyFan, filledSandbox, importedEvent, longUnusedFan, reviewedTwice } from './accessibility-stage.ts';

/** Every view of the console and what opens over it, seen once by axe from each side. */
const [app, browser] = await Promise.all([testApp({ env: IMPORT_ENV }), testBrowser()]);
const sandbox = await filledSandbox(app);
const busy = await busyFan(app);
const gala = await importedEvent(app);
const unused = await longUnusedFan(app);
const page = await openConsole(browser, app);
const faults = watchFaults(page);

const button = (name: string | RegExp, on: Page | Locator = page) => on.getByRole('button', { name, exact: true });
const dialog = (name?: string | RegExp) => page.getByRole('dialog', name === undefined ? {} : { name });

type View = readonly [path: string, title: string | RegExp];

/** Opens a view, with all its details unfolded. */
async function open(path: string, title: string | RegExp): Promise<void> {
  await moveTo(page, `${app.config.adminUrl}${path}`, title);
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

/** What is in the way on each of these views, by its path. */
async function barriersOn(views: readonly View[], sides: readonly Side[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [path, title] of views) {
    await open(path, title);
    found[path] = await barriersFrom(page, { sides });
  }
  return found;
}

/** Where nothing is in the way. */
const none = (views: readonly View[]) => Object.fromEntries(views.map(([path]) => [path, []]));

/** Of what is open now. */
async function expectNone(within: Locator): Promise<void> {
  await quiet(page);
  expect(await barriersFrom(page, { within, sides: DESK_AND_PHONE })).toEqual([]);
}

async function closeDialog(): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const client = `/clients/${sandbox.clientId}`;
const edited = `/clients/${await reviewedTwice(app)}`;
const fan = `/fans/${busy.fan.id}`;
const IN_TICKETS = /.+, .+/;

const FIRST = 'the first views and activity';
const VIEWS: Record<string, readonly View[]> = {
  [FIRST]: [
    ['/', 'Home'],
    ['/?period=HOUR', 'Home'],
    ['/timeline', 'Timeline'],
    [`/timeline?search=${busy.grantId}`, 'Timeline'],
    ['/requests?outcome=failed', 'Requests'],
    [`/requests/${busy.requestId}`, 'Request'],
    ['/no/such/page', 'Page not found'],
    ['/partners', 'Partners'],
    ['/permits', 'Permits'],
    [`/partners/${sandbox.partnerId}`, 'Front Row'],
  ],
  'partners and clients': [
    ['/clients', 'Clients'],
    ['/clients?search=nothing-has-this-name', 'Clients'],
    [client, 'Front Row'],
    [`${client}?tab=events`, 'Front Row'],
    [`${edited}?tab=overview`, 'Encore 2'],
    [`${edited}?tab=configuration`, 'Encore 2'],
    [`${edited}?tab=review`, 'Encore 2'],
    [`${edited}?tab=history`, 'Encore 2'],
    ['/reviews', 'Review queue'],
  ],
  'the sandbox': [
    ['/test-users', 'Test users'],
    ['/test-events', 'Test events'],
    [`/permits/${busy.permitId}`, IN_TICKETS],
    [`/permits/${sandbox.unreadId}`, IN_TICKETS],
    [`${client}/starter-kit`, 'Starter kit'],
    [`/partners/${sandbox.partnerId}/reset-sandbox`, 'Reset sandbox'],
  ],
  'fans, grants, listings and claims': [
    ['/fans', 'Fans'],
    [`/fans/${unused.id}`, '+44 ••• ••• 3456'],
    [fan, busy.fan.phone],
    [`${fan}?tab=sessions`, busy.fan.phone],
    [`${fan}?tab=signatures`, busy.fan.phone],
    ['/grants', 'Grants'],
    [`/grants/${busy.grantId}`, 'Grant to Front Row'],
    ['/listings', 'Listings'],
    [`/listings/${busy.listingId}`, IN_TICKETS],
    ['/claims?state=STUCK', 'Claims'],
    [`/claims/${busy.claimId}`, IN_TICKETS],
  ],
  'events, tickets and imports': [
    ['/events', 'Events'],
    [`/events/${gala.eventId}`, 'Gala'],
    [`/events/${gala.eventId}?tab=types`, 'Gala'],
    [`/events/${gala.eventId}?tab=history`, 'Gala'],
    ['/tickets', 'Tickets'],
    [`/tickets/${gala.ticketId}`, IN_TICKETS],
    ['/imports', 'Import runs'],
    ['/followers', 'Feed followers'],
    [`/imports/${gala.run}`, 'gala.ndjson'],
  ],
  operations: [
    ['/verification', 'Verification'],
    ['/keys', 'Keys'],
    ['/kill-switches', 'Kill switches'],
    ['/proposals', 'Proposals'],
    [`/proposals/${busy.proposalId}`, 'Move a ticket to a wallet outside'],
    ['/audit', 'Audit log'],
    ['/staff', 'Staff'],
    ['/tokens?of=everybody', 'Tokens'],
    ['/service-accounts', 'Service accounts'],
    ['/sessions', 'My sessions'],
  ],
};

test.each(Object.entries(VIEWS))('WCAG 2.2: no view of %s has a barrier', { timeout: 180_000 }, async (name, views) => {
  // the frame, charts, a list with orders and one with a choice are seen in both schemes on both screens, by all rules
  const sides = name === FIRST ? SIDES : DESK_AND_PHONE;
  expect(await barriersOn(views, sides)).toEqual(none(views));
});

/** A button that opens a form, and what sends it. The next view closes it, so no two of one view follow each other. */
const FORMS: readonly [path: string, title: string | RegExp, opener: string | undefined, submit: string | undefined][] =
  [
    ['/partners', 'Partners', 'Register partner', 'Register'],
    [edited, 'Encore 2', 'Reject edit', 'Reject'],
    ['/test-users?create=1', 'Test users', undefined, 'Create'],
    ['/test-events?create=1', 'Test events', undefined, 'Create'],
    ['/permits?grant=1', 'Permits', undefined, 'Grant'],
    [client, 'Front Row', 'Arm a failure', 'Arm'],
    [`/fans/${unused.id}`, '+44 ••• ••• 3456', 'Reveal', 'Reveal'],
    ['/events?add=1', 'Events', undefined, 'Add'],
    [`/events/${gala.eventId}`, 'Gala', 'Cancel the event', 'Cancel the event'],
    [`/tickets/${gala.ticketId}`, IN_TICKETS, 'Withdraw', 'Withdraw'],
    ['/kill-switches?stop=SMS_COUNTRY', 'Kill switches', undefined, 'Stop'],
    [`/fans/${unused.id}`, '+44 ••• ••• 3456', 'Change the number', 'Propose'],
    [`/proposals/${busy.proposalId}`, 'Move a ticket to a wallet outside', 'Approve', 'Approve'],
    [`/tickets/${gala.ticketId}`, IN_TICKETS, 'Give to another holder', 'Give'],
    ['/staff', 'Staff', 'Invite a person', 'Create link'],
    ['/tokens', 'Tokens', 'Create a token', 'Create'],
  ];

describe('forms and dialogs', () => {
  // what they change wants a sign-in of the last five minutes, and the views take as long on a slow machine
  beforeAll(() => signInAs(page, app, { name: 'Ada Admin', role: 'admin' }));

  test('WCAG 2.2: no form has a barrier, sent with nothing typed in', { timeout: 180_000 }, async () => {
    const found: Record<string, string[]> = {};
    for (const [path, title, opener, submit] of FORMS) {
      await open(path, title);
      if (opener !== undefined) await button(opener).first().click();
      if (submit !== undefined) await button(submit, dialog()).click();
      await quiet(page);
      found[`${path}, ${submit}`] = await barriersFrom(page, { within: dialog(), sides: DESK_AND_PHONE });
    }
    expect(Object.entries(found).filter(([, barriers]) => barriers.length > 0)).toEqual([]);
  });

  test('WCAG 2.2: no dialog without a form has a barrier, nor what is chosen in a list', {
    timeout: 120_000,
  }, async () => {
    await open(edited, 'Encore 2');
    await button('Approve edit').click();
    await expectNone(dialog().getByRole('region', { name: 'What you approve' }));
    await closeDialog();
    await open(`/fans/${unused.id}`, '+44 ••• ••• 3456');
    await button('Remove').first().click();
    await expectNone(dialog('Remove the passkey'));
    await closeDialog();
    await open('/permits', 'Permits');
    await page.locator('tbody').getByRole('checkbox').first().check();
    await expectNone(page.getByRole('group', { name: 'Selected permits' }));
    await open('/staff', 'Staff');
    await button('Invite a person').click();
    await fillIn(page, { Name: 'Rita Reviewer' }, 'Create link');
    await expectNone(dialog('Sign-in link for Rita Reviewer'));
    await button('Done').click();
  });

  test('WCAG 2.2: no step of the form of a client has a barrier, with a fault or a draft of before', {
    timeout: 120_000,
  }, async () => {
    await open(`${edited}?tab=configuration`, 'Encore 2');
    await button('Continue editing').click();
    await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('http://encore.example/#x');
    await expectNone(page.getByText('It must have no fragment'));
    await open(`/clients/new?partner=${sandbox.partnerId}`, 'Register a client');
    await button('Next').click();
    await expectNone(page.getByText('It must have 1 to 120 characters.'));
    await fillIn(page, { Name: 'Encore dev' }, 'Next');
    await page.getByRole('textbox', { name: 'Redirect URI 1' }).fill('http://localhost:3000/cb');
    await expectNone(page.getByText('http://localhost:3000', { exact: true }));
    await button('Next').click();
    await expectNone(page.getByRole('checkbox', { name: 'fan:tickets:read' }));
    await button('Next').click();
    await expectNone(page.getByRole('heading', { name: 'Summary' }));
    await open('/clients', 'Clients');
    await open(`/clients/new?partner=${sandbox.partnerId}`, 'Register a client');
    await expectNone(page.getByRole('status').filter({ hasText: 'Restored your draft.' }));
  });

  test('WCAG 2.2: nor has what opens over every view', { timeout: 120_000 }, async () => {
    await open('/partners', 'Partners');
    await page.getByRole('button', { name: /Ada Admin/ }).click();
    await expectNone(page.getByRole('menu'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+K');
    await page.getByRole('combobox', { name: 'Search for anything' }).fill('Encore');
    await expectNone(page.getByText('Client of Front Row', { exact: false }).first());
    await closeDialog();
    await page.keyboard.press('?');
    await expectNone(dialog('Keyboard shortcuts'));
    await closeDialog();
    await open('/partners?register=1', 'Partners');
    await fillIn(page, { Name: 'Toasted' }, 'Register');
    await page.getByText('Toasted is registered.').hover();
    await expectNone(page.getByText('Toasted is registered.'));
    await button('Close message').first().click();
    app.advance(FRESH_SIGN_IN + 1);
    await page.goto(`${app.config.adminUrl}/keys`);
    await button('Rotate').click();
    await expectNone(dialog('Confirm it’s you'));
    await closeDialog();
    app.resetClock();
    await page.goto(`${app.config.adminUrl}/partners?register=1`);
    await page.getByLabel('Name').fill('Half typed');
    await page.context().clearCookies();
    await button('Register').click();
    await expectNone(page.getByRole('heading', { name: 'Your session has ended' }));
    await page.goto(`${app.config.adminUrl}/clients`);
    await expectNone(page.getByRole('heading', { name: 'Sign in to the console' }));
  });
});

afterAll(() => expect(faults, 'what the content security policy stopped').toEqual([]));
