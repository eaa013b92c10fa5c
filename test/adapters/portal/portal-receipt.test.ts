import { createLocalJWKSet, type JWK, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeClient } from '../../support/make-client.ts';
import { signIn, type Tokens } from '../../support/partner.ts';
import { giveTicket } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { testUser } from '../login/login-calls.ts';
import { openPortal } from './portal-calls.ts';

/** A receipt that a person can read, with the signed statement in it. */
const app = await testApp();
let portal: ReturnType<typeof openPortal>;
let tokens: Tokens;
beforeEach(async () => {
  portal = await openPortal(app).signIn(testUser(app));
  tokens = await signIn(app);
});

function fetchReceipt(file: string, { cookie = portal.cookie, language = 'en' } = {}) {
  const headers = { cookie, 'accept-language': language };
  return fetch(`${app.config.loginUrl}/apps/receipts/${file}`, { redirect: 'manual', headers });
}

const textOf = async (file: string, language?: string) =>
  (await fetchReceipt(file, language === undefined ? {} : { language })).text();

/** What stands in the document's `<pre dir="ltr">`s. */
function attachments(html: string): string[] {
  return [...html.matchAll(/<pre dir="ltr">(.*?)<\/pre>/gs)].map(([, text = '']) => text.replaceAll('&#34;', '"'));
}

describe('the document', () => {
  it('says in words who may do what; its statement verifies with the key that comes with it', async () => {
    const html = await textOf(`${tokens.grant_id}.html?timeZone=Europe/Berlin`);
    for (const text of [
      'Receipt: ',
      'See your tickets',
      'All your current and future tickets',
      'GMT+1',
      tokens.grant_id,
    ])
      expect(html).toContain(text);
    expect(html).toContain(`${app.config.authUrl}/.well-known/jwks.json`);
    const [statement = '', key = ''] = attachments(html);
    const keySet = createLocalJWKSet({ keys: [JSON.parse(key) as JWK] });
    const { payload } = await jwtVerify(statement, keySet, { typ: 'consent-receipt+jwt', issuer: app.config.authUrl });
    expect(payload).toMatchObject({ grant_id: tokens.grant_id, sub: testUser(app).id, aud: app.kit.client_id });
  });

  it('tells what is turned off, and which tickets were chosen', async () => {
    const { ticket } = await giveTicket(app, testUser(app), { mode: 'sandbox' });
    const grantIds = [tokens.grant_id];
    await portal.get('apps.turnActionOff', { grantIds, action: 'fan:listings:write' });
    await portal.get('apps.chooseTickets', { grantIds, mode: 'selected', ticketIds: [ticket.id] });
    const html = await textOf(`${tokens.grant_id}.html`);
    expect(html).toMatch(/but not allowed<\/h2>\s*<ul><li><strong><bdi>Put your tickets up for sale/);
    expect(html).not.toContain('All your current and future tickets');
  });

  it.each([
    ['de', 'Die App darf'],
    ['fr-CA', 'L’application peut'],
    ['ja', 'アプリができること'],
    ['xx', 'The app can'],
  ])('is in the language of the page (%s), or else of the browser', async (locale, text) => {
    expect(await textOf(`${tokens.grant_id}.html?locale=${locale}`)).toContain(text);
    expect(await textOf(`${tokens.grant_id}.html`, locale)).toContain(text);
  });

  it('survives a locale and a zone that are none, given twice or as a list', async () => {
    for (const query of ['locale=%00&timeZone=Nowhere', 'locale=de&locale=fr&timeZone=a&timeZone=b', 'timeZone='])
      expect((await fetchReceipt(`${tokens.grant_id}.html?${query}`)).status).toBe(200);
  });

  it('is a file that can run nothing, on the way and once saved', async () => {
    const answer = await fetchReceipt(`${tokens.grant_id}.html`);
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'/);
    expect(policy).toMatch(/sandbox$/);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="receipt-[a-z0-9-]+\.html"$/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    const html = await answer.text();
    expect(html).toContain('<meta http-equiv="Content-Security-Policy"');
    expect(html).not.toMatch(/<script|<link|<img|\son\w+=|href=/i);
  });

  it('shows hostile names of a client and an event as the text that they are', async () => {
    const hostile = `"><script>alert(1)</script><b a='&`;
    const clientId = await makeClient(app, { name: hostile });
    const { ticket } = await giveTicket(app, testUser(app), { mode: 'sandbox' });
    await app.runtime.pool.query('update event set name = $1, venue = $1', [hostile]);
    await app.runtime.pool.query(`update ticket_type set name = $1 where name = 'Standing'`, [hostile]);
    const { grant_id: id } = await signIn(app, { clientId, mode: 'selected', ticketIds: [ticket.id] });
    const answer = await fetchReceipt(`${id}.html`);
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="receipt-script-alert-1-script-b-a-[\d-]+\.html"$/,
    );
    const html = await answer.text();
    expect(html).not.toMatch(/<script|<b a=/);
    expect(html.split('&#60;script&#62;').length - 1).toBeGreaterThanOrEqual(5);
  });
});

it('the statement alone is there for programs', async () => {
  const answer = await fetchReceipt(`${tokens.grant_id}.jwt`);
  expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    'application/jwt',
    expect.stringMatching(/^attachment; filename="receipt-.*\.jwt"$/),
  ]);
  expect(await answer.text()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
});

describe('nobody else gets it: the browser is sent to the portal, which says where it stands', () => {
  const TO_PORTAL = [303, `${app.config.loginUrl}/apps`];

  it.each(['', 'fan_portal=br_x'])('without a visit (%j)', async (cookie) => {
    const answer = await fetchReceipt(`${tokens.grant_id}.html`, { cookie });
    expect([answer.status, answer.headers.get('location')]).toEqual(TO_PORTAL);
  });

  it('another fan, an ended access, an address that is none', async () => {
    const stranger = await openPortal(app).signIn(testUser(app, 1));
    const answers = [await fetchReceipt(`${tokens.grant_id}.html`, { cookie: stranger.cookie })];
    await portal.get('apps.revoke', { clientId: app.kit.client_id });
    for (const file of [`${tokens.grant_id}.html`, `${tokens.grant_id}.jwt`, 'grant_x.html', 'x', '%00.html'])
      answers.push(await fetchReceipt(file));
    for (const answer of answers) expect([answer.status, answer.headers.get('location')]).toEqual(TO_PORTAL);
  });
});
