import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { Client } from '../../../../src/entities/client.ts';
import { PhoneTries } from '../../../../src/entities/code-limits.ts';
import { Fan } from '../../../../src/entities/fan.ts';
import { Partner } from '../../../../src/entities/partner.ts';
import { PhoneChallenge } from '../../../../src/entities/phone-challenge.ts';
import { TestUser } from '../../../../src/entities/test-user.ts';
import { Wallet } from '../../../../src/entities/wallet.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { resetSandbox } from '../../../../src/sandbox/reset-sandbox.ts';
import { createTestUsers } from '../../../../src/sandbox/test-users.ts';
import { numberOf } from '../../../../src/sign-in/fan/find-fans.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { checkCode } from '../../../../src/sign-in/verification/check-code.ts';
import { sendCode } from '../../../../src/sign-in/verification/send-code.ts';
import { expectRefused, otherThan, testUser } from '../../../adapters/fan-pages/login/login-calls.ts';
import { openPortal } from '../../../adapters/fan-pages/portal/portal-calls.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { makeClient, newPartner } from '../../../support/make-client.ts';
import { authorize, callLogin, login, type Started, signIn } from '../../../support/partner.ts';
import { challengeOf, ofSession } from '../../../support/phone-challenge.ts';
import { enableProductionClient, readCodesFromLog, UNEXPECTED_PROVIDER } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { again, type Counted, countSent, openSession, RIGHT_CODE, refusalOf } from '../abuse/code-stage.ts';
import { proveNumber } from './long-unused.ts';

const app = await testApp();
const second = await testApp({ databaseUrl: app.config.databaseUrl ?? '' });
const client = await enableProductionClient(app);
let codeFor: (phone: string) => string;
let phone: string;
let numbers = 100;
beforeEach(() => {
  codeFor = readCodesFromLog(app);
  phone = `+12025550${numbers++}`;
});
afterEach(() => {
  app.resetClock();
  second.resetClock();
});

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
    const challenge = await challengeOf(app, started.sessionId);
    expect(JSON.stringify(challenge)).not.toContain(codeFor(phone));
  });
});

describe('codes last ten minutes', () => {
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

  it('accepted until the end, refused after it without costing a try; a new one can be asked for', async () => {
    const late = await atCode();
    const { em } = app.context();
    // the session itself lasts as long: given more here, so that the code's own end shows
    const longer = { expiresAt: new Date(Date.now() + 3_600_000) };
    await em.nativeUpdate(AuthorizationSession, { id: knownId('sess', late.sessionId) }, longer);
    app.advance(601);
    expect(await reasonOf(late, codeFor(phone))).toBe('code_expired');
    expect((await login(app, late, 'session.get')).triesLeft).toBe(5);
    await login(app, late, 'phone.sendCode', { phone });
    app.advance(590);
    expect((await verify(late, codeFor(phone))).status).toBe(200);
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

it('five tries per number, over all sessions: opening more sessions buys no guesses, and the number is free again after ten minutes', async () => {
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

describe('the provider can not answer', () => {
  const unavailable = () =>
    Promise.reject(new DomainError('verification_unavailable', 'Codes can not be sent right now; try again.'));

  it('sending: verification_unavailable, and the code of the number before stays good', async () => {
    const started = await atCode();
    const log = app.runtime.verification;
    app.runtime.verification = { ...log, send: unavailable };
    const other = { phone: '+442079460000' };
    const { status } = await expectRefused(app, started, 'phone.sendCode', other, 'verification_unavailable');
    expect(status).toBe(503);
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

describe('sandbox', async () => {
  const ACTOR = 'staff:ann';
  /** Reserved for fiction, and no test user's. */
  const NOBODY = '+12025550199';

  const stranger = await newPartner(app, 'Encore');
  /** A sandbox client of another partner than the starter kit's. */
  const foreignClient = await makeClient(app, { name: 'Encore App' });
  await app.context().em.nativeUpdate(Client, { id: foreignClient }, { partner: stranger.id });

  const send = (started: Started, phone: string) => callLogin(app, started, 'phone.sendCode', { phone });

  async function newUser(partnerId: string | null) {
    const [user] = await createTestUsers(app.context(), { partnerId, count: 1 }, ACTOR);
    if (!user) throw new Error('no test user was made');
    return { id: user.fan.id, phone: numberOf(user.fan), code: user.testUser.code };
  }

  describe('a sandbox client knows only test users of its own partner, and those of every partner', () => {
    it('a number of another partner and a number of nobody get one answer, for the same work', async () => {
      const answers: { answer: object; statements: number }[] = [];
      for (const phone of [testUser(app).phone, NOBODY]) {
        const started = await authorize(app, { clientId: foreignClient });
        const { result, statements } = await countStatements(() => send(started, phone));
        const answer = JSON.parse(JSON.stringify(result).replaceAll(phone, 'NUMBER')) as object;
        answers.push({ answer, statements: statements.length });
        expect(await login(app, started, 'session.get')).toMatchObject({ step: 'phone', phone: null });
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.answer).toMatchObject({
        status: 400,
        error: { message: expect.stringContaining("NUMBER is not a test user of Encore's sandbox.") },
      });
    });

    it('the partner’s other clients know them', async () => {
      const { phone, code } = testUser(app);
      const tokens = await signIn(app, { clientId: await makeClient(app), phone, code });
      expect(tokens.mode).toBe('sandbox');
    });

    it('a test user of every partner signs in at each', async () => {
      const { phone, code } = await newUser(null);
      for (const clientId of [app.kit.client_id, foreignClient]) {
        expect((await signIn(app, { clientId, phone, code })).mode).toBe('sandbox');
      }
    });

    it('a fan of the same number in production opens nothing in sandbox', async () => {
      await registerFan(app.context(), 'production', NOBODY);
      expect((await send(await authorize(app), NOBODY)).error?.data.reason).toBe('not_a_test_user');
    });
  });

  describe('a test user that is removed', () => {
    async function giveAway(user: { fan: Fan['id'] }) {
      const { em } = app.context();
      await em.nativeUpdate(TestUser, user, { partner: await em.findOneOrFail(Partner, { name: 'Front Row' }) });
    }

    it('can not sign in any more, nor at the portal', async () => {
      const user = await newUser(stranger.id);
      await resetSandbox(app.context(), { partnerId: stranger.id, confirm: 'Encore', keepTestUsers: false }, ACTOR);
      const started = await authorize(app, { clientId: foreignClient });
      expect((await send(started, user.phone)).error?.data.reason).toBe('not_a_test_user');
      const portal = openPortal(app);
      await portal.get('phone.sendCode', { phone: user.phone });
      expect((await portal.call('phone.verifyCode', { code: user.code })).reason).toBe('wrong_code');
    });

    it.each([
      ['removed', (user: { fan: Fan['id'] }) => app.context().em.nativeDelete(TestUser, user)],
      ['given to another partner', giveAway],
    ])('while its code is typed, %s: the right code is wrong, and counts', async (_, remove) => {
      const user = await newUser(stranger.id);
      const started = await authorize(app, { clientId: foreignClient });
      await send(started, user.phone);
      await remove({ fan: user.id });
      expect((await verify(started, user.code)).error?.data.reason).toBe('wrong_code');
      expect(await login(app, started, 'session.get')).toMatchObject({ step: 'code', triesLeft: 4 });
    });

    it('at the same moment as its codes are sent: nobody is signed in afterwards', async () => {
      for (let round = 0; round < 5; round++) {
        const user = await newUser(stranger.id);
        const begun = await Promise.all(Array.from({ length: 4 }, () => authorize(app, { clientId: foreignClient })));
        await Promise.all(begun.map((started) => send(started, user.phone)));
        await Promise.all([
          resetSandbox(app.context(), { partnerId: stranger.id, confirm: 'Encore', keepTestUsers: false }, ACTOR),
          ...begun.map((started) => verify(started, user.code)),
        ]);
        for (const started of begun) {
          expect((await callLogin(app, started, 'consent.grant', { actions: [] })).status).toBeGreaterThanOrEqual(400);
        }
      }
    });
  });

  it('the portal opens for test users of any partner: it belongs to the fan', async () => {
    for (const partner of [stranger.id, null]) {
      const portal = await openPortal(app).signIn(await newUser(partner));
      expect(await portal.get('session.get')).toMatchObject({ step: 'open', mode: 'sandbox' });
    }
  });

  it('production answers do not disclose whether a number is known: known, unknown and test numbers get the same at every step', async () => {
    const codeFor = readCodesFromLog(app);
    const known = '+12025550171';
    await proveNumber({ app, client, codeFor }, known);
    app.advance(31);
    const stories: unknown[] = [];
    for (const phone of [known, '+12025550172', testUser(app).phone]) {
      const started = await authorize(app, client);
      const story: unknown[] = [];
      const tell = ({ status, data, error }: Awaited<ReturnType<typeof callLogin>>) =>
        story.push({ status, keys: Object.keys(data ?? {}), message: error?.message, reason: error?.data.reason });
      tell(await send(started, phone));
      tell(await send(started, phone));
      for (let i = 0; i < 5; i++) tell(await verify(started, otherThan(codeFor(phone))));
      stories.push(story);
    }
    expect(stories[1]).toEqual(stories[0]);
    expect(stories[2]).toEqual(stories[0]);
    expect(stories[0]).toMatchObject([
      { status: 200 },
      { reason: 'resend_too_soon' },
      { reason: 'wrong_code' },
      {},
      {},
      {},
      { reason: 'too_many_tries' },
    ]);
  });
});

describe('concurrent calls on two processes, and calls that read an older state of the sign-in', () => {
  const PHONE = '+12025550123';
  const OTHER_PHONE = '+12025550124';
  const ADDRESS = '192.0.2.1';

  let provider: Counted;
  beforeEach(() => {
    provider = countSent(app, second);
  });

  /** A session that waits for its code. */
  async function atCode() {
    const session = await openSession(app, client.clientId);
    await sendCode(app.context(), session, PHONE, ADDRESS);
    return again(app.context(), session);
  }

  it('a call that read the sign-in before it moved on: its code is not compared, and costs no try', async () => {
    const found = await atCode();
    const { em } = app.context();
    await em.nativeUpdate(AuthorizationSession, { id: found.id }, { step: 'consent' });
    await em.nativeUpdate(PhoneChallenge, ofSession(found.id), { step: 'done' });
    expect((await refusalOf(checkCode(app.context(), found, RIGHT_CODE)))?.code).toBe('wrong_step');
    expect(provider.checks).toBe(0);
    expect(await em.count(PhoneTries, { phone: PHONE, tries: { $gt: 0 } })).toBe(0);
  });

  it('a call that finds no try left asks once whether others are under way, and waits for none where there are none', async () => {
    const found = await atCode();
    await app.context().em.nativeUpdate(PhoneChallenge, ofSession(found.id), { wrongTries: 5 });
    using query = vi.spyOn(app.runtime.pool, 'query');
    expect((await refusalOf(checkCode(app.context(), found, RIGHT_CODE)))?.code).toBe('too_many_tries');
    expect(JSON.stringify(query.mock.calls).split('select step, tries_under_way').length - 1).toBe(1);
    expect(provider.checks).toBe(0);
  });

  it('of six for one number one sends a code, and the others learn how long to wait', async () => {
    const session = await openSession(app, client.clientId);
    const refusals = await Promise.all(
      [app, second, app, second, app, second].map((at) => refusalOf(sendCode(at.context(), session, PHONE, ADDRESS))),
    );
    expect(provider.sent).toEqual([PHONE]);
    expect(refusals.filter((refusal) => refusal?.code === 'resend_too_soon')).toHaveLength(5);
    for (const refusal of refusals) if (refusal) expect(refusal.retryAfter).toBeGreaterThan(25);
  });

  it('while a code is on its way the same number waits, and another one does not', async () => {
    const session = await openSession(app, client.clientId);
    const onItsWay = Promise.withResolvers<void>();
    const goOut = Promise.withResolvers<void>();
    const { send } = provider;
    provider.send = async (phone) => {
      if (phone === PHONE) {
        onItsWay.resolve();
        await goOut.promise;
      }
      return send(phone);
    };
    const first = sendCode(app.context(), session, PHONE, ADDRESS);
    await onItsWay.promise;
    const refusal = await refusalOf(sendCode(second.context(), await again(second.context(), session), PHONE, ADDRESS));
    expect(refusal?.code).toBe('resend_too_soon');
    await sendCode(second.context(), await again(second.context(), session), OTHER_PHONE, ADDRESS);
    goOut.resolve();
    await first;
    expect(provider.sent).toEqual([OTHER_PHONE, PHONE]);
  });

  it('a code that was given up late does not shorten the wait of the next one', async () => {
    const session = await openSession(app, client.clientId);
    const { send } = provider;
    provider.send = async () => {
      provider.send = send;
      // half a minute goes by, and the same number is asked for again
      app.advance(31);
      second.advance(31);
      await sendCode(second.context(), await again(second.context(), session), PHONE, ADDRESS);
      throw new DomainError('verification_unavailable', 'An outage.');
    };
    const found = await again(app.context(), session);
    expect((await refusalOf(sendCode(app.context(), found, PHONE, ADDRESS)))?.code).toBe('verification_unavailable');
    expect((await refusalOf(sendCode(second.context(), found, PHONE, ADDRESS)))?.code).toBe('resend_too_soon');
  });
});
