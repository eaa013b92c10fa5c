import { describe, expect, it } from 'vitest';
import {
  authorize,
  authorizeUrl,
  callFan,
  callLogin,
  consent,
  exchange,
  type Started,
  verifyPhone,
} from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

/** The service behind a proxy that speaks https, the issuer with a path of its own. */
const HOST = 'https://id.example.com';
const AUTH_URL = `${HOST}/fan-id`;
const behindProxy = await testApp({
  env: { AUTH_URL, API_URL: `${HOST}/fan`, LOGIN_URL: `${HOST}/login`, ADMIN_URL: `${HOST}/admin` },
});
// two names of one machine: cookies of the one do not reach the other
const app = await testApp({ env: (port) => ({ LOGIN_URL: `http://127.0.0.1:${port}/login` }) });

describe('an issuer with a path of its own: addresses come from the configuration, never from the request', () => {
  /** A request as the proxy forwards it. */
  function forwarded(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${behindProxy.origin}${path}`, { redirect: 'manual', headers });
  }

  it('every endpoint is under the path of the issuer', async () => {
    const answer = await forwarded('/fan-id/.well-known/openid-configuration', {
      'x-forwarded-host': 'evil.example.com',
      'x-forwarded-proto': 'ftp',
    });
    const metadata = (await answer.json()) as Record<string, unknown>;
    expect(metadata.issuer).toBe(AUTH_URL);
    for (const [key, value] of Object.entries(metadata)) {
      if (key.endsWith('_endpoint') || key === 'jwks_uri') expect(value).toMatch(`${AUTH_URL}/`);
    }
    expect((await forwarded('/fan-id/.well-known/jwks.json')).status).toBe(200);
    expect((await forwarded('/fan-id/oauth2/userinfo')).status).toBe(401);
  });

  it('RFC 8414 §3.1: the metadata is at the well-known path followed by the path of the issuer', async () => {
    const answer = await forwarded('/.well-known/oauth-authorization-server/fan-id', {
      origin: 'https://any.example',
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const openid = await forwarded('/fan-id/.well-known/openid-configuration');
    expect(await answer.json()).toEqual(await openid.json());
    const known = '/.well-known/oauth-authorization-server';
    const nothing = [known, `/fan-id${known}`, `${known}/other`, `${known}/fan-id/more`];
    // nor at the root of the host
    for (const path of [...nothing, '/.well-known/openid-configuration', '/oauth2/userinfo'])
      expect((await forwarded(path)).status, path).toBe(404);
  });

  it('the start page is at the issuer and at the root of the host, for people only', async () => {
    for (const path of ['/', '/fan-id', '/fan-id/']) {
      const page = await forwarded(path, { accept: 'text/html' });
      expect(page.status, path).toBe(200);
      expect(await page.text()).toContain(`${AUTH_URL}/.well-known/openid-configuration`);
      expect((await forwarded(path)).status, path).toBe(404);
    }
    const unknown = await forwarded('/nothing', { accept: 'text/html' });
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toContain(`href="${AUTH_URL}/"`);
  });

  it('spec §5.3: the login page is the configured one; the cookie on https is __Host-, Secure, HttpOnly, SameSite=Lax, for the whole host, until the browser closes', async () => {
    const { url } = await authorizeUrl(behindProxy);
    const { headers } = await forwarded(`${url.pathname}${url.search}`);
    expect(headers.get('location')).toMatch(/^https:\/\/id\.example\.com\/login\?session_id=/);
    const [cookie, ...more] = headers.getSetCookie();
    expect(more).toEqual([]);
    const [pair, ...attributes] = (cookie ?? '').split('; ');
    expect(pair).toMatch(/^__Host-fan_browser=br_[\w-]{43}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
  });
});

describe('login pages on another host', () => {
  /** Follows the links of the login page as a browser does, with a cookie jar per host. @returns the page's last answer */
  async function openLoginPage(started: Started, issuerCookie: string | undefined) {
    let address = `${app.config.loginUrl}?session_id=${started.sessionId}&client_name=Front%20Row`;
    const jar = new Map<string, string>(issuerCookie === undefined ? [] : [['localhost', issuerCookie]]);
    const visited: string[] = [];
    for (let hop = 0; hop < 6; hop++) {
      const { hostname, pathname } = new URL(address);
      visited.push(`${hostname}${pathname}`);
      const answer = await fetch(address, { redirect: 'manual', headers: { cookie: jar.get(hostname) ?? '' } });
      const [cookie] = answer.headers.getSetCookie();
      if (cookie) jar.set(hostname, cookie.split(';')[0] ?? '');
      const location = answer.headers.get('location');
      if (location === null) return { status: answer.status, visited, cookie: jar.get('127.0.0.1') ?? '' };
      address = location;
    }
    throw new Error(`no end of redirects: ${visited.join(' -> ')}`);
  }

  it('D-029 addresses: login pages on another host take the session over, and the whole flow works there', async () => {
    const started = await authorize(app);
    const page = await openLoginPage(started, started.cookie);
    expect(page.status).toBe(200);
    expect(page.visited).toEqual(['127.0.0.1/login', 'localhost/oauth2/hand-over', '127.0.0.1/login']);
    const there = { ...started, cookie: page.cookie };
    await verifyPhone(app, there);
    const callback = await consent(app, there);
    const code = callback.searchParams.get('code') ?? '';
    const tokens = await exchange(app, { ...there, code });
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
  });

  it('a link opened in a browser that did not begin the session is not taken over: the page opens once and is refused', async () => {
    const started = await authorize(app);
    const page = await openLoginPage(started, undefined);
    expect(page.status).toBe(200);
    const { error } = await callLogin(app, { ...started, cookie: page.cookie }, 'session.get');
    expect(error?.data.reason).toBe('session_elsewhere');
    // and the browser that began it still can
    const own = await openLoginPage(started, started.cookie);
    expect((await callLogin(app, { ...started, cookie: own.cookie }, 'session.get')).data?.step).toBe('phone');
  });

  it('once the session is under way it can not be handed over again', async () => {
    const started = await authorize(app);
    const page = await openLoginPage(started, started.cookie);
    const there = { ...started, cookie: page.cookie };
    await verifyPhone(app, there);
    const other = await openLoginPage(started, started.cookie);
    expect((await callLogin(app, { ...started, cookie: other.cookie }, 'session.get')).error?.data.reason).toBe(
      'session_elsewhere',
    );
    expect((await callLogin(app, there, 'session.get')).data?.step).toBe('consent');
  });
});
