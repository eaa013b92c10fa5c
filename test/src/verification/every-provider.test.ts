import { createSecretKey } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/errors.ts';
import { deriveKeys } from '../../../src/keys/seal.ts';
import { createFallbackProvider } from '../../../src/verification/fallback-provider.ts';
import { createLogProvider } from '../../../src/verification/log-provider.ts';
import type { VerificationProvider } from '../../../src/verification/provider.ts';
import { createTwilioProvider } from '../../../src/verification/twilio-provider.ts';
import { otherThan } from '../../adapters/login/login-calls.ts';
import {
  ACCOUNT_SID,
  API_KEY_SECRET,
  API_KEY_SID,
  FALLBACK_SERVICE_SID,
  SERVICE_SID,
  startTwilioStandIn,
  type TwilioStandIn,
} from '../../support/twilio-stand-in.ts';

const silent = pino({ level: 'silent' });
const secrets = deriveKeys(createSecretKey(Buffer.alloc(32, 1)));

let standIn: TwilioStandIn;
let nobodyThere: string;
beforeAll(async () => {
  standIn = await startTwilioStandIn();
  const gone = await startTwilioStandIn();
  await gone.stop();
  nobodyThere = gone.baseUrl;
});
afterAll(() => standIn.stop());

const twilio = (serviceSid: string, baseUrl = standIn.baseUrl) =>
  createTwilioProvider({
    accountSid: ACCOUNT_SID,
    username: API_KEY_SID,
    password: API_KEY_SECRET,
    serviceSid,
    baseUrl,
    log: silent,
  });

function log(): Made {
  const codes = new Map<unknown, string>();
  const write = (line: string) => void codes.set(JSON.parse(line).phone, JSON.parse(line).code);
  return {
    provider: createLogProvider({ log: pino({}, { write }), secrets }),
    codeFor: (phone) => codes.get(phone) ?? 'no code',
  };
}

interface Made {
  provider: VerificationProvider;
  codeFor(phone: string): string;
}

const PROVIDERS: Record<string, () => Made> = {
  log,
  twilio: () => ({ provider: twilio(SERVICE_SID), codeFor: standIn.codeFor }),
  'fallback, the first working': () => ({
    provider: createFallbackProvider({ log: silent }, twilio(SERVICE_SID), twilio(FALLBACK_SERVICE_SID)),
    codeFor: standIn.codeFor,
  }),
  'fallback, the first failing': () => ({
    provider: createFallbackProvider({ log: silent }, twilio(SERVICE_SID, nobodyThere), twilio(FALLBACK_SERVICE_SID)),
    codeFor: standIn.codeFor,
  }),
};

let numbers = 100;
const newPhone = () => `+12025550${numbers++}`;

describe.each(Object.keys(PROVIDERS))('the port, by provider: %s', (name) => {
  let made: Made;
  beforeAll(() => {
    const make = PROVIDERS[name];
    if (!make) throw new Error(`no provider ${name}`);
    made = make();
  });

  async function sent(phone = newPhone()) {
    const reference = await made.provider.send(phone);
    return { phone, reference, code: made.codeFor(phone) };
  }

  it('the code that was sent is right', async () => {
    const { phone, reference, code } = await sent();
    expect(code).toMatch(/^\d{6}$/);
    expect(await made.provider.check(phone, reference, code)).toBe(true);
  });

  it('another code is wrong, and the right one stays right', async () => {
    const { phone, reference, code } = await sent();
    expect(await made.provider.check(phone, reference, otherThan(code))).toBe(false);
    expect(await made.provider.check(phone, reference, '')).toBe(false);
    expect(await made.provider.check(phone, reference, code)).toBe(true);
  });

  it('a code is right for its own number only', async () => {
    const mine = await sent();
    const theirs = await sent();
    if (mine.code !== theirs.code) {
      expect(await made.provider.check(theirs.phone, theirs.reference, mine.code)).toBe(false);
    }
    const borrowed = await made.provider.check(theirs.phone, mine.reference, mine.code).catch((error) => error);
    expect(borrowed === false || borrowed instanceof DomainError).toBe(true);
  });

  it('after sending again, the newest code is right under the newest reference', async () => {
    const first = await sent();
    const second = await sent(first.phone);
    expect(await made.provider.check(second.phone, second.reference, second.code)).toBe(true);
  });

  it('a reference of another provider makes no code right', async () => {
    const { phone, code } = await sent();
    for (const reference of ['', 'x', `fallback:${'A'.repeat(43)}`, 'A'.repeat(43)]) {
      const answer = await made.provider.check(phone, reference, code).catch((error) => error);
      expect(answer === false || answer instanceof DomainError, `${reference}: ${answer}`).toBe(true);
    }
  });

  it('the reference gives neither code nor number away', async () => {
    const { phone, reference, code } = await sent();
    expect(reference).not.toContain(code);
    expect(reference).not.toContain(phone.slice(1));
  });
});
