import { CodeBreaker } from '../../entities/code-limits.ts';
import type { Context } from '../../platform/context.ts';
import { countryOf } from './check-number.ts';
import { countOutcome } from './code-outcomes.ts';
import { ALL_COUNTRIES, TRIAL_CODES } from './pass-breaker.ts';
import { countVerified } from './statements.ts';

/**
 * Counts a code that was typed in, for the minute in which it was sent. Closes the breaker where enough codes on trial were
 * typed in.
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
