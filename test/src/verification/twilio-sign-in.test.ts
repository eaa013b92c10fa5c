import { decodeJwt } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Fan } from '../../../src/entities/fan.ts';
import { PhoneChallenge } from '../../../src/entities/phone-challenge.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { chooseProvider } from '../../../src/verification/choose-provider.ts';
import { createFallbackProvider } from '../../../src/verification/fallback-provider.ts';
import { createTwilioProvider } from '../../../src/verification/twilio-provider.ts';
import { expectRefused, otherThan } from '../../adapters/login/login-calls.ts';
import {
  authorize,
  callFan,
  callLogin,
  codeForm,
  consent,
  login,
  postForm,
  type Started,
} from '../../support/partner.ts';
import { enableProductionClient, giveTicket } from '../../support/production.ts';
import { startApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';
import {
  ACCOUNT_SID,
  API_KEY_SECRET,
  API_KEY_SID,
  FALLBACK_SERVICE_SID,
  SERVICE_SID,
  startTwilioStandIn,
  type TwilioStandIn,
  twilioError,
} from '../../support/twilio-stand-in.ts';

const OUTAGE = twilioError(503, 20503, 'Service Unavailable');

let client: Awaited<ReturnType<typeof enableProductionClient>>;
let standIn: TwilioStandIn;
let phone: string;
let numbers = 100;
const app = await testApp({
  env: {
    VERIFICATION_PROVIDER: 'twilio',
    TWILIO_ACCOUNT_SID: ACCOUNT_SID,
    TWILIO_API_KEY_SID: API_KEY_SID,
    TWILIO_API_KEY_SECRET: API_KEY_SECRET,
    TWILIO_VERIFY_SERVICE_SID: SERVICE_SID,
  },
});
beforeAll(async () => {
  client = await enableProductionClient(app);
});
beforeEach(async () => {
  standIn = await startTwilioStandIn();
  app.runtime.verification = verify(SERVICE_SID);
  phone = `+12025550${numbers++}`;
});
afterEach(async () => {
  app.resetClock();
  await standIn.stop();
});

/** As the configuration makes it, but with the stand-in for Twilio. */
function verify(serviceSid: string, timeLimit?: number) {
  const { verification } = app.config;
  if (verification.provider !== 'twilio') throw new Error('the configuration names Twilio');
  return createTwilioProvider({
    ...verification,
    serviceSid,
    baseUrl: standIn.baseUrl,
    log: app.runtime.log,
    ...(timeLimit !== undefined && { timeLimit }),
  });
}

async function atCode(): Promise<Started> {
  const started = await authorize(app, client);
  await login(app, started, 'phone.sendCode', { phone });
  return started;
}

describe('spec §5.6: a production sign-in by Twilio Verify', () => {
  it('leads from an SMS to the fan’s tickets', async () => {
    expect(await chooseProvider(app.config, app.runtime)).toMatchObject({ name: 'twilio', forProduction: true });
    const started = await atCode();
    await login(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
    const fan = await app.context().em.findOneOrFail(Fan, { mode: 'production', phone });
    const { ticket } = await giveTicket(app, fan);
    const callback = await consent(app, started);
    const code = callback.searchParams.get('code') ?? '';
    const { status, body } = await postForm(app, '/oauth2/token', codeForm({ ...started, code }));
    expect({ status, mode: body.mode }).toEqual({ status: 200, mode: 'production' });
    const token = String(body.access_token);
    expect(decodeJwt(token).sub).toBe(fan.id);
    const tickets = await callFan(app, '/tickets', token);
    expect(JSON.stringify(tickets.body)).toContain(ticket.id);
    expect(standIn.calls).toEqual({ send: 1, check: 1 });
  });

  it('may end on another process than it began on', async () => {
    const started = await atCode();
    const second = await startApp({ databaseUrl: app.config.databaseUrl ?? '' });
    try {
      second.runtime.verification = verify(SERVICE_SID);
      const { status } = await callLogin(second, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
      expect(status).toBe(200);
    } finally {
      await second.stop();
    }
  });

  it('keeps the SID of the verification, and no code', async () => {
    const started = await atCode();
    const challenge = await app
      .context()
      .em.findOneOrFail(PhoneChallenge, { session: knownId('sess', started.sessionId) });
    expect(challenge.reference).toMatch(/^VE[0-9a-f]{32}$/);
  });

  it('a sandbox test user costs no SMS', async () => {
    const started = await authorize(app);
    const [user] = app.kit.test_users;
    await login(app, started, 'phone.sendCode', { phone: user?.phone });
    await login(app, started, 'phone.verifyCode', { code: user?.code });
    expect(standIn.calls).toEqual({ send: 0, check: 0 });
  });
});

describe('the service’s own limits come before Twilio’s', () => {
  it('five wrong codes end it, and Twilio is not asked a sixth time', async () => {
    const started = await atCode();
    const wrong = otherThan(standIn.codeFor(phone));
    for (let i = 0; i < 4; i++) await expectRefused(app, started, 'phone.verifyCode', { code: wrong }, 'wrong_code');
    await expectRefused(app, started, 'phone.verifyCode', { code: wrong }, 'too_many_tries');
    await expectRefused(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) }, 'too_many_tries');
    expect(standIn.calls.check).toBe(5);
  });

  it('a code that is over ten minutes old is not looked at', async () => {
    const started = await atCode();
    const { em } = app.context();
    await em.nativeUpdate(
      PhoneChallenge,
      { session: knownId('sess', started.sessionId) },
      { expiresAt: new Date(Date.now() - 1) },
    );
    await expectRefused(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) }, 'code_expired');
    expect(standIn.calls.check).toBe(0);
  });

  it('a code that Twilio has forgotten is expired, costs no try, and a new one can be asked for', async () => {
    const started = await atCode();
    standIn.expireAll();
    await expectRefused(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) }, 'code_expired');
    expect((await login(app, started, 'session.get')).triesLeft).toBe(5);
    app.advance(31);
    await login(app, started, 'phone.sendCode', { phone });
    await login(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
  });
});

describe('what the login page is told when Twilio does not do as asked', () => {
  it.each([
    ['a landline', twilioError(403, 60205, 'SMS is not supported'), 'invalid_phone', 400, undefined],
    ['too many codes', twilioError(429, 60203, 'Max send attempts reached'), 'rate_limited', 429, 600],
    ['an outage', OUTAGE, 'verification_unavailable', 503, 30],
    ['wrong credentials', twilioError(401, 20003, 'Authenticate'), 'verification_unavailable', 503, 30],
  ])('%s: sending', async (_, trouble, reason, status, retryAfter) => {
    const started = await authorize(app, client);
    standIn.answerNext(trouble);
    const refused = await expectRefused(app, started, 'phone.sendCode', { phone }, reason);
    expect(refused.status).toBe(status);
    expect(refused.error?.data.retryAfter).toBe(retryAfter);
    expect(JSON.stringify(refused.error)).not.toMatch(/twilio|20\d{3}|60\d{3}/i);
    expect((await login(app, started, 'session.get')).step).toBe('phone');
    await login(app, started, 'phone.sendCode', { phone });
  });

  it('silence: told within the time limit, the try given back, the same code right afterwards', async () => {
    const started = await atCode();
    app.runtime.verification = verify(SERVICE_SID, 700);
    standIn.answerNext({ silent: 'at once' });
    const code = standIn.codeFor(phone);
    const begin = performance.now();
    await expectRefused(app, started, 'phone.verifyCode', { code }, 'verification_unavailable');
    expect(performance.now() - begin).toBeLessThan(3000);
    expect((await login(app, started, 'session.get')).triesLeft).toBe(5);
    app.runtime.verification = verify(SERVICE_SID);
    await login(app, started, 'phone.verifyCode', { code });
  });

  it('an approval whose answer is lost: the code is spent, and a new one signs in', async () => {
    const started = await atCode();
    app.runtime.verification = verify(SERVICE_SID, 700);
    standIn.answerNext({ silent: 'at once', carriedOut: true });
    const code = standIn.codeFor(phone);
    await expectRefused(app, started, 'phone.verifyCode', { code }, 'verification_unavailable');
    await expectRefused(app, started, 'phone.verifyCode', { code }, 'code_expired');
    app.advance(31);
    app.runtime.verification = verify(SERVICE_SID);
    await login(app, started, 'phone.sendCode', { phone });
    await login(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
  });

  it('an outage of the first service: the fallback signs the fan in', async () => {
    app.runtime.verification = createFallbackProvider(app.runtime, verify(SERVICE_SID), verify(FALLBACK_SERVICE_SID));
    standIn.answerAlways(OUTAGE, SERVICE_SID);
    const started = await atCode();
    await expectRefused(app, started, 'phone.verifyCode', { code: otherThan(standIn.codeFor(phone)) }, 'wrong_code');
    await login(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
  });
});
