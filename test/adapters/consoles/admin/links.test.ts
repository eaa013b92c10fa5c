import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { consoleAddress } from '../../../../adapters/process/starter-kit-file.ts';
import { AccountLink } from '../../../../src/entities/account.ts';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { Staff } from '../../../../src/entities/staff.ts';
import { FRESH_SIGN_IN } from '../../../../src/partners/rights.ts';
import { rowsOf } from '../../../../src/people/account/account.ts';
import { findSession } from '../../../../src/people/account/find-session.ts';
import { findLocalAdmin, inviteStaff, makeLink, makeLocalAdminLink } from '../../../../src/people/staff/make-link.ts';
import { disableStaff } from '../../../../src/people/staff/manage-staff.ts';
import { lookAtLink, useLink } from '../../../../src/people/staff/use-link.ts';
import { after } from '../../../../src/platform/time.ts';
import { startApp } from '../../../support/start-app.ts';
import { testApp } from '../../../support/test-app.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';
import { openStaffBrowser, pressButton, type StaffBrowser } from './staff-browser.ts';

const app = await testApp();

const auth = `${app.config.adminUrl}/auth`;
const printed: string[] = [];

app.runtime.log = pino({
  hooks: {
    logMethod([fields]) {
      const { link } = fields as unknown as { link?: string };
      if (link !== undefined) printed.push(link);
    },
  },
});

async function openLink(browser: StaffBrowser, link: string, origin?: string): Promise<Response> {
  return pressButton(browser, link, await browser.open(link), origin);
}

const secretOf = (browser: StaffBrowser) => browser.cookie(auth, 'fan_staff') ?? '';

function staffIn(browser: StaffBrowser) {
  return findSession(app.context(), secretOf(browser));
}

const PROVIDER = {
  issuer: 'https://id.example',
  clientId: 'x',
  clientSecret: undefined,
  groupsClaim: 'groups',
  roleGroups: { support: [], reviewer: [], admin: ['boss'] },
};

const REFUSAL = { code: 'invalid_request' };

describe('the embedded default: one-time sign-in links', () => {
  it('the start prints one for the local admin; looking at it spends nothing, the button signs in with a fresh sign-in', async () => {
    const link = (await consoleAddress(app.runtime)) ?? '';
    const browser = openStaffBrowser();
    for (let looks = 0; looks < 3; looks++) expect((await browser.open(link)).status).toBe(200);
    const answer = await openLink(browser, link);
    expect([answer.status, answer.headers.get('location')]).toEqual([302, app.config.adminUrl]);
    // on http: without what needs https
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^fan_staff=ss_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect(await staffIn(browser)).toMatchObject({ name: 'Local admin', role: 'admin', scopes: null });
    const { authenticatedAt } = (await staffIn(browser)) ?? {};
    expect(Date.now() - (authenticatedAt?.getTime() ?? 0)).toBeLessThan(10_000);
  });

  it('of many uses at once one signs in', async () => {
    const { url } = await makeLocalAdminLink(app.context());
    const browsers = Array.from({ length: 8 }, openStaffBrowser);
    const pages = await Promise.all(browsers.map((browser) => browser.open(url)));
    const press = (browser: StaffBrowser, at: number) => pressButton(browser, url, pages[at] ?? new Response());
    const answers = await Promise.all(browsers.map(press));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(7).fill(400)]);
    expect((await openStaffBrowser().open(url)).status).toBe(400);
  });

  it('is too late after fifteen minutes, and a wrong link gets the same answer', async () => {
    const { url } = await makeLocalAdminLink(app.context());
    app.advance(901);
    const answers = await Promise.all([url, `${auth}/link?secret=sl_x`].map((link) => openStaffBrowser().open(link)));
    app.resetClock();
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('already used, is older than 15 minutes or is incomplete');
    }
  });

  it('sent by a page of another site signs nobody in', async () => {
    const { url } = await makeLocalAdminLink(app.context());
    const browser = openStaffBrowser();
    for (const origin of ['https://evil.example', 'null']) {
      expect((await openLink(browser, url, origin)).status).toBe(403);
    }
    expect((await openLink(browser, url)).status).toBe(302);
  });

  it('the page has no script, and tells its form where it may go', async () => {
    const { url } = await makeLocalAdminLink(app.context());
    const { headers } = await openStaffBrowser().open(url);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/,
    );
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['same-origin', 'no-store']);
  });

  it('somebody without a link can have one printed; somebody signed in gets one of their own, to step up', async () => {
    const browser = openStaffBrowser();
    const page = await browser.open(`${auth}/sign-in`);
    expect(await (await pressButton(browser, `${auth}/sign-in`, page)).text()).toContain(
      'sign-in link for Local admin',
    );
    const { url } = await inviteStaff(app.context(), { name: 'Second person', role: 'reviewer' }, 'staff:stf_test');
    await openLink(browser, url);
    const before = browser.cookie(auth, 'fan_staff') ?? '';
    const asked = await browser.open(`${auth}/step-up`);
    expect(await (await pressButton(browser, `${auth}/step-up`, asked)).text()).toContain(
      'sign-in link for Second person',
    );
    expect(printed).toHaveLength(2);
    await openLink(browser, printed[1] ?? '');
    expect(await staffIn(browser)).toMatchObject({ name: 'Second person', role: 'reviewer' });
    expect(await findSession(app.context(), before)).toBeUndefined();
  });

  it('no more than six are printed in a minute', async () => {
    const browser = openStaffBrowser();
    const origin = app.origin;
    const ask = () => browser.open(`${auth}/new-link`, { method: 'POST', headers: { origin } });
    let refused: Response | undefined;
    for (let asked = 0; asked < 7 && !refused; asked++) {
      const answer = await ask();
      if (answer.status !== 200) refused = answer;
    }
    expect([refused?.status, Number(refused?.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });

  it('a disabled person’s links are void; the local admin and oneself can’t be disabled', async () => {
    const { url, staffId } = await inviteStaff(app.context(), { name: 'Third', role: 'support' }, 'staff:stf_test');
    await disableStaff(app.context(), staffId, 'left', 'staff:stf_test');
    expect((await openStaffBrowser().open(url)).status).toBe(400);
    const conflict = { code: 'conflict' };
    await expect(makeLink(app.context(), staffId, 'staff:stf_test')).rejects.toMatchObject(conflict);
    await expect(disableStaff(app.context(), staffId, 'again', 'staff:stf_test')).rejects.toMatchObject(conflict);
    await expect(disableStaff(app.context(), staffId, 'x', `staff:${staffId}`)).rejects.toMatchObject(conflict);
    const admin = await findLocalAdmin(app.context());
    await expect(disableStaff(app.context(), admin.id, 'x', 'staff:stf_test')).rejects.toMatchObject(conflict);
  });

  it('a link that is used while its person is being disabled signs nobody in, and does not keep that from happening', async () => {
    const { url, staffId } = await inviteStaff(app.context(), { name: 'Fourth', role: 'support' }, 'staff:stf_test');
    const secret = new URL(url).searchParams.get('secret') ?? '';
    let use: Promise<unknown> = Promise.resolve();
    // in the order of `disableStaff`, with a use in between
    await app.context().em.transactional(async (em) => {
      await em.nativeUpdate(Staff, { id: staffId }, { disabledAt: app.runtime.now() });
      use = useLink(app.context(), secret, undefined).catch(({ code }) => code);
      await expect.poll(() => waitingForALock(app)).toBe(1);
      await em.nativeDelete(AccountLink, rowsOf(staffId));
    });
    expect(await use).toBe('invalid_request');
  });

  it.each<[string, Partial<Staff>, number]>([
    ['that has expired', {}, -1],
    ['of somebody who is disabled', { disabledAt: new Date() }, 60],
    ['of somebody who comes from a provider', { issuer: 'https://id.example' }, 60],
  ])('a link %s is neither shown nor taken, whoever left it there', async (_, person, seconds) => {
    const { staffId, url } = await inviteStaff(app.context(), { name: crypto.randomUUID(), role: 'admin' }, 'system');
    const { em, now } = app.context();
    await em.nativeUpdate(Staff, { id: staffId }, person);
    await em.nativeUpdate(AccountLink, rowsOf(staffId), { expiresAt: after(now(), seconds) });
    const secret = new URL(url).searchParams.get('secret') ?? '';
    await expect(lookAtLink(app.context(), secret)).rejects.toMatchObject(REFUSAL);
    await expect(useLink(app.context(), secret, undefined)).rejects.toMatchObject(REFUSAL);
  });

  it('once a provider is configured, no earlier link is shown or accepted', async () => {
    const { url } = await makeLocalAdminLink(app.context());
    const secret = new URL(url).searchParams.get('secret') ?? '';
    const context = { ...app.context(), config: { ...app.config, staffProvider: PROVIDER } };
    await expect(lookAtLink(context, secret)).rejects.toMatchObject(REFUSAL);
    await expect(useLink(context, secret, undefined)).rejects.toMatchObject(REFUSAL);
    expect(await lookAtLink(app.context(), secret)).toMatchObject({ name: 'Local admin' });
  });

  it('two members of staff cannot have one name', async () => {
    await inviteStaff(app.context(), { name: 'Once', role: 'support' }, 'staff:stf_test');
    const again = inviteStaff(app.context(), { name: ' Once ', role: 'support' }, 'staff:stf_test');
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });
});

it('the cookie on https: __Host-, Secure, HttpOnly, SameSite=Lax, the whole host', async () => {
  const host = 'https://console.example';
  const secure = await startApp({
    databaseUrl: app.config.databaseUrl ?? '',
    env: { AUTH_URL: host, API_URL: `${host}/fan`, LOGIN_URL: `${host}/login`, ADMIN_URL: `${host}/admin` },
  });
  const { url } = await makeLocalAdminLink(secure.context());
  const body = new URLSearchParams({ secret: new URL(url).searchParams.get('secret') ?? '' });
  const answer = await fetch(`${secure.origin}/admin/auth/link`, {
    method: 'POST',
    body,
    headers: { origin: host },
    redirect: 'manual',
  });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-fan_staff=ss_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ]);
  await secure.stop();
});

describe('on the embedded default a press confirms the person', () => {
  const { config } = app.runtime;
  const usual = { ...config };

  afterEach(() => {
    Object.assign(config, usual);
    app.resetClock();
  });

  /** As after `npm start` without configuration: the tests' own database stands in for the embedded one. */
  const asEmbedded = () => Object.assign(config, { databaseUrl: undefined });

  async function signedIn(): Promise<StaffBrowser> {
    const browser = openStaffBrowser();
    const { url } = await makeLocalAdminLink(app.context());
    await openLink(browser, url);
    return browser;
  }

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
    const staff = await staffIn(browser);
    return staff?.authenticatedAt != null && app.runtime.now().getTime() - staff.authenticatedAt.getTime() < 1_000;
  }

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
      app.context().em.execute('select expires_at from account_session order by created_at desc limit 1');
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

  it.each([
    ['with DATABASE_URL', { databaseUrl: 'postgres://db.example/fans' }],
    ['with NODE_ENV=production', { production: true }],
    ['with a sign-in service', { staffProvider: PROVIDER }],
    ['behind a proxy', { trustedProxies: 1 }],
    ['under a public address', { adminUrl: 'https://console.example/admin' }],
  ])('%s it is refused', async (_, changes) => {
    asEmbedded();
    const browser = await signedIn();
    Object.assign(config, changes);
    expect(await confirmBy(browser, { host: new URL(config.adminUrl).host })).toBe(403);
    Object.assign(config, usual);
    expect(await staffIn(browser)).toBeDefined();
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
