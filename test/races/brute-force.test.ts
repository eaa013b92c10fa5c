import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { checkCode } from '../../src/sign-in/verification/check-code.ts';
import { sendCode } from '../../src/sign-in/verification/send-code.ts';
import {
  again,
  type Counted,
  countSent,
  openSessions,
  RIGHT_CODE,
  refusalOf,
} from '../src/sign-in/abuse/code-stage.ts';
import { authorize, callLogin } from '../support/partner.ts';
import { enableProductionClient } from '../support/production.ts';
import { atOnce, testTwoProcesses } from './two-processes.ts';

// the limits of production, but for the one address of all tests
const { perPhone, perRange } = readConfig({}).codeLimits;
const both = await testTwoProcesses({ codeLimits: { perPhone, perRange } });
const client = await enableProductionClient(both.one);
let provider: Counted;
let phone: string;
let numbers = 100;
beforeEach(() => {
  provider = countSent(both.one, both.two);
  phone = `+12025550${numbers++}`;
});
afterEach(() => {
  vi.useRealTimers();
});

const WRONG_CODE = '000000';

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
