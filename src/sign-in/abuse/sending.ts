import { CodeBreaker, CodeBudget, CodeTraffic } from '../../entities/code-limits.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { after, HOUR } from '../../platform/time.ts';
import { givenReason } from '../../record/audit/reason.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { ALL_COUNTRIES, BREAKER_WINDOW } from './breaker.ts';
import { dayOf } from './spend-budget.ts';
import { trafficByCountry } from './statements.ts';

/**
 * Ends the wait of a breaker: codes are sent on trial immediately. Deletes the traffic that tripped it, which would trip it
 * again after the trial.
 * @param scope ISO 3166-1 alpha-2 of a country, or `all`
 * @throws DomainError `invalid_request`, or `not_found` where nothing is stopped or the trial has begun
 */
export async function retrySending(
  context: WriteContext,
  scope: string,
  reason: string,
  actor: string,
): Promise<CodeBreaker> {
  const { now } = context;
  const details = { reason: givenReason(reason) };
  if (!/^(all|[A-Z]{2})$/.test(scope)) throw notStopped();
  return context.em.transactional(async (em) => {
    const begun = await em.nativeUpdate(
      CodeBreaker,
      { scope, retryAt: { $gt: now() } },
      { retryAt: now(), trials: 0, verified: 0, lastTrialAt: null },
    );
    if (begun !== 1) throw notStopped();
    const country = scope === ALL_COUNTRIES ? {} : { country: scope };
    await em.nativeDelete(CodeTraffic, { ...country, minute: { $gt: after(now(), -BREAKER_WINDOW) } });
    recordAudit({ ...context, em }, { actor, action: 'code_breaker.retried', subject: scope, details });
    return em.findOneOrFail(CodeBreaker, { scope }, { refresh: true });
  });
}

function notStopped(): DomainError {
  return new DomainError('not_found', 'No breaker is stopping codes there, or trial codes are already being sent.');
}

export interface CountryCodes {
  /** ISO 3166-1 alpha-2. */
  country: string;
  sent: number;
  /** Typed in. */
  verified: number;
}

export interface Sending {
  /** Codes of this day (UTC). */
  sentToday: number;
  /** Open breakers, and those on trial, oldest first. */
  breakers: CodeBreaker[];
  /** Over the last hour, most codes first. */
  countries: CountryCodes[];
}

/** The state of code sending, for staff. */
export async function readSending({ em, pool, now }: Pick<Context, 'em' | 'pool' | 'now'>): Promise<Sending> {
  const budget = await em.findOne(CodeBudget, { day: dayOf(now()) }, { refresh: true });
  const breakers = await em.find(CodeBreaker, {}, { orderBy: { openedAt: 'asc' }, refresh: true });
  const countries = await trafficByCountry(pool, [after(now(), -HOUR)]);
  return { sentToday: budget?.sent ?? 0, breakers, countries };
}
