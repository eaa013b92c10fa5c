import { tooManyTries } from '../authorization/find-session.ts';
import { DomainError } from '../errors.ts';
import { codeExpired } from './code-refusals.ts';

/** A call of Twilio that gave no usable answer: what the caller is told, and what the log may say of it. */
export interface TwilioFailure {
  error: DomainError;
  /** `error` where an operator has to do something. */
  level: 'info' | 'warn' | 'error';
  facts: TwilioFacts;
}

/** Never the thrown error itself: it carries the request, and so the credentials, the number and the code. */
interface TwilioFacts {
  /** HTTP status; undefined: there was no answer. */
  status: number | undefined;
  /** Twilio's own error number. */
  code: number | undefined;
  /** Why there was no usable answer, such as `ECONNREFUSED`. */
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

/** Seconds that a verification lives at Twilio, and with it its counts of codes sent and checked. */
const VERIFICATION_LIFETIME = 600;
/** Seconds after which an outage or a crowd may be over. */
const SHORTLY = 30;

/**
 * Reads why a code was not sent.
 * @param thrown by Twilio's package: with a `status` if Twilio answered, else whatever went wrong on the way
 * @see https://www.twilio.com/docs/verify/api/error-codes
 */
export function sendFailure(thrown: unknown): TwilioFailure {
  const facts = factsOf(thrown);
  const { status, code } = facts;
  // the channel is ours and the only other parameter
  if ((code === INVALID_PARAMETER && !names(thrown, 'Channel')) || (code && UNREACHABLE_NUMBER.has(code))) {
    const text = 'No code can be sent to this number. Check it, or use another one.';
    return { error: new DomainError('invalid_phone', text, { cause: causeOf(facts) }), level: 'info', facts };
  }
  if (code === MAX_SENDS || code === MAX_CHECKS) {
    const text = 'Too many codes were asked for with this number. Try again in ten minutes.';
    return { error: limited(text, VERIFICATION_LIFETIME, facts), level: 'info', facts };
  }
  return status === 429 ? crowded(facts) : unavailable(facts);
}

/**
 * Reads why a code was not checked. A wrong code is no failure; see `refusesCode`.
 * @param thrown as for `sendFailure`
 * @see https://www.twilio.com/docs/verify/api/verification-check
 */
export function checkFailure(thrown: unknown): TwilioFailure {
  const facts = factsOf(thrown);
  const { status, code } = facts;
  // Twilio forgets a verification once it is approved, expired or used up
  if (status === 404) return { error: codeExpired(), level: 'info', facts };
  if (code === MAX_CHECKS) return { error: tooManyTries(), level: 'info', facts };
  return status === 429 ? crowded(facts) : unavailable(facts);
}

/** Whether Twilio did not even compare the code, because no code of its own looks like this. */
export function refusesCode(thrown: unknown): boolean {
  return factsOf(thrown).code === INVALID_PARAMETER && names(thrown, 'Code');
}

/** An answer that says success in a shape that is not the documented one. */
export function brokenAnswer(reason: string): TwilioFailure {
  return unavailable({ status: undefined, code: undefined, reason });
}

function crowded(facts: TwilioFacts): TwilioFailure {
  const text = `Too many codes are asked for right now. Try again in ${SHORTLY} s.`;
  return { error: limited(text, SHORTLY, facts), level: 'warn', facts };
}

function limited(text: string, retryAfter: number, facts: TwilioFacts): DomainError {
  return new DomainError('rate_limited', text, { retryAfter, cause: causeOf(facts) });
}

/** Outages pass; what Twilio refuses for any other reason (credentials, service, account) has to be mended by somebody. */
function unavailable(facts: TwilioFacts): TwilioFailure {
  const refused = facts.status !== undefined && facts.status < 500;
  const text = 'Codes can not be sent or checked right now; try again in a moment.';
  const error = new DomainError('verification_unavailable', text, { retryAfter: SHORTLY, cause: causeOf(facts) });
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
