import { spawnSync } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { decodeJwt } from 'jose';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Fan } from '../../../../src/entities/fan.ts';
import { deriveKeys } from '../../../../src/keys/seal.ts';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import {
  chooseProvider,
  createFallbackProvider,
  createLogProvider,
} from '../../../../src/sign-in/verification/choose-provider.ts';
import type { VerificationProvider } from '../../../../src/sign-in/verification/provider.ts';
import { createTwilioProvider, type TwilioOptions } from '../../../../src/sign-in/verification/twilio-provider.ts';
import { expectRefused, otherThan } from '../../../adapters/fan-pages/login/login-calls.ts';
import { CHILD_ENV } from '../../../support/child-env.ts';
import { PRODUCTION_ENV, problems } from '../../../support/config-problems.ts';
import { listen } from '../../../support/listen.ts';
import { authorize, callFan, consent, exchange, login, type Started } from '../../../support/partner.ts';
import { enableProductionClient, giveTicket, UNEXPECTED_PROVIDER } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
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
} from '../../../support/twilio-stand-in.ts';
import { refusalOf } from '../abuse/code-stage.ts';

const TWILIO = {
  TWILIO_ACCOUNT_SID: ACCOUNT_SID,
  TWILIO_API_KEY_SID: API_KEY_SID,
  TWILIO_API_KEY_SECRET: API_KEY_SECRET,
  TWILIO_VERIFY_SERVICE_SID: SERVICE_SID,
};
const app = await testApp({ env: TWILIO });
const PHONE = '+12025550142';
/** Milliseconds, for answers that do not come. A busy machine must have sent the request by then. */
const SHORT = 1_000;
const silent = pino({ level: 'silent' });

let standIn: TwilioStandIn;
let lines: string[];
beforeEach(async () => {
  standIn = await startTwilioStandIn();
  lines = [];
});
afterEach(() => standIn.stop());

function provide(changes: Partial<TwilioOptions> = {}) {
  return createTwilioProvider({
    accountSid: ACCOUNT_SID,
    username: API_KEY_SID,
    password: API_KEY_SECRET,
    serviceSid: SERVICE_SID,
    baseUrl: standIn.baseUrl,
    log: pino({ level: 'debug' }, { write: (line) => void lines.push(line) }),
    ...changes,
  });
}

async function refusal(work: Promise<unknown>): Promise<DomainError> {
  const found = await refusalOf(work);
  if (!found) throw new Error('no refusal by the domain');
  return found;
}

async function atCheck() {
  const provider = provide();
  const reference = await provider.send(PHONE);
  return { provider, reference, code: standIn.codeFor(PHONE) };
}

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const LEVEL = { info: 30, warn: 40, error: 50 };

describe('Twilio Verify: a code is not sent', () => {
  it.each<[string, number, number, string, DomainError['code'], number | undefined, keyof typeof LEVEL]>([
    ['an invalid number', 400, 60200, 'Invalid parameter: To', 'invalid_phone', undefined, 'info'],
    ['an unused number', 400, 60006, 'Invalid Phone Number', 'invalid_phone', undefined, 'info'],
    ['a landline', 403, 60205, 'SMS is not supported by landline', 'invalid_phone', undefined, 'info'],
    ['a blocked country', 403, 60605, 'Delivery attempt blocked', 'invalid_phone', undefined, 'info'],
    ['a blocked prefix', 403, 60410, 'Delivery attempt blocked', 'invalid_phone', undefined, 'info'],
    ['five codes sent', 429, 60203, 'Max send attempts reached', 'rate_limited', 600, 'info'],
    ['five codes tried', 429, 60202, 'Max check attempts reached', 'rate_limited', 600, 'info'],
    ['many at once for a number', 429, 60212, 'Too many concurrent requests', 'rate_limited', 30, 'warn'],
    ['many at once for the account', 429, 20429, 'Too Many Requests', 'rate_limited', 30, 'warn'],
    ['wrong credentials', 401, 20003, 'Authenticate', 'verification_unavailable', 30, 'error'],
    ['a restricted key', 403, 70051, 'Authorization Failed', 'verification_unavailable', 30, 'error'],
    ['no such service', 404, 20404, 'The resource was not found', 'verification_unavailable', 30, 'error'],
    ['SMS switched off', 400, 60200, 'Invalid parameter: Channel', 'verification_unavailable', 30, 'error'],
    ['an unknown refusal', 400, 69999, 'What next', 'verification_unavailable', 30, 'error'],
    ['an inner error', 500, 20500, 'Internal Server Error', 'verification_unavailable', 30, 'warn'],
    ['an outage', 503, 20503, 'Service Unavailable', 'verification_unavailable', 30, 'warn'],
  ])('%s (%i, %i): %s', async (_, status, code, message, reason, retryAfter, level) => {
    standIn.answerNext(twilioError(status, code, message));
    const error = await refusal(provide().send(PHONE));
    expect(error).toMatchObject({ code: reason, retryAfter });
    expect(error.message).not.toContain(message);
    expect(logged()).toMatchObject([{ level: LEVEL[level], provider: 'twilio', call: 'send', status, code }]);
    // 429 included: a request is never made twice
    expect(standIn.calls.send).toBe(1);
  });

  it('RFC 9457 problems are read as well', async () => {
    const body = { type: 'about:blank', title: 'Max send attempts reached', status: 429, code: 60203 };
    standIn.answerNext({ status: 429, body });
    expect(await refusal(provide().send(PHONE))).toMatchObject({ code: 'rate_limited', retryAfter: 600 });
  });

  it('wrong credentials are reported by the real check too', async () => {
    const error = await refusal(provide({ password: 'another secret of 30 letters' }).send(PHONE));
    expect(error.code).toBe('verification_unavailable');
    expect(logged()[0]).toMatchObject({ level: LEVEL.error, msg: expect.stringContaining('check the credentials') });
  });
});

describe('Twilio Verify: a code is not checked', () => {
  it('a reference that no Verify service made is expired, and Twilio is not asked', async () => {
    expect((await refusal(provide().check(PHONE, 'VE-none', '123456'))).code).toBe('code_expired');
    expect(standIn.calls.check).toBe(0);
  });

  it('a wrong code is false five times; then no code is right any more', async () => {
    const { provider, reference, code } = await atCheck();
    for (let i = 0; i < 5; i++) expect(await provider.check(PHONE, reference, otherThan(code))).toBe(false);
    expect((await refusal(provider.check(PHONE, reference, code))).code).toBe('too_many_tries');
  });

  it('ten minutes later it is expired', async () => {
    const { provider, reference, code } = await atCheck();
    standIn.expireAll();
    expect((await refusal(provider.check(PHONE, reference, code))).code).toBe('code_expired');
  });

  it.each([
    ['max_attempts_reached', 'too_many_tries'],
    ['expired', 'code_expired'],
    ['canceled', 'code_expired'],
    ['deleted', 'code_expired'],
    ['failed', 'code_expired'],
    ['a status of next year', 'verification_unavailable'],
  ])('status "%s" is %s', async (status, reason) => {
    const { provider, reference, code } = await atCheck();
    standIn.answerNext({ status: 200, body: { sid: reference, to: PHONE, status, valid: true } });
    expect((await refusal(provider.check(PHONE, reference, code))).code).toBe(reason);
  });

  it.each([
    ['crowds', 429, 20429, 'rate_limited'],
    ['wrong credentials', 401, 20003, 'verification_unavailable'],
    ['a parameter that is not the code', 400, 60200, 'verification_unavailable'],
    ['an outage', 503, 20503, 'verification_unavailable'],
  ])('%s (%i, %i): %s', async (_, status, code, reason) => {
    const sent = await atCheck();
    standIn.answerNext(twilioError(status, code, 'Invalid parameter: VerificationSid'));
    expect((await refusal(sent.provider.check(PHONE, sent.reference, sent.code))).code).toBe(reason);
    expect(await sent.provider.check(PHONE, sent.reference, sent.code)).toBe(true);
  });

  it.each([
    ['another number', { to: '+12025550143' }],
    ['another verification', { sid: `VE${'0'.repeat(32)}` }],
  ])('an approval of %s opens nothing', async (_, change) => {
    const { provider, reference, code } = await atCheck();
    standIn.answerNext({
      status: 200,
      body: { sid: reference, to: PHONE, status: 'approved', valid: true, ...change },
    });
    expect((await refusal(provider.check(PHONE, reference, code))).code).toBe('verification_unavailable');
  });
});

describe('Twilio Verify: no usable answer is verification_unavailable, in time', () => {
  it.each<[string, Trouble]>([
    ['silence', { silent: 'at once' }],
    ['silence after the headers', { silent: 'after the headers' }],
    ['an answer that drips without end', { silent: 'drop by drop' }],
    ['a broken connection', { hangUp: true }],
    ['a proxy’s page', { status: 200, body: '<html>Hello</html>' }],
    ['a proxy’s error page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['an empty answer', { status: 201, body: '' }],
    ['null', { status: 201, body: null }],
    ['a list', { status: 201, body: [] }],
    ['an object without what we need', { status: 201, body: {} }],
    ['a SID that is none', { status: 201, body: { sid: 'VE1', status: 'pending' } }],
    ['a canceled verification', { status: 201, body: { sid: `VE${'0'.repeat(32)}`, status: 'canceled' } }],
    ['an error that is null', { status: 500, body: null }],
    ['an error without a code', { status: 503, body: {} }],
    ['100 kB', { status: 201, body: { sid: `VE${'0'.repeat(32)}`, status: 'pending', more: 'x'.repeat(100_000) } }],
  ])('%s', async (_, trouble) => {
    const { reference, code } = await atCheck();
    const provider = provide('silent' in trouble ? { timeLimit: SHORT } : {});
    for (const call of [() => provider.send(PHONE), () => provider.check(PHONE, reference, code)]) {
      standIn.answerNext(trouble);
      const begin = performance.now();
      expect(await refusal(call())).toMatchObject({ code: 'verification_unavailable', retryAfter: 30 });
      expect(performance.now() - begin).toBeLessThan(SHORT + 1500);
      expect(logged().at(-1)?.level).toBe(LEVEL.warn);
    }
    expect(standIn.calls).toEqual({ send: 2, check: 1 });
  });

  it('nobody there', async () => {
    const error = await refusal(provide({ baseUrl: nobodyThere }).send(PHONE));
    expect(error.code).toBe('verification_unavailable');
    expect(logged()).toMatchObject([{ level: LEVEL.warn, reason: 'ECONNREFUSED' }]);
  });

  it('a line on which TLS never begins', async () => {
    let connections = 0;
    const mute = createTcpServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    const { port, stop } = await listen(mute);
    onTestFinished(stop);
    const begin = performance.now();
    const error = await refusal(provide({ baseUrl: `https://127.0.0.1:${port}`, timeLimit: SHORT }).send(PHONE));
    expect(error.code).toBe('verification_unavailable');
    expect(performance.now() - begin).toBeLessThan(SHORT + 1500);
    expect(connections).toBe(1);
  });

  it('a redirect is not followed: credentials go to Twilio alone', async () => {
    let visits = 0;
    const elsewhere = await listen(createServer((_, response) => response.end(String(visits++))));
    const location = elsewhere.url;
    const redirecting = await listen(createServer((_, response) => response.writeHead(307, { location }).end()));
    for (const { stop } of [elsewhere, redirecting]) onTestFinished(stop);
    expect((await refusal(provide({ baseUrl: redirecting.url }).send(PHONE))).code).toBe('verification_unavailable');
    expect(visits).toBe(0);
  });
});

it('neither the log nor an error holds a secret, a number or a code', async () => {
  const { reference, code } = await atCheck();
  const provider = provide({ timeLimit: SHORT });
  const errors: DomainError[] = [];
  for (const trouble of [
    twilioError(401, 20003, 'Authenticate'),
    twilioError(400, 60200, `Invalid parameter: To ${PHONE}`),
    twilioError(503, 20503, `${PHONE} ${code}`),
    { hangUp: true } as const,
    { silent: 'at once' } as const,
  ]) {
    standIn.answerNext(trouble);
    errors.push(await refusal(provider.send(PHONE)));
    standIn.answerNext(trouble);
    errors.push(await refusal(provider.check(PHONE, reference, code)));
  }
  const log = pino({}, { write: (line) => void lines.push(line) });
  for (const err of errors) log.error({ err }, 'as the login surface logs it');
  const all = lines.join('\n') + errors.map((error) => `${error.stack} ${JSON.stringify(error.cause)}`).join('\n');
  expect(all).toContain('20003');
  const basic = Buffer.from(`${API_KEY_SID}:${API_KEY_SECRET}`).toString('base64');
  for (const secret of [API_KEY_SECRET, basic, PHONE, PHONE.slice(1), code]) expect(all).not.toContain(secret);
});

describe('a fallback provider', () => {
  const OUTAGE = twilioError(503, 20503, 'Service Unavailable');

  let provider: VerificationProvider;
  beforeEach(() => {
    provider = createFallbackProvider({ log: log() }, verify(SERVICE_SID), verify(FALLBACK_SERVICE_SID));
  });

  const log = () => pino({}, { write: (line) => void lines.push(line) });

  const verify = (serviceSid: string, timeLimit = 10_000) => provide({ serviceSid, timeLimit, log: silent });

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
  ])('sends after %s, once, and logs it', async (_, trouble) => {
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

  it('where neither can send, codes are unavailable', async () => {
    standIn.answerAlways(OUTAGE);
    await expect(provider.send(PHONE)).rejects.toMatchObject({ code: 'verification_unavailable', retryAfter: 30 });
    expect(standIn.calls.send).toBe(2);
  });

  it('a code is checked by the service that sent it, also while the other is down', async () => {
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

const secrets = deriveKeys(createSecretKey(Buffer.alloc(32, 1)));

const gone = await startTwilioStandIn();
await gone.stop();
const nobodyThere = gone.baseUrl;

const twilio = (serviceSid: string, baseUrl = standIn.baseUrl) => provide({ serviceSid, baseUrl, log: silent });

function toLog(): Made {
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
  log: toLog,
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

describe.each(Object.entries(PROVIDERS))('the port, by provider: %s', (_, make) => {
  let made: Made;
  beforeEach(() => {
    made = make();
  });

  async function sent(phone = newPhone()) {
    const reference = await made.provider.send(phone);
    return { phone, reference, code: made.codeFor(phone) };
  }

  it('another code than the one that was sent is wrong, and the right one stays right', async () => {
    const { phone, reference, code } = await sent();
    expect(code).toMatch(/^\d{6}$/);
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

describe('the development provider', () => {
  let provider: ReturnType<typeof createLogProvider>;
  beforeEach(() => {
    provider = createLogProvider({ log: pino({}, { write: (line) => void lines.push(line) }), secrets });
  });

  async function sent() {
    const reference = await provider.send(PHONE);
    return { reference, code: String(logged().at(-1)?.code) };
  }

  it('stores no code that a plain hash gives away', async () => {
    const { reference, code } = await sent();
    const other = createLogProvider({
      log: pino({ level: 'silent' }),
      secrets: deriveKeys(createSecretKey(Buffer.alloc(32, 2))),
    });
    expect(await other.check(PHONE, reference, code)).toBe(false);
  });

  it('sends a new code each time', async () => {
    const codes = new Set<string>();
    for (let i = 0; i < 20; i++) codes.add((await sent()).code);
    expect(codes.size).toBeGreaterThan(15);
  });
});

const PRODUCTION = { ...PRODUCTION_ENV, SURFACES: 'fan,auth,login' };

/** The variables named in the refusal. */
function refusedNames(env: Record<string, string>): string[] {
  return problems(env).map((line) => line.trim().split(':')[0] ?? '');
}

function without(...names: (keyof typeof TWILIO)[]): Record<string, string> {
  return Object.fromEntries(Object.entries(TWILIO).filter(([name]) => !names.includes(name as keyof typeof TWILIO)));
}

describe('the settings of Twilio', () => {
  it('sign in by an API key', () => {
    expect(readConfig(TWILIO).verification).toEqual({
      provider: 'twilio',
      accountSid: ACCOUNT_SID,
      username: API_KEY_SID,
      password: API_KEY_SECRET,
      serviceSid: SERVICE_SID,
      fallbackServiceSid: undefined,
    });
  });

  it.each<[string, Record<string, string>, string[]]>([
    [
      'all but the account',
      { TWILIO_ACCOUNT_SID: ACCOUNT_SID },
      ['TWILIO_VERIFY_SERVICE_SID', 'TWILIO_API_KEY_SID', 'TWILIO_API_KEY_SECRET'],
    ],
    ['the account', without('TWILIO_ACCOUNT_SID'), ['TWILIO_ACCOUNT_SID']],
    ['the service', without('TWILIO_VERIFY_SERVICE_SID'), ['TWILIO_VERIFY_SERVICE_SID']],
    ['the key of a secret', without('TWILIO_API_KEY_SID'), ['TWILIO_API_KEY_SID']],
    ['the secret of a key', without('TWILIO_API_KEY_SECRET'), ['TWILIO_API_KEY_SECRET']],
    ['a second service', { ...TWILIO, TWILIO_FALLBACK_SERVICE_SID: SERVICE_SID }, ['TWILIO_FALLBACK_SERVICE_SID']],
  ])('twilio without %s is refused', (_, env, names) => {
    expect(refusedNames(env)).toEqual(names);
  });

  it.each([
    ['TWILIO_ACCOUNT_SID', API_KEY_SID],
    ['TWILIO_ACCOUNT_SID', ACCOUNT_SID.slice(1)],
    ['TWILIO_ACCOUNT_SID', ACCOUNT_SID.toLowerCase()],
    ['TWILIO_API_KEY_SID', ACCOUNT_SID],
    ['TWILIO_API_KEY_SECRET', 'short'],
    ['TWILIO_API_KEY_SECRET', `${API_KEY_SECRET} `],
    ['TWILIO_VERIFY_SERVICE_SID', 'VA1'],
    ['TWILIO_FALLBACK_SERVICE_SID', `${SERVICE_SID}0`],
  ])('%s=%s is refused, and the value not repeated', (name, value) => {
    const found = problems({ ...TWILIO, [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^  ${name}: \\S+`));
    expect(found[0]).not.toContain(value);
  });

  it.each(['VERIFICATION_LIMIT', 'TWILIO_SERVICE_SID', 'TWILIO_EDGE', 'TWILIO_LOG_LEVEL'])(
    'a name that would be ignored, or read by the package behind our back, is refused: %s',
    (name) => {
      expect(refusedNames({ ...TWILIO, [name]: 'x' })).toEqual([name]);
    },
  );

  it('production with a login surface needs twilio', () => {
    expect(refusedNames(PRODUCTION)).toEqual(['TWILIO_ACCOUNT_SID']);
    expect(refusedNames({ ...PRODUCTION, ...TWILIO })).toEqual([]);
    expect(refusedNames({ ...PRODUCTION, SURFACES: 'fan,auth' })).toEqual([]);
  });
});

describe('the provider that is chosen', () => {
  const tools = { log: silent, secrets };

  it.each<[string, Record<string, string>, string, boolean]>([
    ['nothing', {}, 'log', false],
    ['twilio', TWILIO, 'twilio', true],
    [
      'twilio and a fallback',
      { ...TWILIO, TWILIO_FALLBACK_SERVICE_SID: FALLBACK_SERVICE_SID },
      'twilio, then twilio-fallback',
      true,
    ],
  ])('for %s', async (_, env, name, forProduction) => {
    expect(await chooseProvider(readConfig(env), tools)).toMatchObject({ name, forProduction });
  });

  it('only twilio loads Twilio’s package', () => {
    const script = `
      const { createSecretKey } = await import('node:crypto');
      const { createRequire } = await import('node:module');
      const { pino } = await import('pino');
      const { chooseProvider } = await import('./src/sign-in/verification/choose-provider.ts');
      const { deriveKeys } = await import('./src/keys/seal.ts');
      const { readConfig } = await import('./src/platform/config/read-config.ts');
      const secrets = deriveKeys(createSecretKey(Buffer.alloc(32, 1)));
      await chooseProvider(readConfig(process.env), { log: pino({ level: 'silent' }), secrets });
      const loaded = Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('/twilio/'));
      process.stdout.write(String(loaded));`;
    const loads = (env: Record<string, string>) =>
      spawnSync('node_modules/.bin/node', ['--input-type=module', '-e', script], {
        env: { ...CHILD_ENV, ...env },
        encoding: 'utf8',
      });
    expect(loads({})).toMatchObject({ stdout: 'false', stderr: '', status: 0 });
    expect(loads(TWILIO)).toMatchObject({ stdout: 'true', stderr: '', status: 0 });
  });
});

describe('spec §5.6: a production sign-in by Twilio Verify', async () => {
  const client = await enableProductionClient(app);
  let phone: string;
  beforeEach(() => {
    app.runtime.verification = provide();
    phone = newPhone();
  });
  afterEach(() => app.resetClock());

  async function atCode(): Promise<Started> {
    const started = await authorize(app, client);
    await login(app, started, 'phone.sendCode', { phone });
    return started;
  }

  it('leads from an SMS to the fan’s tickets', async () => {
    const started = await atCode();
    await login(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
    const fan = await app.context().em.findOneOrFail(Fan, { mode: 'production', phone });
    const { ticket } = await giveTicket(app, fan);
    const code = (await consent(app, started)).searchParams.get('code') ?? '';
    const { access_token: token, mode } = await exchange(app, { ...started, code });
    expect(mode).toBe('production');
    expect(decodeJwt(token).sub).toBe(fan.id);
    const tickets = await callFan(app, '/tickets', token);
    expect(JSON.stringify(tickets.body)).toContain(ticket.id);
    expect(standIn.calls).toEqual({ send: 1, check: 1 });
  });

  it('an approval whose answer is lost: the code is spent and expired, which costs no try, and a new one signs in', async () => {
    const started = await atCode();
    app.runtime.verification = provide({ timeLimit: SHORT });
    standIn.answerNext({ silent: 'at once', carriedOut: true });
    const code = standIn.codeFor(phone);
    await expectRefused(app, started, 'phone.verifyCode', { code }, 'verification_unavailable');
    await expectRefused(app, started, 'phone.verifyCode', { code }, 'code_expired');
    expect((await login(app, started, 'session.get')).triesLeft).toBe(5);
    app.advance(31);
    app.runtime.verification = provide();
    await login(app, started, 'phone.sendCode', { phone });
    await login(app, started, 'phone.verifyCode', { code: standIn.codeFor(phone) });
  });
});
