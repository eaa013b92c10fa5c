import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { countOutcome } from './code-outcomes.ts';
import { refundOne, spendOne } from './statements.ts';
import type { GiveBack } from './take-all.ts';

type BudgetContext = Pick<Context, 'pool' | 'config' | 'log' | 'now'>;

/** Share of the day's budget at which operators are warned. */
const WARN_AT = 0.8;

/**
 * Takes one code from the day's budget and counts it for its country.
 * @param country ISO 3166-1 alpha-2
 * @throws DomainError `verification_unavailable` where the budget is spent
 */
export async function spendBudget(context: BudgetContext, country: string): Promise<GiveBack> {
  const { pool, config, log } = context;
  const { perDay } = config.codeLimits;
  const at = context.now();
  const [counted] = await spendOne(pool, [dayOf(at), perDay, at, country]);
  if (!counted) {
    countOutcome('budget');
    const text = 'Codes can’t be sent at the moment. Try again later.';
    throw new DomainError('verification_unavailable', text, { retryAfter: secondsLeft(at) });
  }
  if (counted.spent === perDay)
    log.error({ perDay }, 'the daily budget of codes is used up: none are sent until midnight UTC');
  else if (counted.spent === Math.ceil(perDay * WARN_AT))
    log.warn({ perDay }, 'most of the daily budget of codes is used up');
  return async () => void (await refundOne(pool, [dayOf(at), at, country]));
}

/** The day (UTC), as `2026-11-24`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function secondsLeft(now: Date): number {
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0);
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1000));
}
