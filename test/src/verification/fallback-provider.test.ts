import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFallbackProvider } from '../../../src/verification/fallback-provider.ts';
import type { VerificationProvider } from '../../../src/verification/provider.ts';
import { createTwilioProvider } from '../../../src/verification/twilio-provider.ts';
import { UNEXPECTED_PROVIDER } from '../../support/production.ts';
import {
  ACCOUNT_SID,
  API_KEY_SECRET,
  API_KEY_SID,
  FALLBACK_SERVICE_SID,
  SERVICE_SID,
  startTwilioStandIn,
  type Trouble,
  type TwilioStandIn,
  twilioError,
} from '../../support/twilio-stand-in.ts';

const PHONE = '+12025550142';
const OUTAGE = twilioError(503, 20503, 'Service Unavailable');

let standIn: TwilioStandIn;
let lines: string[];
let provider: VerificationProvider;
beforeEach(async () => {
  standIn = await startTwilioStandIn();
  lines = [];
  provider = createFallbackProvider({ log: log() }, verify(SERVICE_SID), verify(FALLBACK_SERVICE_SID));
});
afterEach(() => standIn.stop());

const log = () => pino({}, { write: (line) => void lines.push(line) });

function verify(serviceSid: string, timeLimit?: number) {
  return createTwilioProvider({
    accountSid: ACCOUNT_SID,
    username: API_KEY_SID,
    password: API_KEY_SECRET,
    serviceSid,
    baseUrl: standIn.baseUrl,
    log: pino({ level: 'silent' }),
    ...(timeLimit !== undefined && { timeLimit }),
  });
}

describe('a fallback provider', () => {
  it('is not asked while the first one can send', async () => {
    const alone = createFallbackProvider({ log: log() }, verify(SERVICE_SID), UNEXPECTED_PROVIDER);
    const reference = await alone.send(PHONE);
    expect(await alone.check(PHONE, reference, standIn.codeFor(PHONE))).toBe(true);
    expect(lines).toEqual([]);
  });

  it.each<[string, Trouble]>([
    ['an outage', OUTAGE],
    ['a broken connection', { hangUp: true }],
    ['a broken answer', { status: 200, body: '<html>' }],
    ['wrong credentials', twilioError(401, 20003, 'Authenticate')],
    ['a service that is gone', twilioError(404, 20404, 'The resource was not found')],
  ])('sends after %s, once, and the log tells', async (_, trouble) => {
    standIn.answerNext(trouble);
    const reference = await provider.send(PHONE);
    expect(standIn.calls.send).toBe(2);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: expect.stringContaining('fallback') });
    expect(lines[0]).not.toContain(PHONE);
    expect(await provider.check(PHONE, reference, standIn.codeFor(PHONE))).toBe(true);
  });

  it('sends after a time-out; where the first had sent all the same, the newer code is right', async () => {
    const impatient = createFallbackProvider({ log: log() }, verify(SERVICE_SID, 700), verify(FALLBACK_SERVICE_SID));
    standIn.answerNext({ silent: 'at once', carriedOut: true });
    const reference = await impatient.send(PHONE);
    expect(standIn.calls.send).toBe(2);
    expect(await impatient.check(PHONE, reference, standIn.codeFor(PHONE))).toBe(true);
  });

  it.each([
    ['an invalid number', 400, 60200, 'invalid_phone'],
    ['a landline', 403, 60205, 'invalid_phone'],
    ['a range blocked for fraud', 403, 60410, 'invalid_phone'],
    ['too many codes', 429, 60203, 'rate_limited'],
    ['a crowd', 429, 20429, 'rate_limited'],
  ])('does not get round a refusal: %s (%i, %i)', async (_, status, code, reason) => {
    standIn.answerNext(twilioError(status, code, 'Invalid parameter: To'));
    await expect(provider.send(PHONE)).rejects.toMatchObject({ code: reason });
    expect(standIn.calls.send).toBe(1);
  });

  it('does not hide a fault of ours', async () => {
    const faulty = createFallbackProvider({ log: log() }, UNEXPECTED_PROVIDER, verify(SERVICE_SID));
    await expect(faulty.send(PHONE)).rejects.toThrow('was asked to send');
    expect(standIn.calls.send).toBe(0);
  });

  it('where both can not send, that is told', async () => {
    standIn.answerAlways(OUTAGE);
    await expect(provider.send(PHONE)).rejects.toMatchObject({ code: 'verification_unavailable', retryAfter: 30 });
    expect(standIn.calls.send).toBe(2);
  });

  it('a code is checked by the one that sent it, whatever became of the other', async () => {
    const byFirst = { reference: await provider.send(PHONE), code: standIn.codeFor(PHONE) };
    standIn.answerAlways(OUTAGE, SERVICE_SID);
    const other = '+12025550143';
    const bySecond = { reference: await provider.send(other), code: standIn.codeFor(other) };
    expect(await provider.check(other, bySecond.reference, bySecond.code)).toBe(true);
    await expect(provider.check(PHONE, byFirst.reference, byFirst.code)).rejects.toMatchObject({
      code: 'verification_unavailable',
    });
    standIn.answerAlways(undefined, SERVICE_SID);
    standIn.answerAlways(OUTAGE, FALLBACK_SERVICE_SID);
    expect(await provider.check(PHONE, byFirst.reference, byFirst.code)).toBe(true);
  });

  it('codes on their way stay good when a fallback is added, and expire when it is taken away', async () => {
    const first = verify(SERVICE_SID);
    const early = await first.send(PHONE);
    expect(await provider.check(PHONE, early, standIn.codeFor(PHONE))).toBe(true);
    standIn.answerNext(OUTAGE);
    const late = await provider.send(PHONE);
    await expect(first.check(PHONE, late, standIn.codeFor(PHONE))).rejects.toMatchObject({ code: 'code_expired' });
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('is for real fans if both are: %s, %s: %s', (first, second, both) => {
    const of = (forProduction: boolean) => ({ ...UNEXPECTED_PROVIDER, forProduction });
    expect(createFallbackProvider({ log: log() }, of(first), of(second)).forProduction).toBe(both);
  });
});
