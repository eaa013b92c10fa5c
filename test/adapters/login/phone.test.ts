import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { authorize, callLogin, login, type Started } from '../../support/partner.ts';
import { UNEXPECTED_PROVIDER } from '../../support/production.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { expectRefused, otherThan, testUser } from './login-calls.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  // spec §5.6: in sandbox no SMS is sent
  app.runtime.verification = UNEXPECTED_PROVIDER;
});
afterEach(() => app.resetClock());
afterAll(() => app.stop());

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

  it('the number may be typed with spaces and punctuation', async () => {
    const { phone, code } = testUser(app);
    const started = await atCode(`+1 (${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`);
    expect((await verify(started, code)).status).toBe(200);
  });

  it('a number that is none is refused, and the session stays where it was', async () => {
    const started = await authorize(app);
    await expectRefused(app, started, 'phone.sendCode', { phone: '2025550142' }, 'invalid_phone');
    expect((await login(app, started, 'session.get')).step).toBe('phone');
  });

  it('sandbox: again to the same number without a pause, because nothing is sent', async () => {
    const { phone, code } = testUser(app);
    const started = await atCode(phone);
    await send(started, phone);
    expect((await verify(started, code)).status).toBe(200);
  });

  it('sandbox: a number that is refused leaves the one before under verification', async () => {
    const { phone, code } = testUser(app);
    const started = await atCode(phone);
    await expectRefused(app, started, 'phone.sendCode', { phone: UNKNOWN_PHONE }, 'not_a_test_user');
    expect((await verify(started, code)).status).toBe(200);
  });

  it('another number needs no wait', async () => {
    const started = await atCode();
    await send(started, testUser(app, 1).phone);
    expect((await verify(started, testUser(app).code)).error?.data.reason).toBe('wrong_code');
    expect((await verify(started, testUser(app, 1).code)).status).toBe(200);
  });

  it('a sandbox session asks for 20 codes, across numbers, refused ones too, and not for another', async () => {
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
  it('the right code leads to consent', async () => {
    const started = await atCode();
    expect((await verify(started, testUser(app).code)).data).toEqual({ step: 'consent' });
  });

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

  it('the tries are counted across resends and changes of number', async () => {
    const { phone, code } = testUser(app);
    const started = await atCode(phone);
    for (let i = 0; i < 2; i++) await verify(started, otherThan(code));
    await send(started, phone);
    for (let i = 0; i < 2; i++) await verify(started, otherThan(code));
    await send(started, testUser(app, 1).phone);
    expect((await login(app, started, 'session.get')).triesLeft).toBe(1);
    expect((await verify(started, otherThan(testUser(app, 1).code))).error?.data.reason).toBe('too_many_tries');
    await expectRefused(app, started, 'phone.verifyCode', { code: testUser(app, 1).code }, 'too_many_tries');
  });

  it('a dead session does not lock the number: a new sign-in works', async () => {
    const { code } = testUser(app);
    const started = await atCode();
    for (let i = 0; i < 5; i++) await verify(started, otherThan(code));
    expect((await verify(await atCode(), code)).status).toBe(200);
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

describe('parallel guesses over two processes on one database', () => {
  it('never give more than five tries, and the right code among them wins at most once', async () => {
    const second = await startApp({ databaseUrl: app.runtime.config.databaseUrl ?? '' });
    try {
      const { code } = testUser(app);
      const started = await atCode();
      const guesses = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          callLogin(i % 2 ? app : second, started, 'phone.verifyCode', { code: otherThan(code) }),
        ),
      );
      const reasons = guesses.map(({ error }) => error?.data.reason);
      // the fifth wrong code is told as the last one
      expect(reasons.filter((reason) => reason === 'wrong_code')).toHaveLength(4);
      expect(reasons.filter((reason) => reason === 'too_many_tries')).toHaveLength(36);
      expect((await verify(started, code)).error?.data.reason).toBe('too_many_tries');
      const { em } = app.context();
      const [row] = await em.execute<{ wrong_tries: number }[]>(
        'select wrong_tries from authorization_session order by wrong_tries desc limit 1',
      );
      expect(row?.wrong_tries).toBe(5);
    } finally {
      await second.stop();
    }
  });

  it('the right code sent twenty times at once moves the session on once', async () => {
    const { code } = testUser(app);
    const started = await atCode();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(started, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ error }) => error?.data.reason === 'wrong_step')).toHaveLength(19);
    expect((await login(app, started, 'session.get')).step).toBe('consent');
  });
});
