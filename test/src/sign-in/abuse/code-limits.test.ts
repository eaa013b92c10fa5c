import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CodeBudget, CodeTraffic, RateLimit } from '../../../../src/entities/code-limits.ts';
import { purge } from '../../../../src/entities/retention.ts';
import type { DomainError } from '../../../../src/platform/errors.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { sendPortalCode } from '../../../../src/sign-in/portal/send-portal-code.ts';
import { sendCode } from '../../../../src/sign-in/verification/send-code.ts';
import { expectRefused } from '../../../adapters/fan-pages/login/login-calls.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { authorize, callLogin } from '../../../support/partner.ts';
import { enableProductionClient } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import {
  type Counted,
  countSent,
  forgetCodes,
  openSession,
  openSessions,
  RIGHT_CODE,
  refusalOf,
} from './code-stage.ts';

/** Small, so that few codes reach them. */
const LIMITS = { perPhone: 5, perRange: 30, perAddress: 20, perClient: 50, countries: new Set(['US']) };

const app = await testApp({ codeLimits: LIMITS });
const second = await testApp({ codeLimits: LIMITS, databaseUrl: app.config.databaseUrl ?? '' });
let clientId: string;
let provider: Counted;
beforeEach(async () => {
  provider = countSent(app, second);
  ({ clientId } = await enableProductionClient(app));
  await forgetCodes(app);
});
afterEach(() => void vi.useRealTimers());

interface Asked {
  phone: string;
  address: string;
}

/** Asks for one code per number and address, each in a session of its own, by turns on two processes. */
async function ask(asked: Asked[]): Promise<(DomainError | undefined)[]> {
  const sessions = await openSessions(app, clientId, asked.length);
  return Promise.all(
    asked.map(({ phone, address }, i) => {
      const session = sessions[i];
      if (!session) throw new Error('a session per request');
      return refusalOf(sendCode((i % 2 ? app : second).context(), session, phone, address));
    }),
  );
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `+1202${5550000 + from + i}`);
/** Numbers each of a range of its own. */
const spread = (count: number, address: (i: number) => string): Asked[] =>
  Array.from({ length: count }, (_, i) => ({ phone: `+1202${5000000 + i * 10_000}`, address: address(i) }));
const addresses = (count: number) => Array.from({ length: count }, (_, i) => `198.51.100.${i + 1}`);
const refused = (answers: (DomainError | undefined)[]) => answers.filter((answer) => answer !== undefined);

describe('limits on codes hold over two processes', () => {
  it('per number: five an hour, ten a day, from all addresses together', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [phone = ''] = numbers(1);
    const asked = addresses(8).map((address) => ({ phone, address }));
    const answers = refused(await ask(asked));
    expect(provider.sent).toHaveLength(5);
    for (const { code, message, retryAfter = 0 } of answers) {
      expect({ code, message }).toEqual({
        code: 'rate_limited',
        message: expect.stringMatching(/^Too many codes were asked for\. Try again in (59|60) minutes\.$/),
      });
      expect(retryAfter).toBeGreaterThan(3500);
      expect(retryAfter).toBeLessThanOrEqual(3600);
    }
    vi.setSystemTime(Date.now() + 3_601_000);
    await ask(asked);
    vi.setSystemTime(Date.now() + 3_601_000);
    const waits = refused(await ask(asked)).map(({ retryAfter = 0 }) => retryAfter);
    expect(provider.sent).toHaveLength(10);
    // while five are on their way the hour may refuse the others; each of the five is told to wait for the day's end
    expect(waits.filter((wait) => wait > 70_000).length).toBeGreaterThanOrEqual(5);
    expect(waits.filter((wait) => wait > 3600 && wait <= 70_000)).toEqual([]);
    // what the day refuses takes nothing from the hour
    const [last] = refused(await ask([{ phone, address: '198.51.100.99' }]));
    expect(last?.retryAfter).toBeGreaterThan(70_000);
  });

  it('per range of 10,000 numbers: thirty an hour', async () => {
    const asked = numbers(40).map((phone, i) => ({ phone, address: `203.0.113.${i}` }));
    expect(refused(await ask(asked))).toHaveLength(10);
    expect(provider.sent).toHaveLength(30);
    await ask([{ phone: '+12025560000', address: '198.51.100.1' }]);
    expect(provider.sent).toHaveLength(31);
  });

  it.each([
    ['address', () => '192.0.2.1', '192.0.2.2'],
    ['IPv6 network of 64 bits', (i: number) => `2001:db8:0:7:${i.toString(16)}::1`, '2001:db8:0:8::1'],
  ])('per %s: twenty an hour; what is refused there is not counted for the number', async (_, address, other) => {
    expect(refused(await ask(spread(25, address)))).toHaveLength(5);
    const [phone = ''] = numbers(1);
    await ask(Array.from({ length: 20 }, (_, i) => ({ phone, address: address(i) })));
    expect(provider.sent).not.toContain(phone);
    expect(await ask([{ phone, address: other }])).toEqual([undefined]);
  });

  it('per client: so many are sent an hour; what one uses up is not missing for another', async () => {
    const asked = spread(60, (i) => `203.0.113.${i}`);
    expect(refused(await ask(asked))).toHaveLength(10);
    ({ clientId } = await enableProductionClient(app));
    expect(await ask([{ phone: '+12029990000', address: '198.51.100.9' }])).toEqual([undefined]);
  });

  it('no number and no address is kept in clear', async () => {
    await ask([{ phone: '+12025550142', address: '198.51.100.77' }]);
    const rows = JSON.stringify(await app.context().em.find(RateLimit, {}));
    expect(rows).toContain('code phone hour:');
    expect(rows).not.toMatch(/2025550142|198\.51/);
  });
});

it('a fan’s number and a stranger’s cost the same statements', async () => {
  const known = '+12025550151';
  const started = await authorize(app, { clientId, redirectUri: 'https://partner.example/callback' });
  await callLogin(app, started, 'phone.sendCode', { phone: known });
  expect((await callLogin(app, started, 'phone.verifyCode', { code: RIGHT_CODE })).status).toBe(200);
  const sent: string[][] = [];
  for (const phone of [known, '+12025550152']) {
    const next = await authorize(app, { clientId, redirectUri: 'https://partner.example/callback' });
    const { statements } = await countStatements(() => callLogin(app, next, 'phone.sendCode', { phone }));
    sent.push(statements.map((text) => text.replace(/'[^']*'/g, '?')));
  }
  expect(sent[0]?.length).toBeGreaterThan(3);
  expect(sent[0]).toEqual(sent[1]);
});

it('the page has to wait; a forged X-Forwarded-For buys nothing; sandbox is never limited', async () => {
  const forge = (i: number) => ({ 'x-forwarded-for': `203.0.113.${i}` });
  const choice = { clientId, redirectUri: 'https://partner.example/callback' };
  const sessions = await Promise.all(Array.from({ length: 21 }, () => authorize(app, choice)));
  const statuses: number[] = [];
  for (const [i, session] of sessions.entries()) {
    const answer = await fetch(`${app.config.loginUrl}/trpc/phone.sendCode`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: session.cookie,
        'x-session-id': session.sessionId,
        ...forge(i),
      },
      body: JSON.stringify({ phone: `+1202${5000000 + i * 10_000}` }),
    });
    statuses.push(answer.status);
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  const last = await authorize(app, choice);
  const { error } = await expectRefused(app, last, 'phone.sendCode', { phone: '+12029990000' }, 'rate_limited');
  expect(error?.data.retryAfter).toBeGreaterThan(3000);
  const sandbox = await authorize(app);
  expect((await callLogin(app, sandbox, 'phone.sendCode', { phone: app.kit.test_users[0]?.phone })).status).toBe(200);
});

it('the portal keeps the limits, for numbers that nobody has too, to which nothing is sent', async () => {
  const KNOWN = '+12025550142';
  const STRANGER = '+12025550143';
  await registerFan(app.context(), 'production', KNOWN);
  for (const phone of [KNOWN, STRANGER]) {
    const answers: (string | undefined)[] = [];
    for (let i = 0; i < 7; i++) {
      const asked = sendPortalCode(app.context(), undefined, phone, `198.51.100.${i}`);
      answers.push((await refusalOf(asked))?.code);
    }
    expect(answers).toEqual([...Array.from({ length: 5 }, () => undefined), 'rate_limited', 'rate_limited']);
  }
  // sending is not waited for
  await expect.poll(() => provider.sent).toEqual(Array.from({ length: 5 }, () => KNOWN));
  const elsewhere = await refusalOf(sendPortalCode(app.context(), undefined, '+447400123456', '198.51.100.9'));
  expect(elsewhere?.code).toBe('verification_unavailable');
});

it('the purge: counts go once their window is over, and not before', async () => {
  const counts = (entity: typeof RateLimit | typeof CodeTraffic | typeof CodeBudget) =>
    app.context().em.count<object>(entity);
  const kept = async () => [await counts(RateLimit), await counts(CodeTraffic), await counts(CodeBudget)];
  await sendCode(app.context(), await openSession(app, clientId), '+12025550142', '192.0.2.1');
  // address, hour, day, range, client
  expect(await kept()).toEqual([5, 1, 1]);
  await purge(app.context());
  expect(await kept()).toEqual([5, 1, 1]);
  app.advance(3700);
  await purge(app.context());
  expect(await kept()).toEqual([1, 1, 1]);
  app.advance(8 * 86_400);
  await purge(app.context());
  expect(await kept()).toEqual([0, 0, 1]);
  app.advance(91 * 86_400);
  await purge(app.context());
  expect(await kept()).toEqual([0, 0, 0]);
});
