import { expect, it } from 'vitest';
import {
  authorize,
  callFan,
  callLogin,
  codeForm,
  consent,
  postForm,
  type Started,
  verifyPhone,
} from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

// two names of one machine: cookies of the one do not reach the other
const app = await testApp({ env: (port) => ({ LOGIN_URL: `http://127.0.0.1:${port}/login` }) });

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
  const tokens = await postForm(app, '/oauth2/token', codeForm({ ...there, code }));
  expect(tokens.status).toBe(200);
  expect((await callFan(app, '/tickets', String(tokens.body.access_token))).status).toBe(200);
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
