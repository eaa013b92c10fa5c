import { beforeEach, describe, expect, it } from 'vitest';
import { CodeBreaker } from '../../../../src/entities/code-limits.ts';
import type { DomainError } from '../../../../src/platform/errors.ts';
import { passBreaker, recordVerified } from '../../../../src/sign-in/abuse/breaker.ts';
import { checkCode } from '../../../../src/sign-in/verification/check-code.ts';
import { sendCode } from '../../../../src/sign-in/verification/send-code.ts';
import { enableProductionClient } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';
import {
  again,
  type Counted,
  countSent,
  forgetCodes,
  openSession,
  openSessions,
  RIGHT_CODE,
  refusalOf,
} from './code-stage.ts';

let provider: Counted;
let made = 0;
const app = await testApp({ codeLimits: { breakerSample: 20, breakerPercent: 20, perDay: 300 } });
const { clientId } = await enableProductionClient(app);
beforeEach(async () => {
  provider = countSent(app);
  await forgetCodes(app);
});

/** Numbers of one country, never the same twice. */
const US = () => `+1202${5000000 + (made++ % 1_000_000)}`;
const GB = () => `+447400${String(made++).padStart(6, '0')}`;
const DE = () => `+4915112${String(made++).padStart(6, '0')}`;

/** Codes for new numbers, the first `verified` of which are typed in. @returns the refusals */
async function send(count: number, number: () => string, verified = 0): Promise<DomainError[]> {
  const sessions = await openSessions(app, clientId, count);
  const answers = await Promise.all(
    sessions.map(async (session, i) => {
      const context = app.context();
      const refusal = await refusalOf(sendCode(context, session, number(), '192.0.2.1'));
      if (!refusal && i < verified) await checkCode(app.context(), await again(app.context(), session), RIGHT_CODE);
      return refusal;
    }),
  );
  return answers.filter((answer) => answer !== undefined);
}

/** Lets the codes of before grow so old that they are judged. */
const waitToJudge = () => app.advance(181);

/** As half an hour after a stop, with half of the trials taken. @returns when they began */
async function putOnTrial(...scopes: string[]): Promise<Date> {
  const { em, now } = app.context();
  const at = new Date(now().getTime() - 60_000);
  const onTrial = { openedAt: at, retryAt: at, trips: 1, trials: 5, lastTrialAt: null, verified: 0 };
  await em.insertMany(
    CodeBreaker,
    scopes.map((scope) => ({ scope, ...onTrial })),
  );
  return at;
}

const breaker = (scope: string) => app.context().em.findOne(CodeBreaker, { scope });

describe('the breaker', () => {
  it('stops a country whose codes hardly anybody types in, and no other', async () => {
    await send(25, US, 4);
    waitToJudge();
    const [refusal] = await send(1, US);
    expect(refusal).toMatchObject({
      code: 'verification_unavailable',
      message: expect.stringContaining('this country'),
      retryAfter: 1800,
    });
    expect(await send(1, GB)).toEqual([]);
    expect(provider.sent).toHaveLength(26);
  });

  it('lets a country alone where one in five is typed in', async () => {
    await send(25, US, 5);
    waitToJudge();
    expect(await send(10, US)).toEqual([]);
  });

  it('judges no code that may still be typed in, and no country by a few codes', async () => {
    await send(19, US);
    waitToJudge();
    expect(await send(1, US)).toEqual([]);
    await send(40, GB);
    expect(await send(1, GB)).toEqual([]);
  });

  it('stops all countries where the codes of many, none of which has enough of them, are not typed in', async () => {
    const spread = [
      US,
      GB,
      DE,
      () => `+336123${String(made++).padStart(5, '0')}`,
      () => `+55119876${String(10_000 + made++)}`,
    ];
    for (const number of spread) await send(17, number);
    waitToJudge();
    const [refusal] = await send(1, () => `+8190${String(12_340_000 + made++)}`);
    expect(refusal?.message).toBe('Codes can’t be sent at the moment. Try again later.');
    expect((await breaker('all'))?.trips).toBe(1);
  });

  it('one country that is stopped does not stop all', async () => {
    await send(90, US);
    waitToJudge();
    expect(await send(1, US)).toHaveLength(1);
    await send(10, GB, 9);
    waitToJudge();
    expect(await send(1, GB)).toEqual([]);
    expect(await breaker('all')).toBeNull();
  });

  it('after half an hour ten codes go out on trial; two that are typed in let all go on', async () => {
    await send(25, US);
    waitToJudge();
    await send(1, US);
    app.advance(1801);
    expect(await send(30, US)).toHaveLength(20);
    expect(provider.sent).toHaveLength(35);
    await app.context().em.nativeUpdate(CodeBreaker, { scope: 'US' }, { trials: 8 });
    expect(await send(2, US, 2)).toEqual([]);
    expect(await breaker('US')).toBeNull();
    expect(await send(30, US)).toEqual([]);
  });

  it('trials that nobody types in lead to a longer stop', async () => {
    await send(25, US);
    waitToJudge();
    await send(1, US);
    app.advance(1801);
    await send(12, US);
    waitToJudge();
    await send(1, US);
    const stopped = await breaker('US');
    expect(stopped).toMatchObject({ trips: 2, trials: 0 });
    expect(Number(stopped?.retryAt) - Number(stopped?.openedAt)).toBe(3_600_000);
    app.advance(3590);
    expect(await send(1, US)).toHaveLength(1);
    app.advance(20);
    expect(await send(1, US)).toEqual([]);
  });

  it('a stop after thousands of others is as long as the longest', async () => {
    const { em, now } = app.context();
    const at = new Date(now().getTime() - 600_000);
    const onTrial = { openedAt: at, retryAt: at, trips: 5000, trials: 10, lastTrialAt: at, verified: 0 };
    await em.insert(CodeBreaker, { ...onTrial, scope: 'US' });
    expect(await send(1, US)).toHaveLength(1);
    const stopped = await breaker('US');
    expect(stopped).toMatchObject({ trips: 5001, trials: 0 });
    expect(Number(stopped?.retryAt) - Number(stopped?.openedAt)).toBe(8 * 1_800_000);
  });

  it('what another breaker holds back uses up no trial of a country, and does not prolong its stop', async () => {
    const { em, now } = app.context();
    const opened = { openedAt: now(), trips: 1, trials: 0, verified: 0 };
    await em.insertMany(CodeBreaker, [
      { ...opened, scope: 'US', retryAt: new Date(now().getTime() - 1000) },
      { ...opened, scope: 'all', retryAt: new Date(now().getTime() + 600_000) },
    ]);
    expect(await send(12, US)).toHaveLength(12);
    waitToJudge();
    expect(await send(1, US)).toHaveLength(1);
    expect(await breaker('US')).toMatchObject({ trips: 1, trials: 0 });
  });

  it('a code of before the stop that is typed in late is no trial', async () => {
    const late = await openSession(app, clientId);
    await sendCode(app.context(), late, US(), '192.0.2.1');
    await send(25, US);
    waitToJudge();
    await send(1, US);
    const { verified } = (await breaker('US')) ?? {};
    await checkCode(app.context(), await again(app.context(), late), RIGHT_CODE);
    expect((await breaker('US'))?.verified).toBe(verified);
  });

  it('codes on trial lock a country and all countries in one order, wherever their rows lie', async () => {
    const context = app.context();
    const { em } = context;
    await putOnTrial('US', 'all');
    const [first, second] = (
      await em.execute<{ scope: string }[]>('select scope from code_breaker order by scope')
    ).map(({ scope }) => scope);
    await em.execute('update code_breaker set trips = trips + 1 where scope = ?', [first]);
    // with these, the rows are read as they lie
    await em.execute('analyze code_breaker');
    const { counted } = await em.fork().transactional(async (holder) => {
      const lock = (scope?: string) =>
        holder.execute<unknown[]>('select 1 from code_breaker where scope = ? for update skip locked', [scope]);
      expect(await lock(first)).toHaveLength(1);
      const counted = recordVerified(app.context(), US(), context.now());
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
      expect(await lock(second)).toHaveLength(1);
      return { counted };
    });
    await counted;
    expect((await em.find(CodeBreaker, {}, { refresh: true })).map(({ verified }) => verified)).toEqual([1, 1]);
  });

  it('a trial that is given back holds one breaker at a time', async () => {
    const { em } = app.context();
    await putOnTrial('US', 'all');
    const giveBack = await passBreaker(app.context(), 'US');
    const { given } = await em.fork().transactional(async (holder) => {
      await holder.execute(`select 1 from code_breaker where scope = 'all' for update`);
      const given = giveBack();
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
      expect((await breaker('US'))?.trials).toBe(5);
      return { given };
    });
    await given;
    expect((await em.find(CodeBreaker, {}, { refresh: true })).map(({ trials }) => trials)).toEqual([5, 5]);
  });

  it('a code that took no trial gives none back, and one that did gives it back to its own trial', async () => {
    const { em } = app.context();
    const passed = await passBreaker(app.context(), 'US');
    const at = await putOnTrial('US');
    await passed();
    expect((await breaker('US'))?.trials).toBe(5);
    const onTrialOfBefore = await passBreaker(app.context(), 'US');
    await em.nativeUpdate(CodeBreaker, { scope: 'US' }, { retryAt: new Date(at.getTime() + 1000), trials: 3 });
    await onTrialOfBefore();
    expect((await app.context().em.findOne(CodeBreaker, { scope: 'US' }))?.trials).toBe(3);
  });
});

it('the budget of a day: is never overspent, also by a crowd, and is there again on the next day', async () => {
  const { em, now } = app.context();
  await em.execute('insert into code_budget (day, sent) values (?, 290)', [now().toISOString().slice(0, 10)]);
  const refusals = await send(40, GB);
  expect(provider.sent).toHaveLength(10);
  expect(refusals).toHaveLength(30);
  expect(refusals[0]).toMatchObject({ code: 'verification_unavailable', message: expect.stringContaining('later') });
  const midnight = new Date(now()).setUTCHours(24, 0, 0, 0);
  expect(Math.abs((refusals[0]?.retryAfter ?? 0) - (midnight - now().getTime()) / 1000)).toBeLessThan(60);
  app.advance(refusals[0]?.retryAfter ?? 0);
  expect(await send(1, DE)).toEqual([]);
});
