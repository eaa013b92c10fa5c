import { CodeBreaker } from '../../entities/code-limits.ts';
import type { Context } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { countryOf } from './check-number.ts';
import { countOutcome } from './code-outcomes.ts';
import { ALL_COUNTRIES, TRIAL_CODES } from './pass-breaker.ts';

const countVerified = prepared<{ scope: string; verified: number }>(`
  with counted as (
    insert into code_traffic (minute, country, sent, verified) values (date_trunc('minute', $1::timestamptz), $2, 0, 1)
    on conflict (minute, country) do update set verified = code_traffic.verified + 1
  ), on_trial as (
    select scope from code_breaker where scope in ($2, $3) and retry_at <= $1 order by scope for update
  )
  update code_breaker b set verified = b.verified + 1 from on_trial where b.scope = on_trial.scope
  returning b.scope, b.verified`);

/**
 * Counts a code that was typed in, for the minute in which it was sent. Closes the breaker where enough codes on trial were
 * typed in. All calls lock breakers in one order, to prevent deadlocks.
 */
export async function recordVerified(
  { em, pool, config, log }: Pick<Context, 'em' | 'pool' | 'config' | 'log'>,
  phone: string,
  sentAt: Date,
): Promise<void> {
  const country = countryOf(phone);
  if (country === undefined) return;
  countOutcome('verified');
  const trials = await countVerified(pool, [sentAt, country, ALL_COUNTRIES]);
  const enough = Math.ceil((TRIAL_CODES * config.codeLimits.breakerPercent) / 100);
  for (const { scope } of trials.filter(({ verified }) => verified >= enough)) {
    const closed = await em.nativeDelete(CodeBreaker, { scope, verified: { $gte: enough } });
    if (closed > 0) log.warn({ scope }, 'trial codes were entered: sending resumes');
  }
}
