import { afterEach, describe, expect, it } from 'vitest';
import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { authorize, callLogin, consent, login, type Started, verifyPhone } from '../../../support/partner.ts';
import { challengeOf } from '../../../support/phone-challenge.ts';
import { UNEXPECTED_PROVIDER } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { expectRefused, otherThan, type Step, sessionAt, testUser, verified } from './login-calls.ts';

const app = await testApp();
// spec §5.6: in sandbox no SMS is sent
app.runtime.verification = UNEXPECTED_PROVIDER;
afterEach(() => app.resetClock());

const PROCEDURES: [procedure: string, input: object | undefined][] = [
  ['session.get', undefined],
  ['phone.sendCode', { phone: '+12025550142' }],
  ['phone.verifyCode', { code: '123456' }],
  ['phone.change', undefined],
  ['consent.options', undefined],
  ['consent.grant', { actions: [], mode: 'all_current_future', ticketIds: [] }],
  ['consent.deny', undefined],
];

async function step(session: Pick<Started, 'cookie' | 'sessionId'>) {
  return (await login<{ step: string }>(app, session, 'session.get')).step;
}

it('a number with 00 and a code in Arabic digits are read, as rows and other pages read them', async () => {
  const user = testUser(app);
  const started = await authorize(app);
  const code = user.code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
  await verifyPhone(app, started, { phone: user.phone.replace('+', '00'), code });
  expect(await step(started)).toBe('consent');
});

describe('session.get', () => {
  it('says what the page shows, and nothing secret', async () => {
    const started = await authorize(app, {
      parameters: { login_hint: '+1 202 555 0100', ui_locales: 'de en' },
    });
    const session = await login(app, started, 'session.get');
    expect(session).toEqual({
      sessionId: started.sessionId,
      step: 'phone',
      clientName: 'Front Row',
      partnerName: 'Front Row',
      privacyUrl: null,
      logo: null,
      mode: 'sandbox',
      loginHint: '+1 202 555 0100',
      uiLocales: 'de en',
      phone: null,
      unprovedSince: null,
      offersPasskey: false,
      signsInByPasskey: false,
      verifiedAt: null,
      portalUrl: `${app.config.loginUrl}/apps`,
      resendAt: null,
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      returnTo: expect.stringContaining(`${started.redirectUri}?error=access_denied`),
      triesLeft: 5,
    });
    expect(new URL(String(session.returnTo)).searchParams.get('state')).toBe(started.state);
    const lifetime = Date.parse(String(session.expiresAt)) - Date.now();
    expect(lifetime).toBeGreaterThan(595_000);
    expect(lifetime).toBeLessThanOrEqual(600_000);
  });

  it('after a reload says where the fan is, with the number masked', async () => {
    const started = await authorize(app);
    await login(app, started, 'phone.sendCode', { phone: testUser(app).phone });
    const session = await login(app, started, 'session.get');
    expect(session.step).toBe('code');
    expect(session.phone).toBe(`+1 ••• ••• ${testUser(app).phone.slice(-4)}`);
    expect(session.verifiedAt).toBeNull();
    await login(app, started, 'phone.verifyCode', { code: testUser(app).code });
    expect(await login(app, started, 'session.get')).toMatchObject({
      step: 'consent',
      phone: session.phone,
      verifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    await consent(app, started);
    expect(await step(started)).toBe('done');
  });
});

describe('a session is bound to the browser that started it', () => {
  it.each(PROCEDURES)(
    '%s: a link opened in another browser is refused, and changes nothing',
    async (procedure, input) => {
      const started = await verified(app);
      for (const { cookie } of [{ cookie: '' }, await authorize(app)]) {
        await expectRefused(app, { ...started, cookie }, procedure, input, 'session_elsewhere');
      }
      expect(await step(started)).toBe('consent');
    },
  );

  it.each(['fan_browser=', 'fan_browser=br_short', `fan_browser=br_${'A'.repeat(43)}`, 'other=1'])(
    'the cookie "%s" opens nothing',
    async (cookie) => {
      const { sessionId } = await authorize(app);
      await expectRefused(app, { sessionId, cookie }, 'session.get', undefined, 'session_elsewhere');
    },
  );
});

describe('which session a call is for', () => {
  it('the one that the header names, so that two tabs go their own ways', async () => {
    const first = await authorize(app);
    const second = await authorize(app, {}, first.cookie);
    expect(second.cookie).toBe(first.cookie);
    await verifyPhone(app, first);
    expect([await step(first), await step(second)]).toEqual(['consent', 'phone']);
    await verifyPhone(app, second, testUser(app, 1));
    const [one, two] = await Promise.all([consent(app, first), consent(app, second)]);
    expect(one.searchParams.get('state')).toBe(first.state);
    expect(two.searchParams.get('state')).toBe(second.state);
  });

  it('without a header the newest of the browser', async () => {
    const first = await authorize(app);
    app.advance(1);
    const second = await authorize(app, {}, first.cookie);
    const session = await login(app, { cookie: first.cookie, sessionId: '' }, 'session.get');
    expect(session.sessionId).toBe(second.sessionId);
  });

  it.each([
    ['no cookie and no header', { cookie: '', sessionId: '' }],
    ['an unknown session', { cookie: '', sessionId: 'sess_01jd0000000000000000000000' }],
    ['an identifier of another kind', { cookie: '', sessionId: 'usr_01jd0000000000000000000000' }],
    ['no identifier at all', { cookie: '', sessionId: "' or true --" }],
  ])('%s: session_not_found', async (_, session) => {
    const { status } = await expectRefused(app, session, 'session.get', undefined, 'session_not_found');
    expect(status).toBe(404);
  });
});

describe('the life of a session', () => {
  it.each(PROCEDURES)('%s: refused after ten minutes', async (procedure, input) => {
    const started = await verified(app);
    app.advance(601);
    const { status } = await expectRefused(app, started, procedure, input, 'session_expired');
    expect(status).toBe(401);
  });

  const ALLOWED: Record<Step, string[]> = {
    phone: ['session.get', 'phone.sendCode', 'consent.deny'],
    code: ['session.get', 'phone.sendCode', 'phone.verifyCode', 'consent.deny'],
    consent: ['session.get', 'phone.change', 'consent.options', 'consent.grant', 'consent.deny'],
    done: ['session.get'],
  };
  const others = (Object.keys(ALLOWED) as Step[]).flatMap((at) =>
    PROCEDURES.filter(([name]) => !ALLOWED[at].includes(name)).map(([name, input]) => [at, name, input] as const),
  );
  it.each(others)('at the step "%s" %s is refused as wrong_step', async (at, procedure, input) => {
    const started = await sessionAt(app, at);
    const { status } = await expectRefused(app, started, procedure, input, 'wrong_step');
    expect(status).toBe(409);
    expect(await step(started)).toBe(at);
  });
});

it.each(['phone', 'code', 'consent'] as const)(
  'consent.deny at the step "%s" sends access_denied with the state',
  async (at) => {
    const started = await sessionAt(app, at);
    const { redirectTo } = await login<{ redirectTo: string }>(app, started, 'consent.deny');
    const url = new URL(redirectTo);
    expect(url.origin + url.pathname).toBe(started.redirectUri);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: started.state,
    });
    expect(await step(started)).toBe('done');
  },
);

describe('who may call', () => {
  async function post(headers: Record<string, string>) {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/consent.deny`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: started.cookie,
        'x-session-id': started.sessionId,
        ...headers,
      },
      body: '{}',
    });
    return { status: answer.status, text: await answer.text(), step: await step(started) };
  }

  it.each<[Record<string, string>]>([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost:4000' }],
    [{ 'sec-fetch-site': 'cross-site' }],
  ])('a call that another site caused is refused and changes nothing: %o', async (headers) => {
    const { status, text, step: after } = await post(headers);
    expect(status).toBe(403);
    expect(text).not.toContain('redirectTo');
    expect(after).toBe('phone');
  });

  it('a call of the login page itself goes through', async () => {
    const { status, step: after } = await post({ origin: app.origin, 'sec-fetch-site': 'same-origin' });
    expect(status).toBe(200);
    expect(after).toBe('done');
  });

  it('no answer allows another origin to read it, not even a partner’s', async () => {
    const started = await authorize(app);
    for (const method of ['OPTIONS', 'GET']) {
      const { headers } = await fetch(`${app.config.loginUrl}/trpc/session.get`, {
        method,
        headers: { origin: 'http://localhost:4000', cookie: started.cookie },
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('a mutation can not be made by a link', async () => {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/consent.deny`, {
      headers: { cookie: started.cookie, 'x-session-id': started.sessionId },
    });
    expect(answer.status).toBe(405);
    expect(await step(started)).toBe('phone');
  });
});

describe('what a call may carry', () => {
  it.each([
    ['phone.sendCode', {}, 'phone'],
    ['phone.sendCode', { phone: 12 }, 'phone'],
    ['phone.sendCode', { phone: '+1'.padEnd(41, '2') }, 'phone'],
    ['phone.sendCode', { phone: '+12025550142', extra: true }, 'extra'],
    ['phone.verifyCode', { code: '12345' }, 'code'],
    ['phone.verifyCode', { code: '1234567' }, 'code'],
    ['phone.verifyCode', { code: '12345a' }, 'code'],
    ['phone.verifyCode', { code: 123456 }, 'code'],
    ['phone.verifyCode', { code: '１２３４５６７' }, 'code'],
    ['consent.grant', {}, 'actions'],
    ['consent.grant', { actions: 'fan:read' }, 'actions'],
    ['consent.grant', { actions: [], mode: 'everything' }, 'mode'],
    ['consent.grant', { actions: [], ticketIds: [1] }, 'ticketIds.0'],
    ['consent.grant', { actions: [], ticketIds: Array(1001).fill('x') }, 'ticketIds'],
  ])('%s %o: invalid_request that names the field', async (procedure, input, field) => {
    const started = await authorize(app);
    const { status, error } = await expectRefused(app, started, procedure, input, 'invalid_request');
    expect(status).toBe(400);
    expect(error?.message).toContain(field);
  });

  it('an unknown procedure is not_found', async () => {
    const started = await authorize(app);
    const { status } = await expectRefused(app, started, 'phone.guess', {}, 'not_found');
    expect(status).toBe(404);
  });

  it.each([
    ['that is no JSON', '{', 400],
    ['over 64 KiB', JSON.stringify({ phone: 'x'.repeat(70_000) }), 413],
  ])('a body %s is refused without a stack trace', async (_, body, status) => {
    const { cookie } = await authorize(app);
    const headers = { 'content-type': 'application/json', cookie };
    const answer = await fetch(`${app.config.loginUrl}/trpc/phone.sendCode`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/stack|\.ts:|node_modules/);
  });

  it('every answer carries a request id and is not stored', async () => {
    const started = await authorize(app);
    const answer = await fetch(`${app.config.loginUrl}/trpc/session.get`, {
      headers: { cookie: started.cookie, 'x-session-id': started.sessionId },
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await callLogin(app, started, 'session.get')).status).toBe(200);
  });
});

const UNKNOWN_PHONE = '+442079460000';

function send(started: Started, phone: string) {
  return login<{ phone: string; resendAt: string; expiresAt: string }>(app, started, 'phone.sendCode', { phone });
}

function verify(started: Started, code: string) {
  return callLogin(app, started, 'phone.verifyCode', { code });
}

async function atCode(phone = testUser(app).phone): Promise<Started> {
  const started = await authorize(app);
  await send(started, phone);
  return started;
}

describe('phone.sendCode', () => {
  it('answers the masked number, when it may be sent again, and when it ends', async () => {
    const sent = await send(await authorize(app), testUser(app).phone);
    expect(Object.keys(sent)).toEqual(['phone', 'resendAt', 'expiresAt']);
    expect(sent.phone).toBe(`+1 ••• ••• ${testUser(app).phone.slice(-4)}`);
    const secondsTo = (moment: string) => (Date.parse(moment) - Date.now()) / 1000;
    expect(secondsTo(sent.resendAt)).toBeLessThanOrEqual(0);
    expect(Date.parse(sent.expiresAt) - Date.parse(sent.resendAt)).toBe(600_000);
  });

  it('a text that is no phone number is refused, and the session stays at its step', async () => {
    const started = await authorize(app);
    await expectRefused(app, started, 'phone.sendCode', { phone: '2025550142' }, 'invalid_phone');
    expect((await login(app, started, 'session.get')).step).toBe('phone');
  });

  it('sandbox: a number that is refused leaves the one before under verification', async () => {
    const { phone, code } = testUser(app);
    const started = await atCode(phone);
    await expectRefused(app, started, 'phone.sendCode', { phone: UNKNOWN_PHONE }, 'not_a_test_user');
    expect((await verify(started, code)).status).toBe(200);
  });

  it('a sandbox session asks for 20 codes without a pause, because nothing is sent, across numbers, refused ones too, and not for another', async () => {
    const { phone } = testUser(app);
    const started = await authorize(app);
    for (let i = 0; i < 10; i++) await send(started, phone);
    for (let i = 0; i < 10; i++) {
      await expectRefused(app, started, 'phone.sendCode', { phone: UNKNOWN_PHONE }, 'not_a_test_user');
    }
    const { status } = await expectRefused(app, started, 'phone.sendCode', { phone: UNKNOWN_PHONE }, 'rate_limited');
    expect(status).toBe(429);
    await expectRefused(app, started, 'phone.sendCode', { phone }, 'rate_limited');
  });

  it('of 30 calls at once, 20 are looked up', async () => {
    const started = await authorize(app);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => callLogin(app, started, 'phone.sendCode', { phone: testUser(app).phone })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(new Set(answers.map(({ error }) => error?.data.reason))).toEqual(new Set([undefined, 'rate_limited']));
  });
});

describe('phone.verifyCode', () => {
  it('the code of another test user is wrong', async () => {
    const started = await atCode();
    const { error, status } = await verify(started, testUser(app, 1).code);
    expect({ reason: error?.data.reason, status }).toEqual({ reason: 'wrong_code', status: 400 });
  });

  it('the tries are counted down, and after five even the right code is dead', async () => {
    const { code } = testUser(app);
    const started = await atCode();
    const messages: unknown[] = [];
    for (let i = 0; i < 5; i++) messages.push((await verify(started, otherThan(code))).error?.message);
    expect(messages).toEqual([
      'This code is wrong. 4 tries are left.',
      'This code is wrong. 3 tries are left.',
      'This code is wrong. 2 tries are left.',
      'This code is wrong. One try is left.',
      expect.stringMatching(/^Too many wrong codes/),
    ]);
    const { status } = await expectRefused(app, started, 'phone.verifyCode', { code }, 'too_many_tries');
    expect(status).toBe(429);
    await expectRefused(app, started, 'session.get', undefined, 'too_many_tries');
    await expectRefused(app, started, 'phone.sendCode', { phone: testUser(app).phone }, 'too_many_tries');
  });

  it('the fifth try may be the right one', async () => {
    const { code } = testUser(app);
    const started = await atCode();
    for (let i = 0; i < 4; i++) await verify(started, otherThan(code));
    expect((await verify(started, code)).status).toBe(200);
  });

  it('sandbox test users bear 100 sign-ins in five minutes', async () => {
    const { em } = app.context();
    const { code, phone } = testUser(app);
    await em.execute(`insert into phone_tries (mode, phone, tries, window_ends_at)
      values ('sandbox', '${phone}', 500, now() + interval '10 minutes')
      on conflict (mode, phone) do update set tries = excluded.tries, window_ends_at = excluded.window_ends_at`);
    expect((await verify(await atCode(), code)).status).toBe(200);
  });
});

describe('“Not you?”: from the consent step back to the phone step', () => {
  const rowOf = ({ sessionId }: Started) =>
    app.context().em.findOneOrFail(AuthorizationSession, { id: knownId('sess', sessionId) });

  const everything = { actions: ['fan:tickets:read'], mode: 'all_current_future', ticketIds: [] };

  it('the fan is gone from the session, and another one can sign in to it', async () => {
    const started = await verified(app);
    expect(await login(app, started, 'phone.change')).toEqual({ step: 'phone' });
    expect(await login(app, started, 'session.get')).toMatchObject({ step: 'phone', phone: null, verifiedAt: null });
    expect(await rowOf(started)).toMatchObject({ fan: null, authenticatedAt: null });
    expect(await challengeOf(app, started.sessionId)).toMatchObject({ phone: null, reference: null });
    await expectRefused(app, started, 'consent.options', undefined, 'wrong_step');

    const other = testUser(app, 1);
    await verifyPhone(app, started, other);
    expect(String((await login(app, started, 'session.get')).phone)).toContain(other.phone.slice(-4));
    const { redirectTo } = await login<{ redirectTo: string }>(app, started, 'consent.grant', everything);
    expect(new URL(redirectTo).searchParams.get('code')).toBeTruthy();
    const [grant] = await app.context().em.find(ConsentGrant, {}, { orderBy: { id: 'desc' }, limit: 1 });
    expect(grant?.fan.id).toBe(other.id);
  });

  it('codes and tries that were used stay used', async () => {
    const { phone, code } = testUser(app);
    const started = await authorize(app);
    await login(app, started, 'phone.sendCode', { phone });
    for (let i = 0; i < 3; i++) await callLogin(app, started, 'phone.verifyCode', { code: otherThan(code) });
    await login(app, started, 'phone.verifyCode', { code });
    await login(app, started, 'phone.change');
    expect(await challengeOf(app, started.sessionId)).toMatchObject({ wrongTries: 3, codesSent: 1, askedPhone: phone });
  });

  it('of a change and a consent at the same moment one wins, and no grant is left of the fan who left', async () => {
    for (let round = 0; round < 8; round++) {
      const started = await verified(app);
      const before = await app.context().em.count(ConsentGrant);
      const [change, grant] = await Promise.all([
        callLogin(app, started, 'phone.change'),
        callLogin(app, started, 'consent.grant', everything),
      ]);
      expect([change.status, grant.status].sort()).toEqual([200, 409]);
      expect(await app.context().em.count(ConsentGrant)).toBe(before + (grant.status === 200 ? 1 : 0));
    }
  });

  it('a page that still shows the previous fan grants nothing for the next one', async () => {
    const started = await verified(app);
    const { verifiedAt } = await login(app, started, 'session.get');
    await login(app, started, 'phone.change');
    await verifyPhone(app, started, testUser(app, 1));
    await expectRefused(app, started, 'consent.grant', { ...everything, verifiedAt }, 'wrong_step');
    const now = (await login(app, started, 'session.get')).verifiedAt;
    expect((await callLogin(app, started, 'consent.grant', { ...everything, verifiedAt: now })).status).toBe(200);
  });
});

/** As the pages do it: each asks for the session when it is shown, and again when the fan is signed in. */
async function signInAsAPage(): Promise<URL> {
  const started = await authorize(app);
  await login(app, started, 'session.get');
  await verifyPhone(app, started);
  await login(app, started, 'session.get');
  return consent(app, started);
}

it('a sign-in takes 12 statements from the authorize request to the code', async () => {
  await signInAsAPage();
  const { result, statements } = await countStatements(signInAsAPage);
  expect(result.searchParams.get('code')).toBeTruthy();
  expect(statements.map((text) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 120))).toHaveLength(12);
});
