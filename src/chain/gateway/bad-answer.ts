import { DomainError } from '../../errors.ts';

/**
 * The node answered, but with an error, or not in the shape that was asked for. What it was asked about may be the reason, so a caller
 * with several things to ask about goes on with the others. Where no answer came at all, the cause is another error.
 */
export class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** Whether a call of the gateway failed although the node answered. */
export function isBadAnswer(error: unknown): boolean {
  return error instanceof DomainError && error.cause instanceof BadAnswer;
}
