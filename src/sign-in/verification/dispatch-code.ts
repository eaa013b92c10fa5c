import type { Context } from '../../platform/context.ts';
import type { Id } from '../../platform/identifier/type-id.ts';
import { maskPhone } from '../../platform/phone-number.ts';
import { passBreaker } from '../abuse/breaker.ts';
import { checkNumber } from '../abuse/check-number.ts';
import type { WithCodeLimiters } from '../abuse/code-limiters.ts';
import { countOutcome } from '../abuse/code-outcomes.ts';
import { type CodeRequest, countOfClient, countOfRange, countsOfRequest } from '../abuse/count-request.ts';
import { spendBudget } from '../abuse/spend-budget.ts';
import { type Take, takeAll } from '../abuse/take-all.ts';
import type { WithVerification } from './provider.ts';
import { codeTimes, reserveCode, type SentCode } from './reserve-code.ts';
import type { CodeOwner } from './statements.ts';

export type SendContext = Pick<Context, 'em' | 'pool' | 'now' | 'config' | 'log'> & WithCodeLimiters & WithVerification;

/** A number that is to get a code. */
interface Recipient {
  /** E.164, in production. */
  phone: string;
  /** The browser's IP address. */
  address: string;
  /** Undefined for the portal. */
  clientId: Id<'client'> | undefined;
}

/**
 * Sends a code to a number of production, within all limits.
 * @returns the answer, and the values to run `putNumber` or `putNumberOfSignIn` with
 * @throws DomainError of `checkNumber`, `reserveCode` and `dispatchCode`
 */
export async function sendToPhone(
  context: SendContext,
  owned: CodeOwner,
  { phone, address, clientId }: Recipient,
): Promise<{ sent: SentCode; values: unknown[] }> {
  const mode = 'production';
  const request = { number: checkNumber(context.config.codeLimits, phone), address, clientId, places: {} };
  const takes = [() => reserveCode(context, owned, { mode, phone }), ...countsOfRequest(context, request)];
  const reference = await dispatchCode(context, request, takes);
  const times = codeTimes(context.now());
  const values = [owned.purpose, owned.owner, mode, phone, times.resendAt, times.expiresAt, reference];
  return { sent: { phone: maskPhone(phone), ...times }, values: [...values, JSON.stringify(request.places)] };
}

/**
 * Sends a code through the provider, within the limits of the range, the breaker, the client and the day's budget. Gives everything
 * taken back where a limit refuses the code, or the provider does not confirm it (even if only its answer was lost).
 * @param before the caller's takes, which come first
 * @returns the provider's reference
 * @throws DomainError `rate_limited`, `verification_unavailable`, and what `before` and the provider throw
 */
export function dispatchCode(context: Omit<SendContext, 'em'>, request: CodeRequest, before: Take[]): Promise<string> {
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
