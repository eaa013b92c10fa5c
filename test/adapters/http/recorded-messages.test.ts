import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { formsFound } from '../../support/find-in-log.ts';
import {
  authorize,
  authorizeUrl,
  callFan,
  callLogin,
  codeForm,
  obtainCode,
  postForm,
  refreshForm,
  signIn,
} from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

let logged = '';
const logTo = new Writable({
  write(chunk, _, done) {
    logged += String(chunk);
    done();
  },
});
const app = await testApp({ logTo });

interface Row {
  operation: string;
  outcome: string;
  message: string | null;
}

/** The refused requests that some work leaves, oldest first. */
async function refusalsOf(work: () => Promise<unknown>): Promise<Row[]> {
  const from = app.runtime.now();
  await work();
  await app.runtime.activity.flush();
  return app
    .context()
    .em.execute<Row[]>(
      `select operation, outcome, message from api_request where at >= ? and outcome <> 'ok' order by at, id`,
      [from],
    );
}

/** The one refusal that some work leaves, as its message. */
async function messageOf(work: () => Promise<unknown>): Promise<string | null | undefined> {
  const rows = await refusalsOf(work);
  expect(rows).toHaveLength(1);
  return rows[0]?.message;
}

describe('the request log keeps what a refused caller was told', () => {
  it('the token endpoint: error_description', async () => {
    const obtained = await obtainCode(app);
    const wrong = { ...codeForm(obtained), code_verifier: 'v'.repeat(43) };
    expect(await messageOf(() => postForm(app, '/oauth2/token', { ...codeForm(obtained), code: 'ac_none' }))).toBe(
      'code is invalid or expired',
    );
    expect(await messageOf(() => postForm(app, '/oauth2/token', wrong))).toBe('Invalid PKCE code_verifier');
    expect(await messageOf(() => postForm(app, '/oauth2/token', refreshForm(app, 'rt_none')))).toBe(
      'refresh_token is invalid, expired or revoked',
    );
  });

  it('the authorize endpoint: what went back to the app, and what the page said', async () => {
    const { url: redirected } = await authorizeUrl(app, { scope: 'openid all_of_it' });
    expect(await messageOf(() => fetch(redirected, { redirect: 'manual' }))).toBe(
      'scope all_of_it is not allowed for this client',
    );
    const { url: shown } = await authorizeUrl(app, { redirectUri: 'https://elsewhere.example/cb' });
    expect(await messageOf(() => fetch(shown, { redirect: 'manual' }))).toMatch(/redirect_uri/);
  });

  it('the Fan API: message, of each kind of refusal', async () => {
    const { access_token: token } = await signIn(app, { scope: 'openid fan:tickets:read fan:listings:write' });
    const body = JSON.stringify({ type: 'list', transactions: ['01'.repeat(65) + 'aa'.repeat(40)] });
    for (const work of [
      () => callFan(app, '/tickets'),
      () => callFan(app, '/tickets?limit=0', token),
      () => callFan(app, '/claims/execute', token, { method: 'POST', body: '{}' }),
      () => callFan(app, '/authorizations', token, { method: 'POST', body }),
      () => callFan(app, '/authorizations', token, { method: 'POST', body: 'no JSON' }),
      () => callFan(app, '/nowhere', token),
      () => callFan(app, '/tickets', token, { method: 'DELETE' }),
    ]) {
      let answered = '';
      const kept = await messageOf(async () => {
        answered = String((await work()).body.message);
      });
      expect(kept).toBe(answered);
      expect(kept).toMatch(/\S{3}/);
    }
  });

  it('userinfo, the sign-in pages and malformed requests too; nothing where all went well', async () => {
    const started = await authorize(app);
    const rows = await refusalsOf(async () => {
      await fetch(`${app.config.authUrl}/oauth2/userinfo`, { headers: { Authorization: 'Bearer nonsense' } });
      await callLogin(app, started, 'phone.sendCode', { phone: 'nonsense' });
      await callLogin(app, started, 'phone.sendCode', { phone: 5 });
      await fetch(`${app.config.authUrl}/oauth2/userinfo`, { method: 'DELETE' });
      await fetch(`${app.config.authUrl}/oauth2/authorize`, { method: 'PUT' });
    });
    expect(rows.map(({ operation, message }) => [operation, message])).toEqual([
      ['userinfo.read', expect.stringContaining('access token')],
      ['login.phone.sendCode', expect.stringMatching(/\S \S/)],
      ['login.phone.sendCode', expect.stringContaining('phone')],
      ['other', expect.stringContaining('DELETE is not allowed')],
      [expect.any(String), expect.stringContaining('PUT is not allowed')],
    ]);
    const went = await app
      .context()
      .em.execute(`select 1 from api_request where outcome = 'ok' and message is not null`);
    expect(went).toEqual([]);
  });

  it('of what libraries say of an input, which they quote, nothing is kept', async () => {
    const started = await authorize(app);
    const rows = await refusalsOf(async () => {
      await fetch(`${app.config.loginUrl}/trpc/phone.sendCode`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: started.cookie, 'x-session-id': started.sessionId },
        body: '{"phone": 123456 and more',
      });
      await callLogin(app, started, 'no.such.procedure.123456');
    });
    expect(rows.map(({ message }) => message)).toEqual([null, null]);
  });
});

describe('no secret gets into the request log', () => {
  const SECRETS = {
    code: `ac_${randomBytes(32).toString('base64url')}`,
    refresh: `rt_${randomBytes(32).toString('base64url')}`,
    verifier: randomBytes(32).toString('base64url'),
    state: `state-${randomBytes(16).toString('hex')}`,
    client_secret: randomBytes(24).toString('base64'),
    phone: '+4915112345678',
    jwt: `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c3JfMSJ9.${randomBytes(64).toString('base64url')}`,
  };
  const PARAMETERS = [
    'grant_type',
    'client_id',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
    'token',
    'client_secret',
    'state',
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'nonce',
    'mode',
    'prompt',
    'event_id',
    'limit',
    'cursor',
  ];

  it.each(Object.entries(SECRETS))('%s, in whatever place of whatever call', { timeout: 60_000 }, async (_, secret) => {
    const { access_token: token } = await signIn(app);
    const started = await authorize(app);
    const { authUrl, apiUrl, adminUrl } = app.config;
    const post = (url: string, body: string, type = 'application/json', headers: Record<string, string> = {}) =>
      fetch(url, { method: 'POST', headers: { 'content-type': type, ...headers }, body, redirect: 'manual' });
    const form = 'application/x-www-form-urlencoded';
    const rows = await refusalsOf(async () => {
      const valid = codeForm({ ...started, code: 'ac_none' });
      for (const name of [...PARAMETERS, secret]) {
        const value = name === secret ? 'x' : secret;
        for (const base of [valid, refreshForm(app, 'rt_none')]) {
          await post(`${authUrl}/oauth2/token`, `${new URLSearchParams({ ...base, [name]: value })}`, form);
        }
        const twice = new URLSearchParams([...Object.entries(valid), [name, value], [name, value]]);
        await post(`${authUrl}/oauth2/token`, `${twice}`, form);
        await post(`${authUrl}/oauth2/revoke`, `${new URLSearchParams({ [name]: value })}`, form);
        const { url } = await authorizeUrl(app);
        const given = new URL(url);
        given.searchParams.set(name, value);
        await fetch(given, { redirect: 'manual' });
        given.searchParams.append(name, value);
        await fetch(given, { redirect: 'manual' });
        await callFan(app, `/tickets?${new URLSearchParams({ [name]: value })}`, token);
        await callFan(app, `/tickets?${new URLSearchParams({ [`${name}[]`]: value })}`, token);
        await callLogin(app, started, 'phone.sendCode', { [name]: value });
      }
      const path = encodeURIComponent(secret);
      for (const base of [apiUrl, authUrl, app.config.loginUrl, adminUrl]) {
        await fetch(`${base}/${path}`, { method: 'POST' });
        await fetch(`${base}/a/${secret}/b`);
      }
      await fetch(`${authUrl}/oauth2/grants/${path}/receipt`, { headers: { Authorization: `Bearer ${token}` } });
      for (const scheme of ['Bearer', 'Basic', '']) {
        const headers = { Authorization: `${scheme} ${secret}`.trim() };
        await fetch(`${authUrl}/oauth2/userinfo`, { headers });
        await fetch(`${apiUrl}/tickets`, { headers });
        await post(`${authUrl}/oauth2/token`, `${new URLSearchParams(valid)}`, form, headers);
      }
      for (const body of [{ type: secret }, { [secret]: 1 }, { type: 'list', transactions: [secret] }, secret]) {
        await callFan(app, '/authorizations', token, { method: 'POST', body: JSON.stringify(body) });
      }
      await callFan(app, '/claims/execute', token, {
        method: 'POST',
        body: JSON.stringify({ tickets: [{ tx: secret }, { [secret]: secret }] }),
      });
      await callFan(app, '/claims/execute', token, { method: 'POST', body: `{"tickets": ${secret}` });
      await callLogin(app, started, 'phone.verifyCode', { code: secret });
      await callLogin(app, started, encodeURIComponent(secret));
      await post(`${adminUrl}/graphql`, JSON.stringify({ query: `{ ${secret} }` }), 'application/json', {
        Authorization: `Bearer ${secret}`,
      });
    });
    expect(rows.length).toBeGreaterThan(100);

    const [dump] = await app
      .context()
      .em.execute<{ text: string }[]>(`select string_agg(r::text, ' ') as text from api_request r`);
    const core = secret.replace(/^\+/, '');
    for (const part of [core, encodeURIComponent(secret), core.slice(0, 12), core.slice(-10)]) {
      expect(dump?.text).not.toContain(part);
    }
    expect(formsFound(logged, core)).toEqual([]);
  });
});
