import { beforeEach, describe, expect, it } from 'vitest';
import { PhoneChallenge } from '../../../../src/entities/phone-challenge.ts';
import { setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { changeNumber, sendNewNumberCode } from '../../../../src/sign-in/portal/change-number.ts';
import { checkPortalCode } from '../../../../src/sign-in/portal/check-portal-code.ts';
import { requirePortalFan } from '../../../../src/sign-in/portal/find-portal-session.ts';
import { sendPortalCode } from '../../../../src/sign-in/portal/send-portal-code.ts';
import { sendCode } from '../../../../src/sign-in/verification/send-code.ts';
import { portalCodeSent } from '../../../support/phone-challenge.ts';
import { enableProductionClient } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { type Counted, countSent, forgetCodes, openSession, RIGHT_CODE, readCounts, refusalOf } from './code-stage.ts';

const LIMITS = { perPhone: 5, perRange: 5, perAddress: 20 };
const ADDRESS = '192.0.2.1';

let provider: Counted;
let phone: string;
let numbers = 100;
const app = await testApp({ codeLimits: LIMITS });
beforeEach(async () => {
  provider = countSent(app);
  await forgetCodes(app);
  phone = await newFan();
});

/** A number of a block of its own. */
const newNumber = () => `+1202${5000000 + numbers++ * 10_000}`;

async function newFan(): Promise<string> {
  const number = newNumber();
  await registerFan(app.context(), 'production', number);
  return number;
}

const ask = (secret: string | undefined, number: string, address = ADDRESS) =>
  sendPortalCode(app.context(), secret, number, address);

const codeOnPhone = (number: string) => portalCodeSent(app, number);

async function signIn(number: string): Promise<string | undefined> {
  const { clientId } = await enableProductionClient(app);
  const session = await openSession(app, clientId);
  return (await refusalOf(sendCode(app.context(), session, number, '198.51.100.1')))?.code;
}

const visits = () => app.context().em.find(PhoneChallenge, {}, { orderBy: { expiresAt: 'asc' } });

describe('the portal', () => {
  it('ten calls of one visit at once send one code and count one', async () => {
    const { secret } = await ask(undefined, await newFan());
    await Promise.all(Array.from({ length: 10 }, () => refusalOf(ask(secret, phone))));
    await codeOnPhone(phone);
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
    for (let i = 0; i < 7; i++) await refusalOf(ask(undefined, stranger, `198.51.100.${i}`));
    expect(provider.sent).toEqual([]);
    for (let i = 0; i < 5; i++) expect(await signIn(stranger)).toBeUndefined();
    expect(provider.sent).toHaveLength(5);
  });

  it('a sign-in does not disclose whether the portal has sent to a number', async () => {
    const told = [];
    for (const number of [phone, newNumber()]) {
      for (let i = 0; i < 5; i++) await ask(undefined, number, `198.51.100.${i}`);
      if (number === phone) await expect.poll(() => provider.sent).toHaveLength(5);
      told.push(await signIn(number));
    }
    expect(told).toEqual([undefined, undefined]);
  });

  it.each(['resend_too_soon', 'verification_unavailable', 'rate_limited'] as const)(
    'a refusal (%s) leaves all counts and the visit as they were',
    async (code) => {
      const { secret } = await ask(undefined, phone);
      await codeOnPhone(phone);
      const asked = await newFan();
      const stop = { kind: 'sms_country', country: 'US' } as const;
      if (code === 'verification_unavailable') await setKillSwitch(app.context(), stop, 'fraud', 'staff:test');
      if (code === 'rate_limited') await app.context().em.nativeUpdate(PhoneChallenge, {}, { codesSent: 5 });
      const before = { counts: await readCounts(app), visits: await visits() };
      const number = code === 'resend_too_soon' ? phone : asked;
      expect((await refusalOf(ask(secret, number)))?.code).toBe(code);
      expect({ counts: await readCounts(app), visits: await visits() }).toEqual(before);
    },
  );

  it('a number at its limit: the code of the number before stays good, and no visit is left behind', async () => {
    const crowded = await newFan();
    for (let i = 0; i < 5; i++) await ask(undefined, crowded, `198.51.100.${i}`);
    await expect.poll(() => provider.sent).toHaveLength(5);
    const { secret } = await ask(undefined, phone);
    await codeOnPhone(phone);
    // what was asked for last is forgotten
    const kept = async () =>
      (await visits()).map(({ phone: number, reference, codesSent }) => [number, reference, codesSent]);
    const before = await kept();
    expect((await refusalOf(ask(secret, crowded)))?.code).toBe('rate_limited');
    expect((await refusalOf(ask(undefined, crowded)))?.code).toBe('rate_limited');
    expect(await kept()).toEqual(before);
    await checkPortalCode(app.context(), secret, RIGHT_CODE);
  });

  it('a refusal takes nothing from a call that asked for another number meanwhile', async () => {
    const [crowded, third] = [await newFan(), await newFan()];
    for (let i = 0; i < 5; i++) await ask(undefined, crowded, `198.51.100.${i}`);
    const { secret } = await ask(undefined, phone);
    const { phoneHour } = app.runtime.codeLimiters;
    const { take } = phoneHour;
    phoneHour.take = async (...counted) => {
      phoneHour.take = take;
      await ask(secret, third);
      return take(...counted);
    };
    expect((await refusalOf(ask(secret, crowded)))?.code).toBe('rate_limited');
    await codeOnPhone(third);
    expect((await visits()).find((visit) => visit.phone === third)?.codesSent).toBe(2);
    await checkPortalCode(app.context(), secret, RIGHT_CODE);
  });

  it('a code that could not be sent is not counted where nobody sees it, and counts where a stranger’s does', async () => {
    let failed = 0;
    provider.send = async () => {
      failed += 1;
      throw new DomainError('verification_unavailable', 'An outage.');
    };
    await ask(undefined, phone);
    await expect.poll(() => failed).toBe(1);
    const counted = { 'code address': 1, 'code phone hour': 1, 'code phone day': 1 };
    await expect.poll(() => readCounts(app)).toEqual(counted);
    await ask(undefined, newNumber(), '198.51.100.7');
    await expect.poll(() => readCounts(app)).toEqual({ 'code address': 2, 'code phone hour': 2, 'code phone day': 2 });
  });

  it('a code that is entered right gives the address, the range and the client their place back, also for a new number', async () => {
    const kept = { 'code phone hour': 1, 'code phone day': 1, budget: 1, traffic: 1 };
    const { secret } = await ask(undefined, phone);
    await codeOnPhone(phone);
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
