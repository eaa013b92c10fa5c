/** What can go wrong on these pages, whoever reports it: the server by `data.reason`, or the way to it. */
import { TRPCClientError } from '@trpc/client';
import type { DomainErrorCode } from '../../src/errors.ts';

/** Reasons after which this sign-in can't go on in this browser. */
const ENDING_REASONS = [
  'session_not_found',
  'session_expired',
  'session_elsewhere',
  'too_many_tries',
  'fan_stopped',
] as const satisfies DomainErrorCode[];

/** Reasons that the fan can do something about where they are. */
const PASSING_REASONS = [
  'wrong_step',
  'invalid_phone',
  'resend_too_soon',
  'wrong_code',
  'code_expired',
  'invalid_selection',
  'rate_limited',
  'verification_unavailable',
  'unavailable',
  'internal',
] as const satisfies (DomainErrorCode | 'internal')[];

export type EndingReason = (typeof ENDING_REASONS)[number];
/** `unreachable`: no answer, or one that is not ours (a proxy's page). */
export type PassingReason = (typeof PASSING_REASONS)[number] | 'unreachable';

/** `retryAfter` in seconds, where the server says when another try makes sense. */
export type Failure = { reason: EndingReason | PassingReason; retryAfter: number | undefined };

/** Tells whether this sign-in is over. */
export function isEnding(reason: Failure['reason']): reason is EndingReason {
  return ENDING_REASONS.some((ending) => ending === reason);
}

/** Reads the reason from whatever a call to the server threw; never throws itself. */
export function readFailure(error: unknown): Failure {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  if (typeof data !== 'object' || data === null) return { reason: 'unreachable', retryAfter: undefined };
  const sent = 'reason' in data ? data.reason : undefined;
  const retryAfter = 'retryAfter' in data && typeof data.retryAfter === 'number' ? data.retryAfter : undefined;
  return { reason: [...ENDING_REASONS, ...PASSING_REASONS].find((known) => known === sent) ?? 'internal', retryAfter };
}
