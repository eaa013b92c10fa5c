import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { PhoneTries } from '../../../src/entities/code-limits.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { PhoneChallenge } from '../../../src/entities/phone-challenge.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { DomainError } from '../../../src/errors.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { expectRefused, otherThan } from '../../adapters/login/login-calls.ts';
import { authorize, callLogin, login, type Started } from '../../support/partner.ts';
import { enableProductionClient, readCodesFromLog, UNEXPECTED_PROVIDER } from '../../support/production.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

let app: TestApp;
let client: Awaited<ReturnType<typeof enableProductionClient>>;
let codeFor: (phone: string) => string;
let phone: string;
let numbers = 100;
beforeAll(async () => {
  app = await startApp();
  client = await enableProductionClient(app);
});
beforeEach(() => {
  codeFor = readCodesFromLog(app);
  phone = `+12025550${numbers++}`;
});
afterEach(() => app.resetClock());
afterAll(() => app.stop());

async function atCode(): Promise<Started> {
  const started = await authorize(app, client);
  await login(app, started, 'phone.sendCode', { phone });
  return started;
}

function verify(started: Started, code: string) {
  return callLogin(app, started, 'phone.verifyCode', { code });
}

async function reasonOf(started: Started, code: string) {
  return (await verify(started, code)).error?.data.reason;
}

describe('spec §5.6: production clients', () => {
  it('a new number becomes a fan with a wallet once its code is verified, and not before', async () => {
    const started = await atCode();
    const { em } = app.context();
    expect(await em.findOne(Fan, { mode: 'production', phone })).toBeNull();
    expect((await verify(started, codeFor(phone))).status).toBe(200);
    const fan = await em.findOneOrFail(Fan, { mode: 'production', phone });
    expect(await em.count(Wallet, { fan: fan.id })).toBe(1);
  });

  it('a known number stays the same fan', async () => {
    for (let i = 0; i < 2; i++) {
      expect((await verify(await atCode(), codeFor(phone))).status).toBe(200);
      app.advance(31);
    }
    expect(await app.context().em.count(Fan, { mode: 'production', phone })).toBe(1);
  });

  it('a sandbox test user’s static code opens nothing', async () => {
    const started = await authorize(app, client);
    const [user] = app.kit.test_users;
    await login(app, started, 'phone.sendCode', { phone: user?.phone });
    const sent = codeFor(user?.phone ?? '');
    const code = user?.code === sent ? otherThan(sent) : (user?.code ?? '');
    expect(await reasonOf(started, code)).toBe('wrong_code');
  });

  it('the code is stored hashed', async () => {
    const started = await atCode();
    const challenge = await app
      .context()
      .em.findOneOrFail(PhoneChallenge, { session: knownId('sess', started.sessionId) });
    expect(JSON.stringify(challenge)).not.toContain(codeFor(phone));
  });
});

describe('D-051: codes last ten minutes', () => {
  it('again to the same number only after 30 seconds; the refusal says how long', async () => {
    const started = await atCode();
    app.advance(20);
    const { status, error } = await expectRefused(app, started, 'phone.sendCode', { phone }, 'resend_too_soon');
    expect(status).toBe(429);
    expect(error?.data.retryAfter).toBeGreaterThan(4);
    expect(error?.data.retryAfter).toBeLessThanOrEqual(10);
    app.advance(11);
    await login(app, started, 'phone.sendCode', { phone });
  });

  it('a session sends five codes, across numbers, and not a sixth', async () => {
    const started = await authorize(app, client);
    for (let i = 0; i < 5; i++) await login(app, started, 'phone.sendCode', { phone: `+1212555010${i}` });
    const { status } = await expectRefused(app, started, 'phone.sendCode', { phone }, 'rate_limited');
    expect(status).toBe(429);
  });

  it('good to the end, dead after it; a new one can be asked for', async () => {
    const late = await atCode();
    const { em } = app.context();
    // the session itself lasts as long: given more here, so that the code's own end shows
    await em.nativeUpdate(
      AuthorizationSession,
      { id: knownId('sess', late.sessionId) },
      { expiresAt: new Date(Date.now() + 3_600_000) },
    );
    app.advance(601);
    expect(await reasonOf(late, codeFor(phone))).toBe('code_expired');
    await login(app, late, 'phone.sendCode', { phone });
    app.advance(590);
    expect((await verify(late, codeFor(phone))).status).toBe(200);
  });

  it('an expired code costs no try', async () => {
    const late = await atCode();
    const { em } = app.context();
    await em.nativeUpdate(
      PhoneChallenge,
      { session: knownId('sess', late.sessionId) },
      { expiresAt: new Date(Date.now() - 1) },
    );
    await reasonOf(late, '000000');
    expect((await login(app, late, 'session.get')).triesLeft).toBe(5);
  });

  it('a resent code replaces the one before', async () => {
    const started = await atCode();
    const first = codeFor(phone);
    app.advance(31);
    await login(app, started, 'phone.sendCode', { phone });
    if (first !== codeFor(phone)) expect(await reasonOf(started, first)).toBe('wrong_code');
    expect((await verify(started, codeFor(phone))).status).toBe(200);
  });
});

describe('D-052: five tries per number, over all sessions', () => {
  it('opening more sessions buys no guesses, and the number is free again after ten minutes', async () => {
    for (let session = 0; session < 2; session++) {
      const started = await atCode();
      for (let i = 0; i < 2; i++) expect(await reasonOf(started, otherThan(codeFor(phone)))).toBe('wrong_code');
    }
    const third = await atCode();
    expect(await reasonOf(third, otherThan(codeFor(phone)))).toBe('wrong_code');
    expect(await reasonOf(third, codeFor(phone))).toBe('too_many_tries');
    expect(await reasonOf(await atCode(), codeFor(phone))).toBe('too_many_tries');
    app.advance(601);
    expect((await verify(await atCode(), codeFor(phone))).status).toBe(200);
  });

  it('parallel guesses over sessions and two processes give no more than five', async () => {
    const second = await startApp({ databaseUrl: app.config.databaseUrl ?? '' });
    try {
      const sessions = await Promise.all(Array.from({ length: 6 }, atCode));
      // the log provider is per process; only wrong codes are sent to the other one
      const wrong = otherThan(codeFor(phone));
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          callLogin(i % 2 ? app : second, sessions[i % 6] as Started, 'phone.verifyCode', { code: wrong }),
        ),
      );
      const looked = answers.filter(({ error }) => error?.data.reason === 'wrong_code');
      expect(looked.length).toBeLessThanOrEqual(5);
      expect(looked.length).toBeGreaterThan(0);
      const tries = await app.context().em.findOneOrFail(PhoneTries, { mode: 'production', phone });
      expect(tries.tries).toBe(5);
    } finally {
      await second.stop();
    }
  });

  it('the right code clears the count', async () => {
    const started = await atCode();
    await reasonOf(started, otherThan(codeFor(phone)));
    expect((await verify(started, codeFor(phone))).status).toBe(200);
    expect(await app.context().em.findOne(PhoneTries, { mode: 'production', phone })).toBeNull();
  });
});

describe('the provider can not answer', () => {
  const unavailable = () =>
    Promise.reject(new DomainError('verification_unavailable', 'Codes can not be sent right now; try again.'));

  it('sending: verification_unavailable, and nothing changed', async () => {
    const started = await authorize(app, client);
    app.runtime.verification = { ...UNEXPECTED_PROVIDER, send: unavailable };
    for (let i = 0; i < 7; i++) {
      const { status } = await expectRefused(app, started, 'phone.sendCode', { phone }, 'verification_unavailable');
      expect(status).toBe(503);
    }
    expect(await login(app, started, 'session.get')).toMatchObject({ step: 'phone', phone: null, triesLeft: 5 });
    codeFor = readCodesFromLog(app);
    await login(app, started, 'phone.sendCode', { phone });
    expect((await verify(started, codeFor(phone))).status).toBe(200);
  });

  it('sending to a second number: the first one’s code stays good', async () => {
    const started = await atCode();
    const log = app.runtime.verification;
    app.runtime.verification = { ...UNEXPECTED_PROVIDER, send: unavailable };
    await expectRefused(app, started, 'phone.sendCode', { phone: '+442079460000' }, 'verification_unavailable');
    app.runtime.verification = log;
    expect((await verify(started, codeFor(phone))).status).toBe(200);
  });

  it('checking: verification_unavailable, and no try is lost', async () => {
    const started = await atCode();
    const log = app.runtime.verification;
    app.runtime.verification = { ...UNEXPECTED_PROVIDER, check: unavailable };
    for (let i = 0; i < 7; i++) {
      await expectRefused(app, started, 'phone.verifyCode', { code: codeFor(phone) }, 'verification_unavailable');
    }
    app.runtime.verification = log;
    expect((await login(app, started, 'session.get')).triesLeft).toBe(5);
    expect((await verify(started, codeFor(phone))).status).toBe(200);
  });

  it('an error that the provider did not mean is "internal", without its text', async () => {
    const started = await authorize(app, client);
    app.runtime.verification = { ...UNEXPECTED_PROVIDER, send: () => Promise.reject(new Error('account sid AC123')) };
    const { error } = await expectRefused(app, started, 'phone.sendCode', { phone }, 'internal');
    expect(JSON.stringify(error)).not.toContain('AC123');
  });
});
