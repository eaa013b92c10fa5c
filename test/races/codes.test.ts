import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PhoneTries } from '../../src/entities/code-limits.ts';
import { PhoneChallenge } from '../../src/entities/phone-challenge.ts';
import { setKillSwitch } from '../../src/partners/kill-switch/kill-switch.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import { DomainError } from '../../src/platform/errors.ts';
import { registerFan } from '../../src/sign-in/fan/register-fan.ts';
import { checkCode } from '../../src/sign-in/verification/check-code.ts';
import { codeExpired } from '../../src/sign-in/verification/code-refusals.ts';
import { sendCode } from '../../src/sign-in/verification/send-code.ts';
import { openPortal } from '../adapters/fan-pages/portal/portal-calls.ts';
import {
  again,
  type Counted,
  countSent,
  forgetCodes,
  openSessions,
  RIGHT_CODE,
  refusalOf,
} from '../src/sign-in/abuse/code-stage.ts';
import { authorize, callLogin, login, type Started } from '../support/partner.ts';
import { challengeOf, portalCodeSent } from '../support/phone-challenge.ts';
import { enableProductionClient } from '../support/production.ts';
import { atOnce, type TwoProcesses, testTwoProcesses } from './two-processes.ts';

/** Codes that are given at the same moment, in many tabs, on two processes: by those who guess, and right ones. */
const WRONG_CODE = '000000';

// the limits of production, but for the one address of all tests
const { perPhone, perRange } = readConfig({}).codeLimits;
const both = await testTwoProcesses({ codeLimits: { perPhone, perRange } });
const client = await enableProductionClient(both.one);
let provider: Counted;
let phone: string;
let numbers = 100;
beforeEach(async () => {
  await forgetCodes(both.one);
  provider = countSent(both.one, both.two);
  phone = `+12025550${numbers++}`;
});
afterEach(() => void vi.useRealTimers());

async function atCode(): Promise<Started> {
  const started = await authorize(both.one, client);
  await login(both.one, started, 'phone.sendCode', { phone });
  return started;
}

const verify = (app: TwoProcesses['one'], started: Started, code: string) =>
  callLogin(app, started, 'phone.verifyCode', { code });

/** Gives one code so many times at once. @returns how often each answer came: a reason, or `right` */
async function reasonsOf(started: Started, count: number, code: string): Promise<Record<string, number>> {
  const answers = await atOnce(both, count, (app) => verify(app, started, code));
  const groups = Map.groupBy(answers, ({ error }) => error?.data.reason ?? 'right');
  return Object.fromEntries([...groups].map(([reason, all]) => [reason, all.length]));
}

async function triesOf(started: Started) {
  const challenge = await challengeOf(both.one, started.sessionId);
  return { wrongTries: challenge?.wrongTries, triesUnderWay: challenge?.triesUnderWay };
}

async function triesOfNumber(number = phone) {
  const { em } = both.one.context();
  return (await em.findOne(PhoneTries, { phone: number }))?.tries ?? 0;
}

/** Holds every answer of the provider back. @returns lets them go */
function holdAnswers(): () => void {
  const held = Promise.withResolvers<void>();
  const { check } = provider;
  provider.check = async (...asked) => {
    await held.promise;
    return check(...asked);
  };
  return held.resolve;
}

/** As Twilio: a code that was approved is not known any more; each answer takes a while. */
function forgetApproved(): void {
  const approved = new Set<string>();
  const { check } = provider;
  provider.check = async (number, reference, code) => {
    if (approved.has(number)) throw codeExpired();
    const isRight = await check(number, reference, code);
    if (isRight) approved.add(number);
    // the answer to the first is slower than the refusals of the others
    await new Promise((resolve) => setTimeout(resolve, isRight ? 300 : 0));
    return isRight;
  };
}

describe('guesses of a code are counted over sessions, resends and processes', () => {
  it('200 guesses at once, over four sessions and two processes: five are looked at, and the right code comes too late', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, () => authorize(both.one, client)));
    for (const session of sessions) await callLogin(both.one, session, 'phone.sendCode', { phone });
    expect(provider.sent).toHaveLength(4);
    let next = 0;
    const guesses = await atOnce(both, 200, async (app) => {
      const session = sessions[next++ % sessions.length];
      if (!session) throw new Error('a session per guess');
      return (await callLogin(app, session, 'phone.verifyCode', { code: WRONG_CODE })).error?.data.reason;
    });
    expect(provider.checks).toBe(5);
    expect(new Set(guesses)).toEqual(new Set(['wrong_code', 'too_many_tries']));
    for (const session of sessions) {
      const { error } = await callLogin(both.two, session, 'phone.verifyCode', { code: RIGHT_CODE });
      expect(error?.data.reason).toBe('too_many_tries');
    }
    expect(provider.checks).toBe(5);
  });

  it('codes sent again and further numbers in between give a session no more than five guesses', async () => {
    const session = await authorize(both.one, client);
    const others = ['+13125550101', '+13125550102', '+13125550103', '+13125550104'];
    for (const number of [phone, ...others]) {
      await callLogin(both.one, session, 'phone.sendCode', { phone: number });
      await atOnce(both, 4, (app) => callLogin(app, session, 'phone.verifyCode', { code: WRONG_CODE }));
    }
    expect(provider.checks).toBe(5);
  });

  it('a whole day of guessing at one number, with all the sessions and addresses one likes: 50 at most are looked at', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const attempts = 24 * 6;
    const sessions = (await openSessions(both.one, client.clientId, attempts * 2)).values();
    for (let i = 0; i < attempts; i++) {
      await atOnce(both, 2, async (app) => {
        const session = sessions.next().value;
        if (!session) throw new Error('a session per attempt');
        const refused = await refusalOf(sendCode(app.context(), session, phone, `198.51.100.${i}`));
        if (refused) return;
        for (let guess = 0; guess < 6; guess++) {
          const context = app.context();
          await refusalOf(checkCode(context, await again(context, session), WRONG_CODE));
        }
      });
      vi.setSystemTime(Date.now() + 600_000);
    }
    expect(provider.sent.length).toBeLessThanOrEqual(10);
    expect(provider.checks).toBeGreaterThan(0);
    expect(provider.checks).toBeLessThanOrEqual(50);
  });
});

describe('right codes that meet', () => {
  it.each([2, 20])('%i at once: the sign-in goes on to consent, and none of them ends it', async (count) => {
    const started = await atCode();
    expect(await reasonsOf(started, count, RIGHT_CODE)).toEqual({ right: 1, wrong_step: count - 1 });
    expect((await login(both.two, started, 'session.get')).step).toBe('consent');
    expect(await triesOf(started)).toEqual({ wrongTries: 0, triesUnderWay: 0 });
    expect(await triesOfNumber()).toBe(0);
  });

  it('two at once with one try left', async () => {
    const started = await atCode();
    for (let i = 0; i < 4; i++) await verify(both.one, started, WRONG_CODE);
    const letGo = holdAnswers();
    const checked = provider.checks;
    const first = verify(both.one, started, RIGHT_CODE);
    await expect.poll(async () => (await triesOf(started)).triesUnderWay).toBe(1);
    const second = verify(both.two, started, RIGHT_CODE);
    // the second one asks whether the first has been decided
    await new Promise((resolve) => setTimeout(resolve, 100));
    letGo();
    expect([(await first).status, (await second).error?.data.reason]).toEqual([200, 'wrong_step']);
    expect(provider.checks).toBe(checked + 1);
    expect(await triesOfNumber(), 'the right code clears the count').toBe(0);
  });

  it('a wrong last try that is under way ends the sign-in for the others too', async () => {
    const started = await atCode();
    expect(await reasonsOf(started, 12, WRONG_CODE)).toEqual({ wrong_code: 4, too_many_tries: 8 });
    expect(provider.checks).toBe(5);
    expect(await triesOf(started)).toEqual({ wrongTries: 5, triesUnderWay: 0 });
    expect(await triesOfNumber()).toBe(5);
  });

  it('a provider that forgets a code once it is approved: the others are told that the sign-in has moved on', async () => {
    forgetApproved();
    const started = await atCode();
    expect(await reasonsOf(started, 4, RIGHT_CODE)).toEqual({ right: 1, wrong_step: 3 });
    expect(await triesOf(started)).toEqual({ wrongTries: 0, triesUnderWay: 0 });
  });

  it('leave all tries to the next sign-in of the number', async () => {
    await reasonsOf(await atCode(), 8, RIGHT_CODE);
    both.one.advance(31);
    const next = await atCode();
    for (let i = 0; i < 4; i++) {
      expect((await verify(both.one, next, WRONG_CODE)).error?.data.reason).toBe('wrong_code');
    }
    expect((await verify(both.two, next, RIGHT_CODE)).status).toBe(200);
  });

  it('a right code that staff have stopped costs no try', async () => {
    const { id: fanId } = await registerFan(both.one.context(), 'production', phone);
    await setKillSwitch(both.one.context(), { kind: 'fan', fanId }, 'fraud', 'staff:test');
    const started = await atCode();
    expect((await verify(both.one, started, RIGHT_CODE)).error?.data.reason).toBe('fan_stopped');
    expect(await triesOf(started)).toEqual({ wrongTries: 0, triesUnderWay: 0 });
    expect(await triesOfNumber()).toBe(0);
  });

  it('a right code that the database could not record costs no try', async () => {
    const started = await atCode();
    const { em } = both.one.context();
    await em.execute(`
      create function refuse_consent() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`);
    await em.execute(`create trigger refuse_consent before update of step on authorization_session
      for each row when (new.step = 'consent') execute function refuse_consent()`);
    try {
      expect((await verify(both.one, started, RIGHT_CODE)).error?.data.reason).toBe('internal');
    } finally {
      await em.execute('drop trigger refuse_consent on authorization_session');
      await em.execute('drop function refuse_consent');
    }
    expect(await triesOf(started)).toEqual({ wrongTries: 0, triesUnderWay: 0 });
    expect(await triesOfNumber()).toBe(0);
    expect((await verify(both.one, started, RIGHT_CODE)).status).toBe(200);
  });
});

describe('only guesses that are looked at count', () => {
  it('a guess that the number refuses costs the session nothing', async () => {
    const first = await atCode();
    for (let i = 0; i < 4; i++) await verify(both.one, first, WRONG_CODE);
    const second = await atCode();
    await verify(both.one, second, WRONG_CODE);
    expect((await verify(both.one, second, RIGHT_CODE)).error?.data.reason).toBe('too_many_tries');
    expect(await triesOf(second)).toEqual({ wrongTries: 1, triesUnderWay: 0 });
    expect(await triesOfNumber()).toBe(5);
    expect(provider.checks).toBe(5);
  });

  it('a try that is given back late is not taken from the number’s next window', async () => {
    const started = await atCode();
    const { em } = both.one.context();
    provider.check = async () => {
      // ten minutes go by, and others guess in the next window
      await em.execute(`update phone_tries set window_ends_at = window_ends_at + interval '10 minutes', tries = 3`);
      throw new DomainError('verification_unavailable', 'An outage.');
    };
    expect((await verify(both.one, started, RIGHT_CODE)).error?.data.reason).toBe('verification_unavailable');
    expect(await triesOfNumber()).toBe(3);
  });

  it('tries that were all given back begin a new window', async () => {
    const { check } = provider;
    provider.check = () => Promise.reject(new DomainError('verification_unavailable', 'An outage.'));
    await verify(both.one, await atCode(), RIGHT_CODE);
    provider.check = check;
    both.one.advance(550);
    const started = await atCode();
    for (let i = 0; i < 4; i++) await verify(both.one, started, WRONG_CODE);
    both.one.advance(60);
    const next = await atCode();
    expect((await verify(both.one, next, WRONG_CODE)).error?.data.reason).toBe('wrong_code');
    expect((await verify(both.one, next, WRONG_CODE)).error?.data.reason).toBe('too_many_tries');
  });
});

describe('the portal', () => {
  /** A call that comes when the visit is open already has a cookie that is worth nothing any more. */
  const TOLD_OF_OPEN_VISIT = [undefined, 'wrong_step', 'session_not_found'];

  async function atPortal() {
    await registerFan(both.one.context(), 'production', phone);
    const portal = openPortal(both.one);
    await portal.get('phone.sendCode', { phone });
    await expect.poll(() => provider.sent).toContain(phone);
    await portalCodeSent(both.one, phone);
    return portal.cookie;
  }

  const visitOf = (number: string) => both.one.context().em.findOneOrFail(PhoneChallenge, { phone: number });

  /** The same browser in many tabs, by turns on the two processes. */
  function guessAtOnce(cookie: string, count: number, code: string) {
    return atOnce(both, count, async (app) => {
      const tab = openPortal(app);
      tab.cookie = cookie;
      const { reason } = await tab.call('phone.verifyCode', { code });
      return { reason, cookie: tab.cookie };
    });
  }

  it.each([2, 20])('%i right codes at once: one opens it, the others are told that it has moved on', async (count) => {
    const answers = await guessAtOnce(await atPortal(), count, RIGHT_CODE);
    expect(answers.filter(({ reason }) => reason === undefined)).toHaveLength(1);
    expect(answers.filter(({ reason }) => !TOLD_OF_OPEN_VISIT.includes(reason))).toEqual([]);
    expect(await triesOfNumber()).toBe(0);
    const opened = openPortal(both.two);
    opened.cookie = answers.find(({ reason }) => reason === undefined)?.cookie ?? '';
    expect(await opened.get('session.get')).toMatchObject({ step: 'open' });
  });

  it('a provider that forgets a code once it is approved: no right code is called wrong', async () => {
    forgetApproved();
    const answers = await guessAtOnce(await atPortal(), 4, RIGHT_CODE);
    expect(answers.filter(({ reason }) => reason === undefined)).toHaveLength(1);
    expect(answers.filter(({ reason }) => !TOLD_OF_OPEN_VISIT.includes(reason))).toEqual([]);
  });

  it('two at once with one try left: the second waits for the first', async () => {
    const cookie = await atPortal();
    for (let i = 0; i < 4; i++) await guessAtOnce(cookie, 1, WRONG_CODE);
    const letGo = holdAnswers();
    using queries = vi.spyOn(both.two.runtime.pool, 'query');
    const first = openPortal(both.one);
    const second = openPortal(both.two);
    first.cookie = cookie;
    second.cookie = cookie;
    const opening = first.call('phone.verifyCode', { code: RIGHT_CODE });
    await expect.poll(async () => (await visitOf(phone)).triesUnderWay).toBe(1);
    const waiting = second.call('phone.verifyCode', { code: RIGHT_CODE });
    await expect.poll(() => JSON.stringify(queries.mock.calls)).toContain('select step, tries_under_way');
    letGo();
    expect([(await opening).status, (await waiting).reason]).toEqual([200, 'wrong_step']);
  });

  it('a right code for a number that another tab has changed meanwhile opens nothing and costs no try', async () => {
    const cookie = await atPortal();
    const { check } = provider;
    provider.check = async (...asked) => {
      await both.two.context().em.nativeUpdate(PhoneChallenge, { phone }, { phone: '+12025559999' });
      return check(...asked);
    };
    expect(await guessAtOnce(cookie, 1, RIGHT_CODE)).toMatchObject([{ reason: 'wrong_step' }]);
    expect(await triesOfNumber()).toBe(0);
    expect(await visitOf('+12025559999')).toMatchObject({ step: 'code', wrongTries: 0, triesUnderWay: 0 });
  });

  it('100 guesses at once: five are looked at and counted', async () => {
    const answers = await guessAtOnce(await atPortal(), 100, WRONG_CODE);
    expect(answers.filter(({ reason }) => reason === 'wrong_code')).toHaveLength(4);
    expect(provider.checks).toBe(5);
    expect(await triesOfNumber()).toBe(5);
    expect(await visitOf(phone)).toMatchObject({ wrongTries: 5, triesUnderWay: 0 });
  });
});
