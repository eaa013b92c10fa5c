import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { countOutcome } from './code-outcomes.ts';
import type { GiveBack } from './take-all.ts';

type BudgetContext = Pick<Context, 'em' | 'config' | 'log' | 'now'>;

/** Share of the day's budget at which operators are warned. */
const WARN_AT = 0.8;

/**
 * Takes one code from the day's budget and counts it for its country, by one statement.
 * @param country ISO 3166-1 alpha-2
 * @throws DomainError `verification_unavailable` where the budget is spent
 */
export async function spendBudget(context: BudgetContext, country: string): Promise<GiveBack> {
  const { em, config, log } = context;
  const { perDay } = config.codeLimits;
  const at = context.now();
  const [counted] = await em.execute<{ spent: number }[]>(
    `with paid as (
       insert into code_budget (day, sent) values (?, 1)
       on conflict (day) do update set sent = code_budget.sent + 1 where code_budget.sent < ?
       returning sent
     )
     insert into code_traffic (minute, country, sent, verified)
     select date_trunc('minute', ?::timestamptz), ?, 1, 0 from paid
     on conflict (minute, country) do update set sent = code_traffic.sent + 1
     returning (select sent from paid) as spent`,
    [dayOf(at), perDay, at, country],
  );
  if (!counted) {
    countOutcome('budget');
    const text = 'Codes can’t be sent at the moment. Try again later.';
    throw new DomainError('verification_unavailable', text, { retryAfter: secondsLeft(at) });
  }
  if (counted.spent === perDay)
    log.error({ perDay }, 'the daily budget of codes is used up: none are sent until midnight UTC');
  else if (counted.spent === Math.ceil(perDay * WARN_AT))
    log.warn({ perDay }, 'most of the daily budget of codes is used up');
  return () => refundBudget(context, country, at);
}

/** Gives a code back. Locks the day's row first, as `spendBudget` does, to prevent deadlocks. */
async function refundBudget({ em }: BudgetContext, country: string, at: Date): Promise<void> {
  await em.execute(
    `with refunded as (
       update code_budget set sent = sent - 1 where day = ? and sent > 0 returning day
     )
     update code_traffic t set sent = t.sent - 1 from refunded
     where t.minute = date_trunc('minute', ?::timestamptz) and t.country = ? and t.sent > t.verified`,
    [dayOf(at), at, country],
  );
}

/** The day (UTC), as `2026-11-24`. */
export function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function secondsLeft(now: Date): number {
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0);
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1000));
}
