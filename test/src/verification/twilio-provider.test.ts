import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DomainError } from '../../../src/errors.ts';
import { createTwilioProvider, type TwilioOptions } from '../../../src/verification/twilio-provider.ts';
import { otherThan } from '../../adapters/login/login-calls.ts';
import {
  ACCOUNT_SID,
  API_KEY_SECRET,
  API_KEY_SID,
  AUTH_TOKEN,
  SERVICE_SID,
  startTwilioStandIn,
  type Trouble,
  type TwilioStandIn,
  twilioError,
} from '../../support/twilio-stand-in.ts';

const PHONE = '+12025550142';
/** Milliseconds, for answers that do not come. */
const SHORT = 700;

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
  const outcome = await work.then(
    () => undefined,
    (error) => error,
  );
  if (outcome?.name !== 'DomainError') throw new Error(`no refusal by the domain: ${outcome}`);
  return outcome;
}

/** Takes connections and says nothing. */
function createSilentServer() {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  return {
    server,
    visits: () => sockets.length,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function atCheck() {
  const provider = provide();
  const reference = await provider.send(PHONE);
  return { provider, reference, code: standIn.codeFor(PHONE) };
}

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const LEVEL = { info: 30, warn: 40, error: 50 };

describe('Twilio Verify: requests', () => {
  it.each([
    ['an API key', API_KEY_SID, API_KEY_SECRET],
    ['the account’s token', ACCOUNT_SID, AUTH_TOKEN],
  ])('are signed in by %s', async (_, username, password) => {
    const provider = provide({ username, password });
    const reference = await provider.send(PHONE);
    expect(reference).toMatch(/^VE[0-9a-f]{32}$/);
    expect(await provider.check(PHONE, reference, standIn.codeFor(PHONE))).toBe(true);
    expect(standIn.calls).toEqual({ send: 1, check: 1 });
  });

  it('a code sent again within ten minutes is the same one, under the same reference', async () => {
    const { provider, reference, code } = await atCheck();
    expect(await provider.send(PHONE)).toBe(reference);
    expect(standIn.codeFor(PHONE)).toBe(code);
  });

  it('a reference that no Verify service made is expired, and Twilio is not asked', async () => {
    expect((await refusal(provide().check(PHONE, 'VE-none', '123456'))).code).toBe('code_expired');
    expect(standIn.calls.check).toBe(0);
  });
});

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

  it('the sixth code within ten minutes', async () => {
    const provider = provide();
    for (let i = 0; i < 5; i++) await provider.send(PHONE);
    expect((await refusal(provider.send(PHONE))).code).toBe('rate_limited');
    standIn.expireAll();
    await provider.send(PHONE);
  });

  it('wrong credentials are told by the real check too', async () => {
    const error = await refusal(provide({ password: 'another secret of 30 letters' }).send(PHONE));
    expect(error.code).toBe('verification_unavailable');
    expect(logged()[0]).toMatchObject({ level: LEVEL.error, msg: expect.stringContaining('check the credentials') });
  });
});

describe('Twilio Verify: a code is not checked', () => {
  it('a wrong code is false five times; then no code is right any more', async () => {
    const { provider, reference, code } = await atCheck();
    for (let i = 0; i < 5; i++) expect(await provider.check(PHONE, reference, otherThan(code))).toBe(false);
    expect((await refusal(provider.check(PHONE, reference, code))).code).toBe('too_many_tries');
  });

  it('an approved code works once', async () => {
    const { provider, reference, code } = await atCheck();
    expect(await provider.check(PHONE, reference, code)).toBe(true);
    expect((await refusal(provider.check(PHONE, reference, code))).code).toBe('code_expired');
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
    const gone = await startTwilioStandIn();
    await gone.stop();
    const error = await refusal(provide({ baseUrl: gone.baseUrl }).send(PHONE));
    expect(error.code).toBe('verification_unavailable');
    expect(logged()).toMatchObject([{ level: LEVEL.warn, reason: 'ECONNREFUSED' }]);
  });

  it('a line on which TLS never begins', async () => {
    const mute = createSilentServer();
    await new Promise<void>((resolve) => mute.server.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = `https://127.0.0.1:${(mute.server.address() as AddressInfo).port}`;
      const begin = performance.now();
      const error = await refusal(provide({ baseUrl, timeLimit: SHORT }).send(PHONE));
      expect(error.code).toBe('verification_unavailable');
      expect(performance.now() - begin).toBeLessThan(SHORT + 1500);
      expect(mute.visits()).toBe(1);
    } finally {
      mute.close();
    }
  });

  it('a redirect is not followed: credentials go to Twilio alone', async () => {
    let visits = 0;
    const elsewhere = createServer((_, response) => {
      visits += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    const redirecting = createServer((_, response) => response.writeHead(307, { location }).end());
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    try {
      const baseUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
      expect((await refusal(provide({ baseUrl }).send(PHONE))).code).toBe('verification_unavailable');
      expect(visits).toBe(0);
    } finally {
      for (const server of [elsewhere, redirecting]) {
        server.closeAllConnections();
        server.close();
      }
    }
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
