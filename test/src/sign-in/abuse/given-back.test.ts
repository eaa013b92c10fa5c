import { beforeEach, describe, expect, it } from 'vitest';
import { CodeBreaker } from '../../../../src/entities/code-limits.ts';
import { PhoneChallenge } from '../../../../src/entities/phone-challenge.ts';
import { setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { DomainError, type DomainErrorCode } from '../../../../src/platform/errors.ts';
import { changeFan } from '../../../../src/sign-in/authorization/change-fan.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { changeNumber, sendNewNumberCode } from '../../../../src/sign-in/portal/change-number.ts';
import { checkPortalCode } from '../../../../src/sign-in/portal/check-portal-code.ts';
import { requirePortalFan } from '../../../../src/sign-in/portal/find-portal-session.ts';
import { sendPortalCode } from '../../../../src/sign-in/portal/send-portal-code.ts';
import { checkCode } from '../../../../src/sign-in/verification/check-code.ts';
import { sendCode } from '../../../../src/sign-in/verification/send-code.ts';
import { challengeOf, ofSession, portalCodeSent } from '../../../support/phone-challenge.ts';
import { enableProductionClient } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import {
  again,
  type Counted,
  countSent,
  forgetCodes,
  openSession,
  RIGHT_CODE,
  readCounts,
  refusalOf,
  withoutAddress,
} from './code-stage.ts';

/** A code that is not sent is counted nowhere, but for the address that asked; one that is entered right keeps no place. */
const LIMITS = { perPhone: 5, perRange: 5, perAddress: 1000, perClient: 20, perDay: 100 };
const PHONE = '+12025550142';
const ADDRESS = '192.0.2.1';

let clientId: string;
let provider: Counted;
const app = await testApp({ codeLimits: LIMITS });
beforeEach(async () => {
  await forgetCodes(app);
  provider = countSent(app);
  ({ clientId } = await enableProductionClient(app));
});

const newSession = () => openSession(app, clientId);

/** Asks in the session as it is found now. */
async function ask(session: Session, phone = PHONE) {
  const context = app.context();
  return refusalOf(sendCode(context, await again(context, session), phone, ADDRESS));
}

const outage = () => Promise.reject(new DomainError('verification_unavailable', 'An outage.'));

it('only codes that are sent count: somebody without the fan’s session cannot block a number with fewer codes than the limit', async () => {
  const stranger = await newSession();
  const found = await again(app.context(), stranger);
  // parallel, one after the other, to other numbers in between, in an outage
  await Promise.all(Array.from({ length: 12 }, () => refusalOf(sendCode(app.context(), found, PHONE, ADDRESS))));
  for (let i = 0; i < 12; i++) await ask(stranger);
  const { send } = provider;
  provider.send = outage;
  for (let i = 0; i < 12; i++) await ask(await newSession());
  provider.send = send;
  expect(provider.sent).toEqual([PHONE]);
  for (let i = 0; i < 4; i++) expect(await ask(await newSession())).toBeUndefined();
  expect((await ask(await newSession()))?.code).toBe('rate_limited');
  expect(provider.sent).toHaveLength(5);
});

type Session = Awaited<ReturnType<typeof newSession>>;

/** Why a code is refused, with which error, and what brings it about. @returns the number to ask for, if not the usual one */
const REFUSALS: [why: string, code: DomainErrorCode, arrange: (session: Session) => Promise<unknown>][] = [
  ['too soon after the last one', 'resend_too_soon', (session) => ask(session)],
  ['the session moved on', 'wrong_step', (session) => change(session, { step: 'done' })],
  ['the session has sent its five', 'rate_limited', (session) => change(session, { codesSent: 5 })],
  [
    'a kill switch for the country',
    'verification_unavailable',
    () => setKillSwitch(app.context(), { kind: 'sms_country', country: 'US' }, 'fraud', 'staff:test'),
  ],
  [
    'the number is at its limit',
    'rate_limited',
    async () => {
      for (let i = 0; i < 5; i++) await ask(await newSession());
    },
  ],
  [
    'the range is at its limit',
    'rate_limited',
    async () => {
      for (let i = 0; i < 5; i++) await ask(await newSession(), `+12025559${100 + i}`);
      return '+12025559999';
    },
  ],
  ['the breaker is open', 'verification_unavailable', () => openBreaker('US', 600)],
  [
    'the breaker of all countries is open, and this one’s on trial',
    'verification_unavailable',
    async () => {
      await openBreaker('US', -1);
      await openBreaker('all', 600);
    },
  ],
  [
    'the client is at its limit',
    'rate_limited',
    async () => {
      for (let i = 0; i < 20; i++) await ask(await newSession(), `+1202${5000000 + i * 10_000}`);
      await openBreaker('US', -1);
    },
  ],
  [
    'the budget is spent',
    'verification_unavailable',
    async () => {
      const { em, now } = app.context();
      await em.execute('insert into code_budget (day, sent) values (?, 100)', [now().toISOString().slice(0, 10)]);
      await openBreaker('US', -1);
    },
  ],
  [
    'the provider is down',
    'verification_unavailable',
    async () => {
      provider.send = outage;
      await openBreaker('US', -1);
      await openBreaker('all', -1);
    },
  ],
  [
    'the provider refuses the number',
    'invalid_phone',
    async () => {
      provider.send = () => Promise.reject(new DomainError('invalid_phone', 'A landline.'));
      await openBreaker('US', -1);
    },
  ],
];

/** The number under verification of a session, as other calls have left it. */
function change({ id }: Session, changes: { step?: 'done'; codesSent?: number }) {
  const { em, now } = app.context();
  return em.upsert(PhoneChallenge, { ...ofSession(id), mode: 'production', expiresAt: now(), ...changes });
}

async function openBreaker(scope: string, seconds: number): Promise<void> {
  const { em, now } = app.context();
  const retryAt = new Date(now().getTime() + seconds * 1000);
  await em.insert(CodeBreaker, { scope, openedAt: now(), retryAt, trips: 1, trials: 3, verified: 0 });
}

describe('a refusal leaves every count as it was', () => {
  it.each(REFUSALS)('%s', async (_, code, arrange) => {
    const session = await newSession();
    const other = await arrange(session);
    const phone = typeof other === 'string' && other.startsWith('+') ? other : undefined;
    const before = withoutAddress(await readCounts(app));
    const found = await challengeOf(app, session.id);
    for (let i = 0; i < 3; i++) expect((await ask(session, phone))?.code).toBe(code);
    expect(withoutAddress(await readCounts(app))).toEqual(before);
    expect((await challengeOf(app, session.id))?.codesSent).toBe(found?.codesSent);
  });

  it.each(REFUSALS.slice(0, 3))('%s: not even the address is counted', async (_, __, arrange) => {
    const session = await newSession();
    await arrange(session);
    const before = await readCounts(app);
    await ask(session);
    expect(await readCounts(app)).toEqual(before);
  });

  it('the address keeps what got past the session, also where the provider is down', async () => {
    provider.send = outage;
    const session = await newSession();
    for (let i = 0; i < 3; i++) await ask(session);
    expect(await readCounts(app)).toEqual({ 'code address': 3 });
  });
});

describe('a code that is entered right gives the address, the range and the client their place back', () => {
  const PLACES = ['code address', 'code range', 'code client'];
  const places = async () => {
    const counts = await readCounts(app);
    return PLACES.map((name) => counts[name] ?? 0);
  };
  const enter = async (session: Session, code = RIGHT_CODE) => {
    const context = app.context();
    return refusalOf(checkCode(context, await again(context, session), code));
  };

  it('so that any number of fans sign in behind one address; the number, the budget and the breaker keep theirs', async () => {
    for (let i = 0; i < 25; i++) {
      const session = await newSession();
      // of one range, whose limit is five; the client's is twenty
      expect(await ask(session, `+1202555${1000 + i}`)).toBeUndefined();
      expect(await enter(session)).toBeUndefined();
    }
    expect(await places()).toEqual([0, 0, 0]);
    expect(await readCounts(app)).toMatchObject({
      'code phone hour': 25,
      'code phone day': 25,
      budget: 25,
      traffic: 25,
    });
  });

  it('a wrong code, and one that is not entered, keep theirs', async () => {
    const session = await newSession();
    await ask(session);
    await ask(await newSession());
    expect((await enter(session, '000000'))?.code).toBe('wrong_code');
    expect(await places()).toEqual([2, 2, 2]);
  });

  it('of a code that was sent again, the second gives back its place, and the first was not entered', async () => {
    const session = await newSession();
    await ask(session);
    app.advance(31);
    await ask(session);
    await enter(session);
    expect(await places()).toEqual([1, 1, 1]);
  });

  it('once, however many right codes of a sign-in come at once, and none where another fan follows in it', async () => {
    const session = await newSession();
    await ask(await newSession());
    await ask(session);
    await Promise.all(Array.from({ length: 5 }, () => enter(session)));
    expect(await places()).toEqual([1, 1, 1]);
    await changeFan(app.context(), await again(app.context(), session));
    await enter(session);
    expect(await places()).toEqual([1, 1, 1]);
  });

  it('to the window from which it was taken, and not to a later one', async () => {
    await ask(await newSession());
    app.advance(3500);
    const session = await newSession();
    await ask(session);
    app.advance(200);
    for (let i = 0; i < 2; i++) await ask(await newSession());
    expect(await enter(session)).toBeUndefined();
    expect(await places()).toEqual([2, 2, 2]);
  });

  it('never below nothing', async () => {
    const session = await newSession();
    await ask(session);
    await app.context().em.execute('update rate_limit set points = 0');
    await enter(session);
    const rows = await app.context().em.execute<{ points: number }[]>('select points from rate_limit');
    expect(rows.map(({ points }) => points)).toEqual(rows.map(() => 0));
  });

  it('also where the right code signs nobody in, because staff have stopped the fan', async () => {
    const fan = await registerFan(app.context(), 'production', PHONE);
    await setKillSwitch(app.context(), { kind: 'fan', fanId: fan.id }, 'fraud', 'staff:test');
    const session = await newSession();
    await ask(session);
    expect((await enter(session))?.code).toBe('fan_stopped');
    expect(await places()).toEqual([0, 0, 0]);
  });
});

describe('a count is given back to the window that it was taken from', () => {
  it('and not to the next one', async () => {
    const { send } = provider;
    const first = await newSession();
    provider.send = async (phone) => {
      provider.send = send;
      // an hour goes by while the provider is asked, and others take the number's next window
      app.advance(3601);
      for (let i = 0; i < 4; i++) await ask(await newSession());
      return outage().then(() => phone);
    };
    expect((await ask(first))?.code).toBe('verification_unavailable');
    expect(await readCounts(app)).toMatchObject({ 'code phone hour': 4, 'code range': 4 });
  });

  it('a window in which everything was given back begins again with the next code', async () => {
    const { send } = provider;
    provider.send = outage;
    await ask(await newSession());
    provider.send = send;
    app.advance(3500);
    for (let i = 0; i < 5; i++) await ask(await newSession());
    app.advance(200);
    expect((await ask(await newSession()))?.code).toBe('rate_limited');
  });
});

describe('the portal', () => {
  let phone: string;
  let numbers = 100;
  beforeEach(async () => {
    phone = await newFan();
  });

  /** A number of a block of its own. */
  const newNumber = () => `+1202${5000000 + numbers++ * 10_000}`;

  async function newFan(): Promise<string> {
    const number = newNumber();
    await registerFan(app.context(), 'production', number);
    return number;
  }

  const askPortal = (secret: string | undefined, number: string, address = ADDRESS) =>
    sendPortalCode(app.context(), secret, number, address);

  const signIn = async (number: string) =>
    (await refusalOf(sendCode(app.context(), await newSession(), number, '198.51.100.1')))?.code;

  const visits = () => app.context().em.find(PhoneChallenge, {}, { orderBy: { expiresAt: 'asc' } });

  it('ten calls of one visit at once send one code and count one', async () => {
    const { secret } = await askPortal(undefined, await newFan());
    await Promise.all(Array.from({ length: 10 }, () => refusalOf(askPortal(secret, phone))));
    await portalCodeSent(app, phone);
    expect(provider.sent.filter((number) => number === phone)).toEqual([phone]);
    expect(await readCounts(app)).toMatchObject({
      'code address': 2,
      'code phone hour': 2,
      'code client': 2,
      budget: 2,
    });
    expect((await visits()).map(({ codesSent }) => codesSent)).toEqual([2]);
  });

  it('nobody keeps a number, or its range, from signing in by asking for it here: nothing is sent to strangers', async () => {
    const stranger = newNumber();
    for (let i = 0; i < 7; i++) await refusalOf(askPortal(undefined, stranger, `198.51.100.${i}`));
    expect(provider.sent).toEqual([]);
    for (let i = 0; i < 5; i++) expect(await signIn(stranger)).toBeUndefined();
    expect(provider.sent).toHaveLength(5);
  });

  it('a sign-in does not disclose whether the portal has sent to a number', async () => {
    const told = [];
    for (const number of [phone, newNumber()]) {
      for (let i = 0; i < 5; i++) await askPortal(undefined, number, `198.51.100.${i}`);
      if (number === phone) await expect.poll(() => provider.sent).toHaveLength(5);
      told.push(await signIn(number));
    }
    expect(told).toEqual([undefined, undefined]);
  });

  it.each(['resend_too_soon', 'verification_unavailable', 'rate_limited'] as const)(
    'a refusal (%s) leaves all counts and the visit as they were',
    async (code) => {
      const { secret } = await askPortal(undefined, phone);
      await portalCodeSent(app, phone);
      const asked = await newFan();
      const stop = { kind: 'sms_country', country: 'US' } as const;
      if (code === 'verification_unavailable') await setKillSwitch(app.context(), stop, 'fraud', 'staff:test');
      if (code === 'rate_limited') await app.context().em.nativeUpdate(PhoneChallenge, {}, { codesSent: 5 });
      const before = { counts: await readCounts(app), visits: await visits() };
      const number = code === 'resend_too_soon' ? phone : asked;
      expect((await refusalOf(askPortal(secret, number)))?.code).toBe(code);
      expect({ counts: await readCounts(app), visits: await visits() }).toEqual(before);
    },
  );

  it('a number at its limit: the code of the number before stays good, and no visit is left behind', async () => {
    const crowded = await newFan();
    for (let i = 0; i < 5; i++) await askPortal(undefined, crowded, `198.51.100.${i}`);
    await expect.poll(() => provider.sent).toHaveLength(5);
    const { secret } = await askPortal(undefined, phone);
    await portalCodeSent(app, phone);
    // what was asked for last is forgotten
    const kept = async () =>
      (await visits()).map(({ phone: number, reference, codesSent }) => [number, reference, codesSent]);
    const before = await kept();
    expect((await refusalOf(askPortal(secret, crowded)))?.code).toBe('rate_limited');
    expect((await refusalOf(askPortal(undefined, crowded)))?.code).toBe('rate_limited');
    expect(await kept()).toEqual(before);
    await checkPortalCode(app.context(), secret, RIGHT_CODE);
  });

  it('a refusal takes nothing from a call that asked for another number meanwhile', async () => {
    const [crowded, third] = [await newFan(), await newFan()];
    for (let i = 0; i < 5; i++) await askPortal(undefined, crowded, `198.51.100.${i}`);
    const { secret } = await askPortal(undefined, phone);
    const { phoneHour } = app.runtime.codeLimiters;
    const { take } = phoneHour;
    phoneHour.take = async (...counted) => {
      phoneHour.take = take;
      await askPortal(secret, third);
      return take(...counted);
    };
    expect((await refusalOf(askPortal(secret, crowded)))?.code).toBe('rate_limited');
    await portalCodeSent(app, third);
    expect((await visits()).find((visit) => visit.phone === third)?.codesSent).toBe(2);
    await checkPortalCode(app.context(), secret, RIGHT_CODE);
  });

  it('a code that could not be sent is not counted where nobody sees it, and counts where a stranger’s does', async () => {
    let failed = 0;
    provider.send = async () => {
      failed += 1;
      throw new DomainError('verification_unavailable', 'An outage.');
    };
    await askPortal(undefined, phone);
    await expect.poll(() => failed).toBe(1);
    const counted = { 'code address': 1, 'code phone hour': 1, 'code phone day': 1 };
    await expect.poll(() => readCounts(app)).toEqual(counted);
    await askPortal(undefined, newNumber(), '198.51.100.7');
    await expect.poll(() => readCounts(app)).toEqual({ 'code address': 2, 'code phone hour': 2, 'code phone day': 2 });
  });

  it('a code that is entered right gives the address, the range and the client their place back, also for a new number', async () => {
    const kept = { 'code phone hour': 1, 'code phone day': 1, budget: 1, traffic: 1 };
    const { secret } = await askPortal(undefined, phone);
    await portalCodeSent(app, phone);
    expect(await readCounts(app)).toEqual({ ...kept, 'code address': 1, 'code range': 1, 'code client': 1 });
    const visit = await checkPortalCode(app.context(), secret, RIGHT_CODE);
    expect(await readCounts(app)).toEqual(kept);
    const fan = await requirePortalFan(app.context(), visit.secret);
    await sendNewNumberCode(app.context(), fan, newNumber(), ADDRESS);
    expect(await readCounts(app)).toMatchObject({ 'code address': 1, 'code range': 1, 'code client': 1 });
    await changeNumber(app.context(), fan, RIGHT_CODE);
    expect(await readCounts(app)).toEqual({ 'code phone hour': 2, 'code phone day': 2, budget: 2, traffic: 2 });
  });
});
