import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { sendAuthorize } from '../../adapters/oauth/send-authorize.ts';
import { freezeClock } from '../../support/freeze-clock.ts';
import { makeClient } from '../../support/make-client.ts';
import { authorize, callLogin, consent, login, obtainCode, signIn, verifyPhone } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

describe('spec §5.3: the authorization session', () => {
  it('sends the browser to {login_url}?session_id=…&client_name=…, and nothing else', async () => {
    const clientId = await makeClient(app, { name: 'Ärzte & Söhne + 100%' });
    const answer = await sendAuthorize(app, { clientId });
    expect(answer.status).toBe(302);
    const [page, query] = (answer.location ?? '').split('?');
    expect(page).toBe(app.config.loginUrl);
    expect(query).toMatch(/^session_id=sess_[0-9a-z]{26}&client_name=[^&]+$/);
    expect(answer.query.client_name).toBe('Ärzte & Söhne + 100%');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('a request that is sent twice begins two sessions', async () => {
    const [one, two] = [await sendAuthorize(app), await sendAuthorize(app)];
    expect(one.query.session_id).not.toBe(two.query.session_id);
  });
});

describe('D-028 authorization session: bound to the browser that began it', () => {
  it('the cookie on http is HttpOnly, SameSite=Lax, for the whole host, without Secure', async () => {
    const [cookie, ...more] = (await sendAuthorize(app)).headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^fan_browser=br_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('a cookie that the browser has is kept; one that is not ours is replaced', async () => {
    const first = await authorize(app);
    expect((await authorize(app, {}, first.cookie)).cookie).toBe(first.cookie);
    for (const planted of ['fan_browser=br_short', 'fan_browser=x', `fan_browser=${'A'.repeat(46)}`]) {
      const { cookie } = await authorize(app, {}, planted);
      expect(cookie).toMatch(/^fan_browser=br_[\w-]{43}$/);
    }
  });

  it('only a hash of the cookie is stored', async () => {
    const { cookie, sessionId } = await authorize(app);
    const session = await app.context().em.findOneOrFail(AuthorizationSession, { id: knownId('sess', sessionId) });
    expect(JSON.stringify(session)).not.toContain(cookie.split('=')[1]);
  });

  it.each(['session.get', 'phone.sendCode', 'consent.options', 'consent.deny'])(
    'a session link opened in another browser: %s is refused',
    async (procedure) => {
      const { sessionId } = await authorize(app);
      const stranger = await authorize(app);
      const input = procedure === 'phone.sendCode' ? { phone: app.kit.test_users[0]?.phone } : undefined;
      for (const cookie of [stranger.cookie, '']) {
        const { error } = await callLogin(app, { sessionId, cookie }, procedure, input);
        expect(error?.data.reason).toBe('session_elsewhere');
      }
    },
  );

  it('a stranger can not take over a session whose phone is verified', async () => {
    const started = await authorize(app);
    await verifyPhone(app, started);
    const { cookie } = await authorize(app);
    const input = { actions: [], mode: 'all_current_future', ticketIds: [] };
    const { error } = await callLogin(app, { ...started, cookie }, 'consent.grant', input);
    expect(error?.data.reason).toBe('session_elsewhere');
  });

  it('two tabs of one browser sign in side by side', async () => {
    const one = await authorize(app);
    const two = await authorize(app, {}, one.cookie);
    await verifyPhone(app, one);
    await verifyPhone(app, two);
    expect((await consent(app, one)).searchParams.get('state')).toBe(one.state);
    expect((await consent(app, two)).searchParams.get('state')).toBe(two.state);
  });

  it('lives ten minutes', async () => {
    const clock = freezeClock(app);
    const started = await authorize(app);
    clock.pass(599);
    await login(app, started, 'session.get');
    clock.pass(1);
    const { error } = await callLogin(app, started, 'session.get');
    clock.release();
    expect(error?.data.reason).toBe('session_expired');
  });
});

describe('D-037 prompt, max_age, … and unknown ones: no error', () => {
  it.each([
    ['prompt', 'login'],
    ['prompt', 'consent'],
    ['prompt', 'select_account login'],
    ['prompt', 'create'],
    ['max_age', '0'],
    ['max_age', 'x'],
    ['ui_locales', 'de-AT en'],
    ['display', 'popup'],
    ['acr_values', 'gold'],
    ['claims', '{"userinfo":{}}'],
    ['response_mode', 'query'],
    ['id_token_hint', 'x.y.z'],
    ['resource', 'https://api.example.com'],
    ['something_unknown', '\0'],
    ['login_hint', 'x'.repeat(5000)],
    ['nonce', ''],
    ['nonce', 'n'.repeat(1024)],
  ])('%s=%j', async (name, value) => {
    expect((await sendAuthorize(app, { parameters: { [name]: value } })).query.session_id).toMatch(/^sess_/);
  });

  it('prompt=none is login_required; with another prompt it is invalid_request (OIDC Core §3.1.2.1)', async () => {
    expect((await sendAuthorize(app, { parameters: { prompt: 'none' } })).query.error).toBe('login_required');
    expect((await sendAuthorize(app, { parameters: { prompt: 'none login' } })).query.error).toBe('invalid_request');
  });

  it('login_hint is what the login page offers as phone number', async () => {
    const started = await authorize(app, { parameters: { login_hint: '+1 202 555 0142' } });
    expect((await login(app, started, 'session.get')).loginHint).toBe('+1 202 555 0142');
  });

  it.each([
    ['more than 1,024 characters', 'n'.repeat(1025)],
    ['a NUL', 'n\0'],
  ])('a nonce of %s can not be given back: invalid_request', async (_, nonce) => {
    const { query } = await sendAuthorize(app, { parameters: { nonce } });
    expect(query.error_description).toMatch(/^nonce/);
  });

  it('every authorization verifies the fan anew: a second one begins with the phone again', async () => {
    const first = await obtainCode(app);
    const second = await authorize(app, {}, first.cookie);
    expect((await login(app, second, 'session.get')).step).toBe('phone');
    expect((await callLogin(app, second, 'consent.options')).error?.data.reason).toBe('wrong_step');
  });
});

describe('D-025 mode: the registration wins', () => {
  it.each(['sandbox', 'production'])(
    'mode=%s is accepted; the tokens of a sandbox client say sandbox',
    async (mode) => {
      const tokens = await signIn(app, { parameters: { mode } });
      expect([tokens.mode, decodeJwt(tokens.access_token).mode]).toEqual(['sandbox', 'sandbox']);
    },
  );

  it.each([' ', 'Sandbox', 'test', 'sandbox '])('mode=%j: invalid_request', async (mode) => {
    const { query } = await sendAuthorize(app, { parameters: { mode } });
    expect(query.error_description).toBe('mode must be sandbox or production');
  });
});

it('D-048 limits and libraries: a sandbox test user bears 100 sign-ins in five minutes', async () => {
  for (let batch = 0; batch < 20; batch += 1) {
    // verifyPhone fails where a code is refused or can't be sent
    await Promise.all(Array.from({ length: 5 }, async () => verifyPhone(app, await authorize(app))));
  }
  await obtainCode(app);
}, 120_000);
