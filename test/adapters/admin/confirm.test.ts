import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { findSession } from '../../../src/staff/find-session.ts';
import { makeLocalAdminLink } from '../../../src/staff/make-link.ts';
import { FRESH_SIGN_IN } from '../../../src/staff/rights.ts';
import { testApp } from '../../support/test-app.ts';
import { openStaffBrowser, pressButton, type StaffBrowser } from './staff-browser.ts';

const app = await testApp();
const { config } = app.runtime;
const usual = { ...config };
afterEach(() => {
  Object.assign(config, usual);
  app.resetClock();
});
const auth = `${config.adminUrl}/auth`;

/** As after `npm start` without configuration: the tests' own database stands in for the embedded one. */
const asEmbedded = () => Object.assign(config, { databaseUrl: undefined });

async function signedIn(): Promise<StaffBrowser> {
  const browser = openStaffBrowser();
  const { url } = await makeLocalAdminLink(app.context());
  await pressButton(browser, url, await browser.open(url));
  return browser;
}

const secretOf = (browser: StaffBrowser) => browser.cookie(auth, 'fan_staff') ?? '';
const confirm = (browser: StaffBrowser, headers: Record<string, string> = {}) =>
  browser.open(`${auth}/confirm`, { method: 'POST', headers: { origin: app.origin, ...headers } });

/** A call to another address of this machine, or with headers that `fetch` does not let through. */
function confirmBy(browser: StaffBrowser, options: { address?: string; host?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(auth);
    const headers = { cookie: `fan_staff=${secretOf(browser)}`, host: options.host ?? host };
    const call = request(
      { host: options.address ?? hostname, port, path: new URL(`${auth}/confirm`).pathname, method: 'POST', headers },
      ({ statusCode = 0 }) => resolve(statusCode),
    );
    call.on('error', reject).end();
  });
}

async function isFresh(browser: StaffBrowser): Promise<boolean> {
  const staff = await findSession(app.context(), secretOf(browser));
  return staff?.authenticatedAt != null && app.runtime.now().getTime() - staff.authenticatedAt.getTime() < 1_000;
}

describe('D-171: on the embedded default a press confirms the person', () => {
  it('the sign-in is fresh again, under a new secret; the old one opens nothing, and the audit log says how', async () => {
    asEmbedded();
    const browser = await signedIn();
    const before = secretOf(browser);
    app.advance(FRESH_SIGN_IN + 1);
    expect(await isFresh(browser)).toBe(false);

    expect((await confirm(browser)).status).toBe(204);
    expect(await isFresh(browser)).toBe(true);
    expect(await findSession(app.context(), before)).toBeUndefined();
    const [entry] = await app.context().em.find(AuditEntry, {}, { orderBy: { id: 'desc' }, limit: 1 });
    expect(entry).toMatchObject({
      action: 'staff.signed_in',
      details: { via: 'this_machine', role: 'admin', stepUp: true },
    });
  });

  it('of many presses at once one counts, and none makes the session longer', async () => {
    asEmbedded();
    const browser = await signedIn();
    const endsOf = () =>
      app.context().em.execute('select expires_at from staff_session order by created_at desc limit 1');
    const ends = await endsOf();
    const secret = secretOf(browser);
    const answers = await Promise.all(Array.from({ length: 6 }, () => confirmBy(browser, {})));
    expect(answers.toSorted()).toEqual([204, ...Array(5).fill(401)]);
    expect(await findSession(app.context(), secret)).toBeUndefined();
    expect(await endsOf()).toEqual(ends);
  });

  it('without a live session there is nobody to confirm', async () => {
    asEmbedded();
    expect((await confirm(openStaffBrowser())).status).toBe(401);
    const browser = await signedIn();
    app.advance(31 * 60);
    expect((await confirm(browser)).status).toBe(401);
  });

  const provider = {
    issuer: 'https://id.example',
    clientId: 'x',
    clientSecret: undefined,
    groupsClaim: 'groups',
    roleGroups: { support: [], reviewer: [], admin: ['boss'] },
  };
  it.each([
    ['with DATABASE_URL', { databaseUrl: 'postgres://db.example/fans' }],
    ['with NODE_ENV=production', { production: true }],
    ['with a sign-in service', { staffProvider: provider }],
    ['behind a proxy', { trustedProxies: 1 }],
    ['under a public address', { adminUrl: 'https://console.example/admin' }],
  ])('%s it is refused', async (_, changes) => {
    asEmbedded();
    const browser = await signedIn();
    Object.assign(config, changes);
    expect(await confirmBy(browser, { host: new URL(config.adminUrl).host })).toBe(403);
    Object.assign(config, usual);
    expect(await findSession(app.context(), secretOf(browser))).toBeDefined();
  });

  it.each(['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Via'])(
    'a call with the header %s came through a proxy, and is refused',
    async (name) => {
      asEmbedded();
      expect((await confirm(await signedIn(), { [name]: '127.0.0.1' })).status).toBe(403);
    },
  );

  it('a call from another site, by another name of the machine or over another interface is refused', async () => {
    asEmbedded();
    const browser = await signedIn();
    expect((await confirm(browser, { origin: 'http://localhost:1' })).status).toBe(403);
    expect(await confirmBy(browser, { host: 'rebound.example' })).toBe(403);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4')?.address;
    if (outside !== undefined) expect(await confirmBy(browser, { address: outside })).toBe(403);
  });
});
