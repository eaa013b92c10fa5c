import type { Context } from '../context.ts';
import { CodeBreaker, CodeBudget } from '../entities/code-limits.ts';
import { after } from '../oauth/lifetimes.ts';
import { dayOf } from './spend-budget.ts';

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
  /** Open breakers, and those on trial. */
  breakers: CodeBreaker[];
  /** Over the last hour, most codes first. */
  countries: CountryCodes[];
}

const HOUR = 3600;

/** The state of code sending, for staff. */
export async function readSending({ em, now }: Pick<Context, 'em' | 'now'>): Promise<Sending> {
  const budget = await em.findOne(CodeBudget, { day: dayOf(now()) }, { refresh: true });
  const breakers = await em.find(CodeBreaker, {}, { orderBy: { openedAt: 'desc' }, refresh: true });
  const countries = await em.execute<CountryCodes[]>(
    `select country, sum(sent)::int as sent, sum(verified)::int as verified from code_traffic
     where minute > ? group by country order by 2 desc, 1`,
    [after(now(), -HOUR)],
  );
  return { sentToday: budget?.sent ?? 0, breakers, countries };
}
