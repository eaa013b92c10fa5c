import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fan } from '../../../../src/entities/fan.ts';
import { chooseProvider } from '../../../../src/sign-in/verification/choose-provider.ts';
import { createTwilioProvider } from '../../../../src/sign-in/verification/twilio-provider.ts';
import { expectRefused } from '../../../adapters/fan-pages/login/login-calls.ts';
import { authorize, callFan, consent, exchange, login, type Started } from '../../../support/partner.ts';
import { enableProductionClient, giveTicket } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import {
  ACCOUNT_SID,
  API_KEY_SECRET,
  API_KEY_SID,
  SERVICE_SID,
  startTwilioStandIn,
  type TwilioStandIn,
} from '../../../support/twilio-stand-in.ts';

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
const client = await enableProductionClient(app);
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
    const { access_token: token, mode } = await exchange(app, { ...started, code });
    expect(mode).toBe('production');
    expect(decodeJwt(token).sub).toBe(fan.id);
    const tickets = await callFan(app, '/tickets', token);
    expect(JSON.stringify(tickets.body)).toContain(ticket.id);
    expect(standIn.calls).toEqual({ send: 1, check: 1 });
  });

  it('an approval whose answer is lost: the code is spent and expired, which costs no try, and a new one signs in', async () => {
    const started = await atCode();
    app.runtime.verification = verify(SERVICE_SID, 700);
    standIn.answerNext({ silent: 'at once', carriedOut: true });
    const code = standIn.codeFor(phone);
    await expectRefused(app, started, 'phone.verifyCode', { code }, 'verification_unavailable');
    await expectRefused(app, started, 'phone.verifyCode', { code }, 'code_expired');
    expect((await login(app, started, 'session.get')).triesLeft).toBe(5);
    app.advance(31);
    app.runtime.verification = verify(SERVICE_SID);
    await login(app, started, 'phone.sendCode', { phone });
    await login(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
  });
});
