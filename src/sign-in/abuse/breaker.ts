import { CodeBreaker } from '../../entities/code-limits.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { after } from '../../platform/time.ts';
import { countryOf } from './check-number.ts';
import { countOutcome } from './code-outcomes.ts';
import { type Breaker, countVerified, giveTrialBack, judgeTraffic, stopAgain, takeTrial } from './statements.ts';
import type { GiveBack } from './take-all.ts';

/** Scope of the breaker over all countries. */
export const ALL_COUNTRIES = 'all';

/** Seconds of traffic that are judged. */
export const BREAKER_WINDOW = 15 * 60;
/** Seconds that a fan is given to type a code in, before the breaker judges it. */
const TYPING_TIME = 2 * 60;
/** Seconds of the first stop: longer than the window, so that the same traffic does not trip the breaker twice. */
const FIRST_STOP = 30 * 60;
/** The longest stop as a multiple of the first; each consecutive stop doubles. */
const MAX_STOP_FACTOR = 8;
/** Keeps `power(2, trips)` within a double. */
const MAX_DOUBLINGS = 10;
/** Codes sent on trial after a stop. */
export const TRIAL_CODES = 10;
/** The breaker over all countries needs this many times the sample of one country. */
const ALL_SAMPLES = 4;

type BreakerContext = Pick<Context, 'pool' | 'now' | 'config' | 'log'>;

interface Trial {
  scope: string;
  /** Identifies the trial period. */
  retryAt: string;
}

/**
 * Refuses a code while hardly any of the last codes to its country, or to all countries, were typed in: the requesters do not want to
 * sign in. After a stop a few codes are sent on trial; see `recordVerified`.
 * @param country ISO 3166-1 alpha-2
 * @returns a function that gives the trials back, for a code that was not sent
 * @throws DomainError `verification_unavailable`
 */
export async function passBreaker(context: BreakerContext, country: string): Promise<GiveBack> {
  const trials: Trial[] = [];
  for (const breaker of await breakersOf(context, country)) {
    const { scope, opened } = breaker;
    if (opened) context.log.error({ scope }, 'too few codes are entered: sending is stopped for now');
    const retryAt = new Date(breaker.retry_at);
    const trial = retryAt <= context.now() ? await tryOne(context, scope) : undefined;
    if (trial) {
      trials.push(trial);
      continue;
    }
    // this code is not sent, so it is no trial
    await giveTrialsBack(context, trials);
    countOutcome('breaker');
    throw stopped(scope, secondsUntil(retryAt, context.now()) || TYPING_TIME);
  }
  return () => giveTrialsBack(context, trials);
}

async function giveTrialsBack({ pool }: BreakerContext, trials: Trial[]): Promise<void> {
  // one statement each, so that no call holds one row lock while it waits for the other
  for (const { scope, retryAt } of trials) await giveTrialBack(pool, [scope, retryAt]);
}

function breakersOf({ pool, now, config }: BreakerContext, country: string): Promise<Breaker[]> {
  const { breakerSample, breakerPercent } = config.codeLimits;
  const at = now();
  return judgeTraffic(pool, [
    ...[after(at, -BREAKER_WINDOW), after(at, -TYPING_TIME), country, ALL_COUNTRIES],
    ...[breakerSample, breakerPercent, breakerSample * ALL_SAMPLES, at, after(at, FIRST_STOP)],
  ]);
}

/** Takes a trial, if there is one left. Where all were sent and too few were typed in, the next stop begins. */
async function tryOne({ pool, now, log }: BreakerContext, scope: string): Promise<Trial | undefined> {
  const at = now();
  const [taken] = await takeTrial(pool, [scope, at, TRIAL_CODES]);
  if (taken) return { scope, retryAt: taken.retry_at };
  const before = after(at, -TYPING_TIME);
  const [again] = await stopAgain(pool, [scope, at, FIRST_STOP, MAX_DOUBLINGS, MAX_STOP_FACTOR, before]);
  if (again) log.error({ scope, trips: again.trips }, 'trial codes were not entered: sending stays stopped');
  return undefined;
}

function stopped(scope: string, retryAfter: number): DomainError {
  const text =
    scope === ALL_COUNTRIES
      ? 'Codes can’t be sent at the moment. Try again later.'
      : 'Codes can’t be sent to numbers in this country at the moment. Try again later.';
  return new DomainError('verification_unavailable', text, { retryAfter });
}

function secondsUntil(moment: Date, now: Date): number {
  return Math.max(0, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}

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
