import type { ChallengePurpose } from '../../entities/phone-challenge.ts';
import { DomainError } from '../../platform/errors.ts';

/** The refusal where another call has moved the same sign-in on. The page then reads the current step. */
export function movedOn(): DomainError {
  return new DomainError('wrong_step', 'This sign-in has moved on already.');
}

export function codeExpired(): DomainError {
  return new DomainError('code_expired', 'This code has expired. Ask for a new one.');
}

export function wrongCode(triesLeft: number): DomainError {
  const left = triesLeft === 1 ? 'One try is' : `${triesLeft} tries are`;
  return new DomainError('wrong_code', `This code is wrong. ${left} left.`);
}

const NO_MORE_CODES: Record<ChallengePurpose, string> = {
  login: 'No more codes can be sent for this sign-in. Go back to the app and start again.',
  portal: 'No more codes can be sent for now. Try again in ten minutes.',
  number_change: 'No more codes can be sent for now. Sign in again later.',
};

export function noMoreCodes(purpose: ChallengePurpose): DomainError {
  return new DomainError('rate_limited', NO_MORE_CODES[purpose]);
}

export function resendTooSoon(resendAt: Date, now: Date): DomainError {
  const seconds = Math.max(1, Math.ceil((resendAt.getTime() - now.getTime()) / 1000));
  return new DomainError('resend_too_soon', `A new code can be sent in ${seconds} s.`, { retryAfter: seconds });
}

/** Sandbox only: in production no answer discloses whether a number is known. @param partner the partner's name */
export function notATestUser(phone: string, partner: string): DomainError {
  return new DomainError(
    'not_a_test_user',
    `${phone} is not a test user of ${partner}'s sandbox. The partner's test users are in its starter kit and in the console.`,
  );
}

/** The refusal while staff have stopped sending codes to the country. */
export function sendingStopped(): DomainError {
  return new DomainError(
    'verification_unavailable',
    'Codes are not sent to numbers of this country for the moment. Try again later.',
  );
}
