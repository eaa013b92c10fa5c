import type { Logger } from 'pino';
import twilio from 'twilio';
import { z } from 'zod';
import type { TwilioConfig } from '../../platform/config/config.ts';
import { DomainError } from '../../platform/errors.ts';
import { tooManyTries } from '../authorization/find-session.ts';
import { codeExpired } from './code-refusals.ts';
import type { VerificationProvider } from './provider.ts';

export interface TwilioOptions extends Omit<TwilioConfig, 'fallbackServiceSid'> {
  log: Logger;
  /** For the log, where there is more than one service. */
  name?: string;
  /** Milliseconds per call, including the connection. */
  timeLimit?: number;
  /** Twilio's own by default. */
  baseUrl?: string;
}

/** Milliseconds. Twilio usually answers within one second. */
const TIME_LIMIT = 5000;
/** Bytes; an answer has about 1,000. */
const MAX_ANSWER = 65_536;

const verificationSid = z.string().regex(/^VE[0-9a-f]{32}$/i);
const Sent = z.object({ sid: verificationSid, status: z.literal('pending') });
const Checked = z.object({
  sid: z.string(),
  to: z.string(),
  status: z.enum(['pending', 'approved', 'canceled', 'max_attempts_reached', 'deleted', 'failed', 'expired']),
});

/**
 * Codes by SMS through Twilio Verify v2. The reference is the SID of a verification, which Twilio keeps for ten minutes; in that time
 * it sends the same code again. No request is retried, because Twilio may have carried out one whose answer was lost.
 * @see https://www.twilio.com/docs/verify/api/verification
 */
export function createTwilioProvider(options: TwilioOptions): VerificationProvider {
  const { log, serviceSid, name = 'twilio' } = options;
  const service = connect(options).verify.v2.services(serviceSid);

  function refuse(call: 'send' | 'check', { error, level, facts }: TwilioFailure): never {
    log[level]({ provider: name, call, ...facts }, MESSAGE[level]);
    throw error;
  }

  return {
    name,
    forProduction: true,
    async send(phone) {
      const answer = await service.verifications
        .create({ to: phone, channel: 'sms' })
        .catch((error: unknown) => refuse('send', sendFailure(error)));
      const sent = Sent.safeParse(answer);
      return sent.success ? sent.data.sid : refuse('send', brokenAnswer('not a pending verification'));
    },
    async check(phone, reference, code) {
      // the reference is of a provider that is no longer configured
      if (!verificationSid.safeParse(reference).success) throw codeExpired();
      const answer = await service.verificationChecks
        .create({ verificationSid: reference, code })
        .catch((error: unknown) => (refusesCode(error) ? undefined : refuse('check', checkFailure(error))));
      if (answer === undefined) return false;
      const checked = Checked.safeParse(answer);
      if (!checked.success) return refuse('check', brokenAnswer('not a verification check'));
      const { status, sid, to } = checked.data;
      if (status === 'pending') return false;
      if (status === 'max_attempts_reached') throw tooManyTries();
      if (status !== 'approved') throw codeExpired();
      if (sid !== reference || to !== phone) return refuse('check', brokenAnswer('approval of another verification'));
      return true;
    },
  };
}

const MESSAGE: Record<TwilioFailure['level'], string> = {
  info: 'Twilio refused',
  warn: 'Twilio can not be used for the moment',
  error: 'Twilio refuses us: check the credentials, the Verify service and the account',
};

/** Twilio's client with one time limit for a whole request; by itself it allows 30 s for each step of one. */
function connect(options: TwilioOptions) {
  const { accountSid, username, password, timeLimit = TIME_LIMIT, baseUrl } = options;
  const httpClient = new twilio.RequestClient({ timeout: timeLimit, autoRetry: false });
  httpClient.axios.defaults.maxContentLength = MAX_ANSWER;
  httpClient.axios.interceptors.request.use((request) => {
    request.signal = AbortSignal.timeout(timeLimit);
    return request;
  });
  const client = twilio(username, password, { accountSid, httpClient });
  if (baseUrl !== undefined) client.verify.baseUrl = baseUrl;
  return client;
}

interface TwilioFailure {
  error: DomainError;
  /** `error` where an operator has to act. */
  level: 'info' | 'warn' | 'error';
  facts: TwilioFacts;
}

/** For the log. Never the thrown error itself: it contains the credentials, the number and the code. */
interface TwilioFacts {
  /** HTTP status; undefined without an answer. */
  status: number | undefined;
  /** Twilio's own error number. */
  code: number | undefined;
  /** Why there is no usable answer, such as `ECONNREFUSED`; undefined where Twilio answered with a status. */
  reason: string | undefined;
}

const INVALID_PARAMETER = 60200;
const MAX_CHECKS = 60202;
const MAX_SENDS = 60203;

/**
 * Numbers to which no code can be sent: not a number (60006, 21211), a landline (60205, 21614), unroutable (21612), has
 * opted out (21610), in a country that is switched off (60605, 21408, 60220, 60238), in a range blocked for fraud (60410).
 */
const UNREACHABLE_NUMBER = new Set([60006, 21211, 60205, 21614, 21612, 21610, 60605, 21408, 60220, 60238, 60410]);

/** Seconds that a verification and its counts live at Twilio. */
const VERIFICATION_LIFETIME = 600;
/** Seconds after which an outage or overload may be over. */
const RETRY_AFTER = 30;

/**
 * Why a code was not sent.
 * @param thrown by Twilio's package: with a `status` if Twilio answered, otherwise the network error
 * @see https://www.twilio.com/docs/verify/api/error-codes
 */
function sendFailure(thrown: unknown): TwilioFailure {
  const facts = factsOf(thrown);
  const { status, code } = facts;
  // a request has two parameters: the number from the fan, and the channel from us
  if ((code === INVALID_PARAMETER && !names(thrown, 'Channel')) || (code && UNREACHABLE_NUMBER.has(code))) {
    const text = 'No code can be sent to this number. Check it, or use another one.';
    return { error: new DomainError('invalid_phone', text, { cause: causeOf(facts) }), level: 'info', facts };
  }
  if (code === MAX_SENDS || code === MAX_CHECKS) {
    const text = 'Too many codes were asked for with this number. Try again in ten minutes.';
    return { error: limited(text, VERIFICATION_LIFETIME, facts), level: 'info', facts };
  }
  return status === 429 ? overloaded(facts) : unavailable(facts);
}

/**
 * Why a code was not checked. A wrong code is no failure; see `refusesCode`.
 * @see https://www.twilio.com/docs/verify/api/verification-check
 */
function checkFailure(thrown: unknown): TwilioFailure {
  const facts = factsOf(thrown);
  const { status, code } = facts;
  // Twilio deletes a verification once it is approved, expired or used up
  if (status === 404) return { error: codeExpired(), level: 'info', facts };
  if (code === MAX_CHECKS) return { error: tooManyTries(), level: 'info', facts };
  return status === 429 ? overloaded(facts) : unavailable(facts);
}

/** Whether Twilio rejected the format of the code without comparing it. */
function refusesCode(thrown: unknown): boolean {
  return factsOf(thrown).code === INVALID_PARAMETER && names(thrown, 'Code');
}

/** A successful answer of an undocumented shape. */
function brokenAnswer(reason: string): TwilioFailure {
  return unavailable({ status: undefined, code: undefined, reason });
}

function overloaded(facts: TwilioFacts): TwilioFailure {
  const text = `Too many codes are asked for right now. Try again in ${RETRY_AFTER} s.`;
  return { error: limited(text, RETRY_AFTER, facts), level: 'warn', facts };
}

function limited(text: string, retryAfter: number, facts: TwilioFacts): DomainError {
  return new DomainError('rate_limited', text, { retryAfter, cause: causeOf(facts) });
}

/** A 4xx that reaches this (credentials, service, account) needs an operator. */
function unavailable(facts: TwilioFacts): TwilioFailure {
  const refused = facts.status !== undefined && facts.status < 500;
  const text = 'Codes can not be sent or checked right now; try again in a moment.';
  const error = new DomainError('verification_unavailable', text, { retryAfter: RETRY_AFTER, cause: causeOf(facts) });
  return { error, level: refused ? 'error' : 'warn', facts };
}

function causeOf({ status, code, reason }: TwilioFacts): Error {
  return new Error(
    status === undefined ? `Twilio: ${reason}` : `Twilio answered ${status} (error ${code ?? 'unknown'})`,
  );
}

function factsOf(thrown: unknown): TwilioFacts {
  const { status, code } = isObject(thrown) ? thrown : {};
  if (typeof status === 'number') {
    return { status, code: typeof code === 'number' ? code : undefined, reason: undefined };
  }
  const reason = typeof code === 'string' ? code : thrown instanceof Error ? thrown.name : 'unknown';
  return { status: undefined, code: undefined, reason };
}

/** Whether Twilio's message names a parameter, as in "Invalid parameter: To". */
function names(thrown: unknown, parameter: string): boolean {
  return thrown instanceof Error && new RegExp(`\\b${parameter}\\b`).test(thrown.message);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
