/** What can go wrong on these pages: the server refuses with a `data.reason`, or can't be reached. */
import { TRPCClientError } from '@trpc/client';
import type { DomainErrorCode } from '../../../src/platform/errors.ts';
import { isPasskeyCancelled } from './passkey/browser-passkey.ts';

/** Reasons that end this sign-in in this browser. */
const ENDING_REASONS = [
  'session_not_found',
  'session_expired',
  'session_elsewhere',
  'too_many_tries',
  'fan_stopped',
] as const satisfies DomainErrorCode[];

/** Reasons after which the fan can try again where they are. */
const PASSING_REASONS = [
  'wrong_step',
  'invalid_phone',
  'not_a_test_user',
  'resend_too_soon',
  'wrong_code',
  'code_expired',
  'passkey_refused',
  'passkey_elsewhere',
  'number_taken',
  'fresh_sign_in_required',
  'invalid_selection',
  'rate_limited',
  'verification_unavailable',
  'unavailable',
  'internal',
] as const satisfies (DomainErrorCode | 'internal')[];

export type EndingReason = (typeof ENDING_REASONS)[number];
/** `unreachable`: no answer, or one that is not ours (a proxy's page). `passkey_cancelled`: the fan or the browser gave up. */
type PassingReason = (typeof PASSING_REASONS)[number] | 'unreachable' | 'passkey_cancelled';

/** `retryAfter` in seconds, where the server says when another try makes sense. */
export type Failure = { reason: EndingReason | PassingReason; retryAfter: number | undefined };

/** Whether this sign-in is over. */
export function isEnding(reason: Failure['reason']): reason is EndingReason {
  return ENDING_REASONS.some((ending) => ending === reason);
}

/** Whether a call was refused because its object no longer exists. */
export const isNotFound = (error: unknown): boolean => dataOf(error)?.reason === 'not_found';

/** Whether a call was refused because its object no longer exists, or is no longer in the state that the call ends. */
export const isOver = (error: unknown): boolean => isNotFound(error) || dataOf(error)?.reason === 'conflict';

/** Reads the reason from what a call to the server threw; never throws itself. */
export function readFailure(error: unknown): Failure {
  if (isPasskeyCancelled(error)) return { reason: 'passkey_cancelled', retryAfter: undefined };
  const data = dataOf(error);
  if (data === undefined) return { reason: 'unreachable', retryAfter: undefined };
  const reason = [...ENDING_REASONS, ...PASSING_REASONS].find((known) => known === data.reason) ?? 'internal';
  return { reason, retryAfter: typeof data.retryAfter === 'number' ? data.retryAfter : undefined };
}

/** What the server said of a refused call; undefined where no answer of ours came. */
function dataOf(error: unknown): { reason?: unknown; retryAfter?: unknown } | undefined {
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  return typeof data === 'object' && data !== null ? data : undefined;
}
