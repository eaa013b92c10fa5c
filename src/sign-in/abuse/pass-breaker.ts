import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { after } from '../../platform/time.ts';
import { countOutcome } from './code-outcomes.ts';
import type { GiveBack } from './take-all.ts';

/** Scope of the breaker over all countries. */
export const ALL_COUNTRIES = 'all';

/** Seconds of traffic that are judged. */
export const BREAKER_WINDOW = 15 * 60;
/** Seconds in which a code may still be typed in; younger codes are not judged. */
const TYPING_TIME = 2 * 60;
/** Seconds; longer than the window, so that the same traffic does not trip the breaker twice. */
const FIRST_STOP = 30 * 60;
/** Each consecutive stop doubles, up to this multiple of the first. */
const MAX_STOP_FACTOR = 8;
/** Keeps `power(2, trips)` within a double. */
const MAX_DOUBLINGS = 10;
/** Codes sent on trial after a stop. */
export const TRIAL_CODES = 10;
/** The sample of all countries together, as a multiple of one country's. */
const ALL_SAMPLES = 4;

type BreakerContext = Pick<Context, 'em' | 'now' | 'config' | 'log'>;

interface Breaker {
  scope: string;
  retry_at: string;
  /** Whether this call opened it. */
  opened: boolean;
}

interface Trial {
  scope: string;
  /** Identifies the trial period. */
  retryAt: string;
}

/**
 * Stops sending where hardly any of the last codes to a country, or to all countries, were typed in: they were not
 * requested to sign in. After a stop a few codes are sent on trial; see `recordVerified`.
 * @param country ISO 3166-1 alpha-2
 * @returns gives back the trials taken, for a code that was not sent
 * @throws DomainError `verification_unavailable`
 */
export async function passBreaker(context: BreakerContext, country: string): Promise<GiveBack> {
  const trials: Trial[] = [];
  for (const breaker of await breakersOf(context, country)) {
    const { scope, opened } = breaker;
    if (opened) context.log.error({ scope }, 'too few codes are entered: sending is stopped for now');
    const retryAt = new Date(breaker.retry_at);
    const trial = retryAt <= context.now() ? await takeTrial(context, scope) : undefined;
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

async function giveTrialsBack({ em }: BreakerContext, trials: Trial[]): Promise<void> {
  // one statement each, so that no call holds one row lock while it waits for the other
  for (const { scope, retryAt } of trials) {
    await em.execute('update code_breaker set trials = trials - 1 where scope = ? and retry_at = ?', [scope, retryAt]);
  }
}

/** Judges the traffic and returns the open breakers. A failing country is stopped alone and left out of the overall rate. */
function breakersOf({ em, now, config }: BreakerContext, country: string): Promise<Breaker[]> {
  const { breakerSample, breakerPercent } = config.codeLimits;
  return em.execute<Breaker[]>(
    `with traffic as (
       select country, sum(sent) as sent, sum(verified) as verified from code_traffic
       where minute > ? and minute <= ? group by country
     ), failing as (
       select country from traffic where sent >= ? and verified * 100 < sent * ?
     ), judged as (
       select country as scope from failing where country = ?
       union all
       select ? from traffic
       where country not in (select country from failing union select scope from code_breaker)
       having sum(sent) >= ? and sum(verified) * 100 < sum(sent) * ?
     ), opened as (
       insert into code_breaker (scope, opened_at, retry_at, trips, trials, verified)
       select scope, ?::timestamptz, ?::timestamptz, 1, 0, 0 from judged
       on conflict (scope) do nothing
       returning scope, retry_at
     )
     select scope, retry_at, true as opened from opened
     union all
     select scope, retry_at, false from code_breaker where scope in (?, ?)`,
    [
      after(now(), -BREAKER_WINDOW),
      after(now(), -TYPING_TIME),
      breakerSample,
      breakerPercent,
      country,
      ALL_COUNTRIES,
      breakerSample * ALL_SAMPLES,
      breakerPercent,
      now(),
      after(now(), FIRST_STOP),
      country,
      ALL_COUNTRIES,
    ],
  );
}

/** Takes a trial, if there is one left. Where all were sent and too few were typed in, the next stop begins. */
async function takeTrial({ em, now, log }: BreakerContext, scope: string): Promise<Trial | undefined> {
  const [taken] = await em.execute<{ retry_at: string }[]>(
    `update code_breaker set trials = trials + 1, last_trial_at = ?
     where scope = ? and retry_at <= ? and trials < ? returning retry_at::text`,
    [now(), scope, now(), TRIAL_CODES],
  );
  if (taken) return { scope, retryAt: taken.retry_at };
  const again = await em.execute<{ trips: number }[]>(
    `update code_breaker set trips = trips + 1, trials = 0, verified = 0, opened_at = ?::timestamptz,
       retry_at = ?::timestamptz + make_interval(secs => ? * least(power(2, least(trips, ?)), ?))
     where scope = ? and retry_at <= ? and last_trial_at <= ? returning trips`,
    [now(), now(), FIRST_STOP, MAX_DOUBLINGS, MAX_STOP_FACTOR, scope, now(), after(now(), -TYPING_TIME)],
  );
  if (again[0]) log.error({ scope, trips: again[0].trips }, 'trial codes were not entered: sending stays stopped');
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
