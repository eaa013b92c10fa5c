import { execFileSync } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pageNames } from '../../../docs/page-samples.ts';
import { axeBarriers, barriersFrom, SIDES, TWO_SIDES, twoSidesFor } from '../../../support/find-barriers.ts';
import { signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';
import { testBrowser } from '../../../support/test-browser.ts';
import { newPage } from '../../fan-pages/login/ui/fan.ts';

const [app, browser] = await Promise.all([testApp(), testBrowser()]);

const PAGES = pageNames();
const urlOf = (name: string) => (name === 'index' ? app.config.docsUrl : `${app.config.docsUrl}/${name}`);

const open = (width: number, colorScheme: 'light' | 'dark' = 'light') =>
  newPage(browser, { viewport: { width, height: 900 }, isMobile: false, hasTouch: false, colorScheme });

/** What a page asks of anybody but this service. */
function askedElsewhere(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${app.origin}/`) && !url.startsWith('data:')) asked.push(url);
  });
  return asked;
}

test('every page answers as HTML and as Markdown, with the addresses of this installation and nothing left to fill in', async () => {
  for (const name of PAGES) {
    const html = await fetch(urlOf(name));
    expect([name, html.status, html.headers.get('content-type')]).toEqual([name, 200, 'text/html; charset=utf-8']);
    expect(html.headers.get('link')).toContain(`<${app.config.docsUrl}/${name}.md>; rel="alternate"`);
    const policy = html.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    // the renderer of the reference positions what it shows
    expect(policy.replace("style-src-attr 'unsafe-inline'; ", name === 'reference' ? '' : 'unsafe')).not.toContain(
      'unsafe',
    );
    expect(await html.text()).not.toMatch(/\{\{|\[\[/);
    const markdown = await fetch(`${app.config.docsUrl}/${name}.md`);
    expect([name, markdown.status, markdown.headers.get('content-type')]).toEqual([
      name,
      200,
      'text/markdown; charset=utf-8',
    ]);
    const text = await markdown.text();
    expect(text).toMatch(/^# /);
    expect(text).not.toMatch(/\{\{|<!--|```\w+ /);
  }
});

test('llms.txt lists every page, at /llms.txt too', async () => {
  const [inside, atRoot] = await Promise.all(
    [`${app.config.docsUrl}/llms.txt`, `${app.origin}/llms.txt`].map(async (url) => (await fetch(url)).text()),
  );
  expect(atRoot).toBe(inside);
  for (const name of PAGES) expect(inside).toContain(`](${app.config.docsUrl}/${name}.md): `);
});

test.each([
  ['/no-such-page', true],
  ['/no/such/page', true],
  ['/no-such-page.md', false],
  ['/..%2f..%2fsurface', false],
  ['/assets/x.js', false],
  ['/samples/x.ts', false],
  ['/samples/..%2findex.ts', false],
])('%s is 404, for a browser a page of the documentation with its navigation and search', async (path, isPage) => {
  const answer = await fetch(`${app.config.docsUrl}${path}`, { headers: isPage ? { accept: 'text/html' } : {} });
  expect(answer.status).toBe(404);
  const html = await answer.text();
  const parts = ['<h1 id="page-not-found">Page not found</h1>', 'href="quick-start"', 'search-button'];
  expect(parts.filter((part) => html.includes(part))).toEqual(isPage ? parts : []);
});

test('pages and the OpenAPI description are compressed for those who accept it', async () => {
  for (const url of [urlOf('tokens'), `${app.config.docsUrl}/tokens.md`, `${app.config.apiUrl}/openapi.json`]) {
    const sizeOf = async (coding: string) => {
      const answer = await new Promise<IncomingMessage>((resolve) =>
        get(url, { headers: { 'accept-encoding': coding } }, resolve),
      );
      expect(answer.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      expect(answer.headers.vary?.toLowerCase()).toContain('accept-encoding');
      return (await buffer(answer)).length;
    };
    expect(await sizeOf('gzip')).toBeLessThan((await sizeOf('identity')) / 2);
  }
});

test('the SDK that a page names is there, as npm installs it', async () => {
  const [address = ''] = /http\S+\.tgz/.exec(await (await fetch(`${app.config.docsUrl}/sdk.md`)).text()) ?? [];
  const answer = await fetch(address);
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
  const files = execFileSync('tar', ['-tz'], { input: Buffer.from(await answer.arrayBuffer()) }).toString();
  expect(files.split('\n')).toEqual(
    expect.arrayContaining(['package/package.json', 'package/index.js', 'package/index.d.ts', 'package/README.md']),
  );
});

test('search engines are led to the documentation only, and a browser finds an icon', async () => {
  const robots = await (await fetch(`${app.origin}/robots.txt`)).text();
  expect(robots).toBe('User-agent: *\nDisallow: /\nAllow: /docs/\nAllow: /docs$\n');
  const icon = await fetch(`${app.origin}/favicon.ico`);
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
});

test('every link of every page leads to a page and, with an anchor, to a place on it', {
  timeout: 120_000,
}, async () => {
  const bodies = new Map<string, string>();
  const read = async (url: string) => {
    const known = bodies.get(url);
    if (known !== undefined) return known;
    const answer = await fetch(url, { headers: { accept: 'text/html, application/json' } });
    const text = answer.ok ? await answer.text() : '';
    bodies.set(url, text);
    return text;
  };
  const dead: string[] = [];
  let followed = 0;
  for (const name of PAGES) {
    const html = await read(urlOf(name));
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `${app.config.docsUrl}/`);
      if (url.origin !== app.origin) {
        dead.push(`${name}: ${href} leaves this service`);
        continue;
      }
      followed++;
      const anchor = url.hash.slice(1);
      url.hash = '';
      // no cluster is set up for production in this test
      if (url.search === '?mode=production') continue;
      const target = await read(url.href);
      if (target === '' || (anchor !== '' && !target.includes(`id="${anchor}"`))) dead.push(`${name}: ${href}`);
    }
  }
  expect(dead).toEqual([]);
  expect(followed).toBeGreaterThan(400);
});

test('axe finds no barrier on any page on a phone, nor on the first one wide or light, nothing is asked elsewhere, and no policy is broken', {
  timeout: 180_000,
}, async () => {
  const page = await open(390, 'dark');
  const asked = askedElsewhere(page);
  const found: Record<string, string[]> = {};
  for (const name of PAGES.filter((each) => each !== 'reference')) {
    await page.goto(urlOf(name));
    await page.locator('.copy, h1').first().waitFor();
    // the frame and the styles are the same on every page: what differs is the text
    found[name] = await barriersFrom(page, { sides: name === 'index' ? SIDES : SIDES.slice(0, 1) });
  }
  expect(Object.entries(found).filter(([, barriers]) => barriers.length > 0)).toEqual([]);
  expect(asked).toEqual([]);
});

test('the reference shows every operation under the strict policy, and asks nobody else', {
  timeout: 90_000,
}, async () => {
  const page = await open(1440);
  const asked = askedElsewhere(page);
  page.setDefaultTimeout(60_000);
  await page.goto(urlOf('reference'));
  for (const path of ['/tickets', '/authorizations', '/claims/execute']) {
    const operation = page.locator('#reference').getByText(path).first();
    // operations are drawn when they come into view
    const scrolled = async () => {
      await page.mouse.wheel(0, 700);
      return operation.count();
    };
    await expect.poll(scrolled, { timeout: 30_000 }).toBeGreaterThan(0);
  }
  const barriers = await barriersFrom(page, { sides: twoSidesFor(390) });
  expect(barriers).toEqual([]);
  expect(asked).toEqual([]);
});

test('a reference that can’t be loaded says so, and offers to load it again', async () => {
  const page = await open(390);
  await page.route('**/openapi.json', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.goto(urlOf('reference'));
  await page.getByRole('alert').getByText('The operations could not be loaded.').waitFor();
  expect(await barriersFrom(page, { sides: TWO_SIDES })).toEqual([]);
  await page.unroute('**/openapi.json');
  await page.getByRole('link', { name: 'Load the page again' }).click();
  await page.getByText('Loading the operations…').waitFor({ state: 'detached' });
  await page.locator('#reference > *').first().waitFor();
});

test('the search finds a code by its name, by keyboard alone, and a screen reader hears how many', async () => {
  const page = await open(1440);
  await page.goto(urlOf('index'));
  await page.getByRole('button', { name: 'Search' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('blockhash_expired');
  await page.getByRole('option', { name: 'blockhash_expired' }).first().waitFor();
  await expect.poll(() => page.locator('.count').textContent()).toMatch(/^\d+ found$/);
  expect(await page.locator('[role=option] mark').first().textContent()).toMatch(/^blockhash/i);
  expect(await axeBarriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${app.config.docsUrl}/errors#blockhash_expired`);
  await page.keyboard.press('/');
  await page.keyboard.type('qqqqzzzz');
  await expect.poll(() => page.locator('.count').textContent()).toBe('Nothing found for “qqqqzzzz”.');
  await page.locator('input[type=search]').fill('airdrop');
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toContainEqual(expect.stringContaining('test SOL'));
});

test('the page for an unknown address has no barrier', async () => {
  const page = await open(1440);
  await page.goto(urlOf('no-such-page'));
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  expect(await barriersFrom(page, { sides: TWO_SIDES })).toEqual([]);
});

test('the samples have the reader’s own client ID: the starter kit’s, else that of the address, kept for the next page', async () => {
  const page = await open(1440);
  const shown = () => page.locator('[data-fill=client_id]').first().textContent();
  await page.goto(urlOf('sign-in'));
  expect(await shown()).toBe(app.kit.client_id);
  const own = 'client_00000000000000000000000001';
  await page.goto(`${urlOf('index')}?client_id=${own}`);
  await page.goto(urlOf('sign-in'));
  await expect.poll(shown).toBe(own);
  await page.goto(`${urlOf('sign-in')}?client_id=<script>`);
  await expect.poll(shown).toBe(own);
  await page.getByLabel('Your client ID').fill('');
  await expect.poll(shown).toBe(app.kit.client_id);
});

test('a chosen language stays, on every page, and the copy button takes what is shown', async () => {
  const page = await open(1440);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(urlOf('sign-in'));
  await page.getByRole('tab', { name: 'Python' }).first().click();
  await page.goto(urlOf('tickets'));
  const block = page.getByRole('tabpanel', { name: 'Python' }).first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('The code is copied.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await block.locator('code').textContent());
  await page.getByRole('tab', { name: 'Python' }).first().focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'Go' }).first().waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tabpanel', { name: 'Shell' }).first().waitFor();
});

test('on a phone the pages are behind a button, by keyboard too', async () => {
  const page = await open(390);
  await page.goto(urlOf('tokens'));
  const menu = page.getByRole('button', { name: 'Menu' });
  expect(await page.locator('#nav').isVisible()).toBe(false);
  await menu.press('Enter');
  await page.getByRole('link', { name: 'Errors' }).click();
  await page.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
});

test('WCAG 2.2 §1.3.1: on a phone the cards of a table are still its rows, with the headers of its columns', async () => {
  const page = await open(390);
  await page.goto(urlOf('failures'));
  const table = page.getByRole('table').filter({ hasText: 'consent_refused' });
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Failure', 'Met by', 'You see', 'What to do']);
  // roles of their own: which ones an element has by its layout differs between browsers
  const elements = { table: 'table', 'thead, tbody': 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' };
  for (const [selector, role] of Object.entries(elements)) {
    const given = await page
      .locator(`article :is(${selector})`)
      .evaluateAll((all) => all.map((one) => one.getAttribute('role')));
    expect(given.length).toBeGreaterThan(0);
    expect([selector, ...new Set(given)]).toEqual([selector, role]);
  }
});

test('an operation can be tried in the reference, with the token of the playground', { timeout: 90_000 }, async () => {
  const { access_token: accessToken } = await signIn(app, { scope: 'openid fan:tickets:read' });
  const page = await open(1440);
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.setDefaultTimeout(30_000);
  await page.goto(urlOf('index'));
  const state = { active: 'x', fans: [{ sub: 'x', tokens: { response: { access_token: accessToken } } }] };
  await page.evaluate((text) => sessionStorage.setItem('playground.state', text), JSON.stringify(state));
  await page.goto(urlOf('reference'));
  await page.getByRole('button', { name: /Test Request.*get \/tickets/i }).click();
  const answered = page.waitForResponse(`${app.config.apiUrl}/tickets`);
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answered).status()).toBe(200);
  expect(errors).toEqual([]);
});
