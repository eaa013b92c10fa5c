import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/**
 * Twilio Verify v2 on loopback, as far as a service that sends codes by SMS uses it. It judges each request as the real
 * one documents it; one that it does not expect is answered with 500 and makes `stop` fail.
 * @see https://www.twilio.com/docs/verify/api/verification
 * @see https://www.twilio.com/docs/verify/api/verification-check
 */
export interface TwilioStandIn {
  baseUrl: string;
  /** How often each kind of request came. */
  calls: { send: number; check: number };
  /** The code of the last SMS to a number. */
  codeFor(phone: string): string;
  /** Lets the time of verifications pass: ten minutes. */
  expireAll(): void;
  /** Answers the next request in this way instead; the request is judged all the same. */
  answerNext(trouble: Trouble): void;
  /** Each later request of this service, or of all of them, is answered in this way; undefined ends it. */
  answerAlways(trouble: Trouble | undefined, serviceSid?: string): void;
  stop(): Promise<void>;
}

export type Trouble =
  | { status: number; body: unknown; carriedOut?: boolean }
  /** Says nothing more; `carriedOut`: the SMS goes out all the same. */
  | { silent: 'at once' | 'after the headers' | 'drop by drop'; carriedOut?: boolean }
  | { hangUp: true };

export const ACCOUNT_SID = `AC${'1a'.repeat(16)}`;
export const API_KEY_SID = `SK${'2b'.repeat(16)}`;
export const API_KEY_SECRET = 'sEcReTsEcReTsEcReTsEcReTsEcReT12';
export const SERVICE_SID = `VA${'3c'.repeat(16)}`;
export const FALLBACK_SERVICE_SID = `VA${'4d'.repeat(16)}`;

const LOGINS: Record<string, string> = { [API_KEY_SID]: API_KEY_SECRET };
const SENDS = 5;
const CHECKS = 5;

interface Verification {
  sid: string;
  serviceSid: string;
  to: string;
  code: string;
  sends: number;
  checks: number;
  live: boolean;
}

type Answer = { status: number; body: unknown };

/** The shape of Twilio's errors. */
export function twilioError(status: number, code: number, message: string): Answer {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

export async function startTwilioStandIn(): Promise<TwilioStandIn> {
  const verifications: Verification[] = [];
  const unexpected: string[] = [];
  const calls = { send: 0, check: 0 };
  const codes = new Map<string, string>();
  const troubles: Trouble[] = [];
  const lasting = new Map<string, Trouble>();

  function send(serviceSid: string, form: URLSearchParams): Answer {
    calls.send += 1;
    const to = field(form, 'To');
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return twilioError(400, 60200, 'Invalid parameter: To');
    let verification = verifications.find((known) => known.live && known.serviceSid === serviceSid && known.to === to);
    if (!verification) {
      const sid = `VE${crypto.randomUUID().replaceAll('-', '')}`;
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      verification = { sid, serviceSid, to, code, sends: 0, checks: 0, live: true };
      verifications.push(verification);
    }
    if (verification.sends >= SENDS) return twilioError(429, 60203, 'Max send attempts reached');
    verification.sends += 1;
    codes.set(to, verification.code);
    return { status: 201, body: sentBody(verification) };
  }

  function check(serviceSid: string, form: URLSearchParams): Answer {
    calls.check += 1;
    const code = field(form, 'Code');
    if (!/^\d{4,10}$/.test(code)) return twilioError(400, 60200, 'Invalid parameter: Code');
    const sid = field(form, 'VerificationSid');
    const verification = verifications.find(
      (known) => known.live && known.serviceSid === serviceSid && known.sid === sid,
    );
    if (!verification) {
      return twilioError(404, 20404, `The requested resource /Services/${serviceSid}/VerificationCheck was not found`);
    }
    if (verification.checks >= CHECKS) return twilioError(429, 60202, 'Max check attempts reached');
    verification.checks += 1;
    const approved = verification.code === code;
    if (approved) verification.live = false;
    return { status: 200, body: checkedBody(verification, approved) };
  }

  async function judge(request: IncomingMessage): Promise<Answer> {
    const form = new URLSearchParams(await text(request));
    const [, serviceSid, resource] = /^\/v2\/Services\/(VA[0-9a-f]{32})\/(\w+)$/.exec(request.url ?? '') ?? [];
    const fields = { Verifications: 'Channel To', VerificationCheck: 'Code VerificationSid' }[resource ?? ''];
    const faults = [
      request.method === 'POST' ? [] : ['the method'],
      serviceSid && fields ? [] : ['the path'],
      request.headers['content-type'] === 'application/x-www-form-urlencoded' ? [] : ['the content type'],
      [...form.keys()].sort().join(' ') === fields ? [] : [`the fields ${[...form.keys()]}`],
      fields !== 'Channel To' || form.get('Channel') === 'sms' ? [] : ['the channel'],
    ].flat();
    if (faults.length > 0 || !serviceSid) {
      unexpected.push(`${request.method} ${request.url}: ${faults.join(', ')}`);
      return twilioError(500, 20500, 'Internal Server Error');
    }
    const [user, password] = credentials(request.headers.authorization);
    if (LOGINS[user] !== password) return twilioError(401, 20003, 'Authenticate');
    if (serviceSid !== SERVICE_SID && serviceSid !== FALLBACK_SERVICE_SID) {
      return twilioError(404, 20404, `The requested resource ${request.url?.slice(3)} was not found`);
    }
    const perform = () => (resource === 'Verifications' ? send(serviceSid, form) : check(serviceSid, form));
    const trouble = troubles.shift() ?? lasting.get(serviceSid) ?? lasting.get('');
    if (!trouble) return perform();
    if ('carriedOut' in trouble && trouble.carriedOut) perform();
    else calls[resource === 'Verifications' ? 'send' : 'check'] += 1;
    throw new Bent(trouble);
  }

  const server = createServer((request, response) => {
    judge(request).then(
      (answer) => write(response, answer),
      (error: unknown) => {
        if (error instanceof Bent) return bend(response, error.trouble);
        unexpected.push(String(error));
        response.destroy();
      },
    );
  });
  const { url, stop } = await listen(server);

  return {
    baseUrl: url,
    calls,
    codeFor(phone) {
      const code = codes.get(phone);
      if (code === undefined) throw new Error(`no SMS went to ${phone}`);
      return code;
    },
    expireAll() {
      for (const verification of verifications) verification.live = false;
    },
    answerNext: (trouble) => void troubles.push(trouble),
    answerAlways(trouble, serviceSid = '') {
      if (trouble) lasting.set(serviceSid, trouble);
      else lasting.delete(serviceSid);
    },
    async stop() {
      await stop();
      if (unexpected.length > 0) throw new Error(`Twilio was asked in an unexpected way:\n${unexpected.join('\n')}`);
      if (troubles.length > 0) throw new Error(`${troubles.length} answers were prepared and never asked for`);
    },
  };
}

class Bent extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble) {
    super('bent');
    this.trouble = trouble;
  }
}

function bend(response: ServerResponse, trouble: Trouble): void {
  if ('hangUp' in trouble) response.destroy();
  else if ('status' in trouble) write(response, trouble);
  else if (trouble.silent !== 'at once') {
    response.writeHead(201, { 'content-type': 'application/json' }).write('{ ');
    if (trouble.silent !== 'drop by drop') return;
    const drops = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drops));
  }
}

function write(response: ServerResponse, { status, body }: Answer): void {
  const json = typeof body !== 'string';
  response.writeHead(status, { 'content-type': json ? 'application/json' : 'text/html' });
  response.end(json ? JSON.stringify(body) : body);
}

function field(form: URLSearchParams, name: string): string {
  return form.get(name) ?? '';
}

function credentials(header: string | undefined): [string, string | undefined] {
  const [user = '', password] = Buffer.from(/^Basic (.+)$/.exec(header ?? '')?.[1] ?? '', 'base64')
    .toString()
    .split(':');
  return [user, password];
}

function sentBody({ sid, serviceSid, to, sends }: Verification) {
  const date = new Date().toISOString();
  return {
    ...{ sid, service_sid: serviceSid, account_sid: ACCOUNT_SID, to, channel: 'sms', status: 'pending', valid: false },
    ...{ date_created: date, date_updated: date, lookup: {}, amount: null, payee: null, sna: null },
    send_code_attempts: Array.from({ length: sends }, () => ({ time: date, channel: 'SMS', attempt_sid: null })),
    url: `https://verify.twilio.com/v2/Services/${serviceSid}/Verifications/${sid}`,
  };
}

function checkedBody({ sid, serviceSid, to }: Verification, valid: boolean) {
  const date = new Date().toISOString();
  return {
    ...{ sid, service_sid: serviceSid, account_sid: ACCOUNT_SID, to, channel: 'sms' },
    ...{ status: valid ? 'approved' : 'pending', valid, amount: null, payee: null, sna_attempts_error_codes: [] },
    ...{ date_created: date, date_updated: date },
  };
}
