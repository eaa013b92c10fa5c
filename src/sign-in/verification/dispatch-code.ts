import type { Context } from '../../platform/context.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { countOutcome } from '../abuse/code-outcomes.ts';
import { type CodeRequest, countOfClient, countOfRange } from '../abuse/count-request.ts';
import { passBreaker } from '../abuse/pass-breaker.ts';
import { spendBudget } from '../abuse/spend-budget.ts';
import { type Take, takeAll } from '../abuse/take-all.ts';
import type { WithVerification } from './provider.ts';

/**
 * Sends a code through the provider, within the limits of the range, the breaker, the client and the day's budget. All
 * takes are given back where the code was not sent, even if only the provider's answer was lost.
 * @param before the caller's takes, which come first
 * @returns the provider's reference
 * @throws DomainError `rate_limited`, `verification_unavailable`, and what `before` and the provider throw
 */
export function dispatchCode(
  context: Pick<Context, 'pool' | 'now' | 'config' | 'log'> & WithCodeLimiters & WithVerification,
  request: CodeRequest,
  before: Take[],
): Promise<string> {
  const { phone, country } = request.number;
  const takes: Take[] = [
    ...before,
    countOfRange(context, request),
    () => passBreaker(context, country),
    countOfClient(context, request),
    () => spendBudget(context, country),
  ];
  return takeAll(context, takes, async () => {
    try {
      const reference = await context.verification.send(phone);
      countOutcome('sent');
      return reference;
    } catch (error) {
      countOutcome('failed');
      throw error;
    }
  });
}
