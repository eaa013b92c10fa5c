import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { countOutcome } from '../abuse/code-outcomes.ts';
import { type CodeRequest, countForClient, uncountRequest } from '../abuse/count-request.ts';
import { giveTrialBack, passBreaker } from '../abuse/pass-breaker.ts';
import { refundBudget, spendBudget } from '../abuse/spend-budget.ts';
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { WithVerification } from './provider.ts';

/**
 * Has the provider send a code, within what the breaker, the client's limit and the day's budget allow. What was counted for a code that
 * could not be sent is taken back; a number that the provider refuses stays counted for whoever asked for it.
 * @param request checked by `checkNumber` and counted by `countRequest`
 * @returns the provider's reference
 * @throws DomainError `verification_unavailable`, and what the provider throws
 */
export async function dispatchCode(
  context: Pick<Context, 'em' | 'now' | 'config' | 'log'> & WithCodeLimiters & WithVerification,
  request: CodeRequest,
): Promise<string> {
  const { phone, country } = request.number;
  const at = context.now();
  await passBreaker(context, country);
  try {
    await countForClient(context, request);
    await spendBudget(context, country, at);
  } catch (error) {
    await giveTrialBack(context, country);
    throw error;
  }
  try {
    const reference = await context.verification.send(phone);
    countOutcome('sent');
    return reference;
  } catch (error) {
    countOutcome('failed');
    await refundBudget(context, country, at);
    await giveTrialBack(context, country);
    if (error instanceof DomainError && error.code === 'verification_unavailable') {
      await uncountRequest(context, request);
    }
    throw error;
  }
}
