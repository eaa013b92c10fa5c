import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorizeUrl } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

/** The service behind a proxy that speaks https, the issuer with a path of its own. */
const AUTH_URL = 'https://id.example.com/fan-id';
let app: TestApp;
beforeAll(async () => {
  const origin = 'https://id.example.com';
  app = await startApp({
    env: { AUTH_URL, API_URL: `${origin}/fan`, LOGIN_URL: `${origin}/login`, ADMIN_URL: `${origin}/admin` },
  });
});
afterAll(() => app.stop());

/** A request as the proxy forwards it. */
function forwarded(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${app.origin}${path}`, { redirect: 'manual', headers });
}

async function authorizeAtProxy(cookie?: string): Promise<Response> {
  const { url } = await authorizeUrl(app);
  return forwarded(`${url.pathname}${url.search}`, cookie === undefined ? {} : { cookie });
}

describe('D-001 addresses: they come from the configuration, never from the request', () => {
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

  it('RFC 8414 §3.1: the metadata is where the well-known path stands before the path of the issuer', async () => {
    const answer = await forwarded('/.well-known/oauth-authorization-server/fan-id', { origin: 'https://any.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const openid = await forwarded('/fan-id/.well-known/openid-configuration');
    expect(await answer.json()).toEqual(await openid.json());
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/fan-id/.well-known/oauth-authorization-server',
      '/.well-known/oauth-authorization-server/other',
      '/.well-known/oauth-authorization-server/fan-id/more',
    ]) {
      expect((await forwarded(path)).status, path).toBe(404);
    }
  });

  it('there is nothing at the root of the host', async () => {
    expect((await forwarded('/.well-known/openid-configuration')).status).toBe(404);
    expect((await forwarded('/oauth2/userinfo')).status).toBe(404);
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

  it('spec §5.3: the login page is the configured one', async () => {
    const location = new URL((await authorizeAtProxy()).headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe('https://id.example.com/login');
    expect([...location.searchParams.keys()]).toEqual(['session_id', 'client_name']);
    expect(location.searchParams.get('client_name')).toBe('Front Row');
  });
});

describe('D-028 authorization session: the cookie on https', () => {
  it('is __Host-, Secure, HttpOnly, SameSite=Lax, for the whole host, until the browser closes', async () => {
    const [cookie, ...more] = (await authorizeAtProxy()).headers.getSetCookie();
    expect(more).toEqual([]);
    const [pair, ...attributes] = (cookie ?? '').split('; ');
    expect(pair).toMatch(/^__Host-fan_browser=br_[\w-]{43}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  it('is kept when the browser has it, so that two tabs can sign in at once', async () => {
    const [cookie] = (await authorizeAtProxy()).headers.getSetCookie();
    const pair = cookie?.split(';')[0] ?? '';
    const [again] = (await authorizeAtProxy(pair)).headers.getSetCookie();
    expect(again?.split(';')[0]).toBe(pair);
  });

  it('the name without __Host-, which a sibling host could set, counts for nothing', async () => {
    const planted = `br_${'A'.repeat(43)}`;
    const [cookie] = (await authorizeAtProxy(`fan_browser=${planted}`)).headers.getSetCookie();
    expect(cookie).not.toContain(planted);
  });
});
