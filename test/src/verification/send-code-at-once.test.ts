import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { PhoneChallenge } from '../../../src/entities/phone-challenge.ts';
import { DomainError } from '../../../src/errors.ts';
import { sendCode } from '../../../src/verification/send-code.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { enableProductionClient } from '../../support/production.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { again, type Counted, countSent, openSessions, refusalOf } from '../abuse/code-stage.ts';

/** Codes that one sign-in asks for at the same moment, in two tabs, on two processes. */
const PHONE = '+12025550123';
const OTHER_PHONE = '+12025550124';
const ADDRESS = '192.0.2.1';

let database: TestDatabase;
let one: TestApp;
let two: TestApp;
let clientId: string;
let provider: Counted;
beforeAll(async () => {
  database = await createDatabase();
  [one, two] = [await startApp({ databaseUrl: database.url }), await startApp({ databaseUrl: database.url })];
  ({ clientId } = await enableProductionClient(one));
});
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
  await database.drop();
});
beforeEach(() => {
  provider = countSent(one, two);
});

async function newSession() {
  const [session] = await openSessions(one, clientId, 1);
  if (!session) throw new Error('no session');
  return session;
}

describe('D-051 resend after 30 s, also for calls that meet', () => {
  it('of six for one number one sends a code, and the others are told how long to wait', async () => {
    const session = await newSession();
    const refusals = await Promise.all(
      [one, two, one, two, one, two].map((app) => refusalOf(sendCode(app.context(), session, PHONE, ADDRESS))),
    );
    expect(provider.sent).toEqual([PHONE]);
    expect(refusals.filter((refusal) => refusal?.code === 'resend_too_soon')).toHaveLength(5);
    for (const refusal of refusals) if (refusal) expect(refusal.retryAfter).toBeGreaterThan(25);
  });

  it('while a code is on its way the same number waits, and another one does not', async () => {
    const session = await newSession();
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
    const first = sendCode(one.context(), session, PHONE, ADDRESS);
    await onItsWay.promise;
    const second = await refusalOf(sendCode(two.context(), await again(two.context(), session), PHONE, ADDRESS));
    expect(second?.code).toBe('resend_too_soon');
    await sendCode(two.context(), await again(two.context(), session), OTHER_PHONE, ADDRESS);
    goOut.resolve();
    await first;
    expect(provider.sent).toEqual([OTHER_PHONE, PHONE]);
  });

  it('a code that could not be sent makes nobody wait', async () => {
    const session = await newSession();
    const { send } = provider;
    provider.send = () => Promise.reject(new DomainError('verification_unavailable', 'An outage.'));
    expect((await refusalOf(sendCode(one.context(), session, PHONE, ADDRESS)))?.code).toBe('verification_unavailable');
    provider.send = send;
    await sendCode(one.context(), await again(one.context(), session), PHONE, ADDRESS);
    expect(provider.sent).toEqual([PHONE]);
  });

  it('a code that was given up late does not shorten the wait of the next one', async () => {
    const session = await newSession();
    const { send } = provider;
    provider.send = async () => {
      provider.send = send;
      // half a minute goes by, and the same number is asked for again
      one.advance(31);
      two.advance(31);
      await sendCode(two.context(), await again(two.context(), session), PHONE, ADDRESS);
      throw new DomainError('verification_unavailable', 'An outage.');
    };
    const found = await again(one.context(), session);
    expect((await refusalOf(sendCode(one.context(), found, PHONE, ADDRESS)))?.code).toBe('verification_unavailable');
    // as a call finds the session that came before the second code was recorded
    await two.context().em.nativeDelete(PhoneChallenge, { session: session.id });
    expect((await refusalOf(sendCode(two.context(), found, PHONE, ADDRESS)))?.code).toBe('resend_too_soon');
  });

  it('a call that found the sign-in before it moved on sends nothing, and is told so', async () => {
    const session = await newSession();
    const found = await again(one.context(), session);
    await two.context().em.nativeUpdate(AuthorizationSession, { id: session.id }, { step: 'consent' });
    expect((await refusalOf(sendCode(one.context(), found, PHONE, ADDRESS)))?.code).toBe('wrong_step');
    expect(provider.sent).toEqual([]);
  });
});
