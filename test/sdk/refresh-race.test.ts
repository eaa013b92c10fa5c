/** D-293: whatever tabs and processes share a store, each refresh token is sent once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  openAuthServer,
  openSession,
  type Session,
  type StoredTokens,
  type TokenSet,
  type TokenStore,
} from '@fan-api/sdk';
import { fileTokenStore } from '@fan-api/sdk/node';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { readPage } from '../docs/page-samples.ts';
import { consent, REDIRECT_URI, type Started, verifyPhone } from '../support/partner.ts';
import { testApp } from '../support/test-app.ts';
import { testBrowser } from '../support/test-browser.ts';
import { bundleSdk } from './bundle-sdk.ts';

const [app, browser, script] = await Promise.all([testApp(), testBrowser(), bundleSdk()]);
const folder = await mkdtemp(join(tmpdir(), 'sdk-race-'));
afterAll(() => rm(folder, { recursive: true }));

const partner = { issuer: app.config.authUrl, clientId: app.kit.client_id, redirectUri: REDIRECT_URI };
const SCOPE = 'openid offline_access fan:tickets:read';
const ROUNDS = 3;

async function signedIn(): Promise<TokenSet> {
  const authServer = openAuthServer(partner);
  const { url, attempt } = await authServer.startSignIn({ scope: SCOPE });
  const answer = await fetch(url, { redirect: 'manual' });
  const started = {
    sessionId: new URL(answer.headers.get('location') ?? '').searchParams.get('session_id') ?? '',
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  } as Started;
  await verifyPhone(app, started);
  return authServer.finishSignIn(await consent(app, started), attempt);
}

/** The token is the newest of a family that lives: a token that was sent twice would have ended it. */
async function expectAlive(accessToken: string): Promise<void> {
  const answer = await fetch(`${app.config.apiUrl}/tickets`, { headers: { authorization: `Bearer ${accessToken}` } });
  expect(answer.status).toBe(200);
}

/** What a tab has. */
interface Tab {
  sdk: typeof import('@fan-api/sdk') & typeof import('@fan-api/sdk/browser');
  session: Session;
}

/** Tabs of one browser at the partner's address, each with a session over the same store. */
async function openTabs(count: number) {
  // a page without scripts of its own, at an address that Chromium lets reach this machine
  const context = await browser.newContext({ bypassCSP: true });
  const sent: string[] = [];
  context.on('request', (request) => {
    const token = new URLSearchParams(request.postData() ?? '').get('refresh_token');
    if (token !== null) sent.push(token);
  });
  const tabs = await Promise.all(
    Array.from({ length: count }, async () => {
      const page = await context.newPage();
      await page.goto(`${app.origin}/healthz`);
      await page.addScriptTag({ content: script, type: 'module' });
      await page.waitForFunction(() => 'sdk' in globalThis);
      await page.evaluate((given) => {
        const tab = globalThis as never as Tab;
        const authServer = tab.sdk.openAuthServer(given);
        tab.session = tab.sdk.openSession({ authServer, store: tab.sdk.indexedDbTokenStore() });
      }, partner);
      return page;
    }),
  );
  const tokens = await signedIn();
  await tabs[0]?.evaluate(
    (given) => (globalThis as never as Tab).session.begin(JSON.parse(given)),
    JSON.stringify(tokens),
  );
  return { context, tabs, sent, refused: tokens.response.access_token };
}

/** @returns the access token, or why there is none */
function anotherToken(tab: Page, refused: string): Promise<string> {
  return tab.evaluate(
    (token) =>
      (globalThis as never as Tab).session
        .accessToken({ refused: token })
        .catch((error: { reason?: string; message: string }) => error.reason ?? error.message),
    refused,
  );
}

test('ten tabs of a browser, again and again: one refresh for each round', { timeout: 90_000 }, async () => {
  const { context, tabs, sent, ...first } = await openTabs(10);
  let { refused } = first;
  for (let round = 1; round <= ROUNDS; round++) {
    const got = await Promise.all(tabs.map((tab) => anotherToken(tab, refused)));
    expect(new Set(got).size).toBe(1);
    expect(got[0]).toMatch(/^ey/);
    refused = got[0] ?? '';
    expect(sent).toHaveLength(round);
  }
  expect(new Set(sent).size).toBe(ROUNDS);
  await expectAlive(refused);
  await context.close();
});

test('a tab that is closed in the middle of a refresh holds nobody up, and its token is not sent again', async () => {
  const { context, tabs, sent, refused } = await openTabs(2);
  const [first, second] = tabs;
  // nobody answers
  await context.route('**/oauth2/token', () => undefined);
  void anotherToken(first as Page, refused).catch(() => undefined);
  await expect.poll(() => sent.length).toBe(1);
  const waiting = anotherToken(second as Page, refused);
  await first?.close();
  expect(await waiting).toBe('outcome_unknown');
  expect(sent).toHaveLength(1);
  await context.close();
});

test('five processes over one folder, again and again: one refresh for each round', { timeout: 90_000 }, async () => {
  const tokens = await signedIn();
  const store = fileTokenStore(folder);
  await openSession({ authServer: openAuthServer(partner), store, key: 'fan' }).begin(tokens);
  const program = join(import.meta.dirname, 'partner-processes.ts');
  const processes = Array.from({ length: 5 }, () => {
    const child = spawn(process.execPath, [program, partner.issuer, partner.clientId, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, next: async () => (await lines.next()).value as string };
  });
  try {
    for (const { next } of processes) expect(await next()).toBe('ready');
    let refused = tokens.response.access_token;
    const sent: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      for (const { child } of processes) child.stdin.write(`${refused}\n`);
      const said = await Promise.all(processes.map(async ({ next }) => JSON.parse(await next())));
      expect(new Set(said.map(({ token }) => token)).size).toBe(1);
      refused = said[0].token;
      sent.push(...said.flatMap((line) => line.sent));
      expect(sent).toHaveLength(round);
    }
    expect(new Set(sent).size).toBe(ROUNDS);
    await expectAlive(refused);
  } finally {
    for (const { child } of processes) child.stdin.end();
    await Promise.all(processes.map(({ child }) => child.exitCode === null && once(child, 'exit')));
  }
});

test('the file of a token is for this user alone, and only the newest version is kept', async () => {
  const files = await readdir(folder);
  expect(files).toHaveLength(1);
  expect((await stat(join(folder, files[0] ?? ''))).mode & 0o777).toBe(0o600);
});

test('of a hundred changes at once each version is written by one', async () => {
  const store = fileTokenStore(join(folder, 'counted'));
  const written: number[] = [];
  const writers = Array.from({ length: 10 }, async () => {
    for (let turn = 0; turn < 10; ) {
      const version = (await store.read('k'))?.version ?? 0;
      if (!(await store.compareAndSet('k', version, { version: version + 1 }))) continue;
      written.push(version + 1);
      turn++;
    }
  });
  await Promise.all(writers);
  expect(new Set(written).size).toBe(100);
  // where a version is replaced before its writer looks, the store says that it does not count, and the writer writes another
  expect((await store.read('k'))?.version).toBeGreaterThanOrEqual(100);
});

test('the SQL of the documentation makes a store: of twenty sessions that refresh at once, one does', async () => {
  const [, sql = ''] = /```text\n(-- read.*?)```/s.exec(readPage('sdk')) ?? [];
  const [read = '', insert = '', update = ''] = sql.split(/;\n/);
  const { pool } = app.runtime;
  await pool.query('create table fan_token (key text primary key, version int, value jsonb)');
  const store: TokenStore = {
    read: async (key) => (await pool.query<{ value: StoredTokens }>(read, [key])).rows[0]?.value,
    async compareAndSet(key, expected, next) {
      const value = JSON.stringify(next);
      const written = expected === 0 ? pool.query(insert, [key, value]) : pool.query(update, [key, value, expected]);
      return (await written).rowCount === 1;
    },
  };
  let sent = 0;
  const authServer = openAuthServer({
    ...partner,
    fetch(request) {
      if (request.url.endsWith('/oauth2/token')) sent++;
      return fetch(request);
    },
  });
  const open = () => openSession({ authServer, store, key: 'fan' });
  const tokens = await signedIn();
  await open().begin(tokens);
  const refused = tokens.response.access_token;
  const got = await Promise.all(Array.from({ length: 20 }, () => open().accessToken({ refused })));
  expect(new Set(got).size).toBe(1);
  expect(sent).toBe(1);
  await expectAlive(got[0] ?? '');
});
