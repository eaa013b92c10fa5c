import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import { after } from '../oauth/lifetimes.ts';
import { countOutcome } from './code-outcomes.ts';
import type { GiveBack } from './take-all.ts';

/** The scope of the breaker that stops all sending. */
export const ALL_COUNTRIES = 'all';

/** Seconds of sending that the breaker looks at. */
export const BREAKER_WINDOW = 15 * 60;
/** A code that is younger than this many seconds may still be typed in, so nothing is concluded from it. */
const PATIENCE = 2 * 60;
/** Seconds that sending stays stopped: longer than the window, so that what stopped it does not stop it again. */
const FIRST_STOP = 30 * 60;
/** A stop is twice as long as the one before in the row, until it is so many times as long as the first. */
const LONGEST_STOP = 8;
/** More than the longest stop takes; 2^1024 is beyond a double. */
const MOST_DOUBLINGS = 10;
/** Codes that go out on trial after a stop. */
export const TRIAL_CODES = 10;
/** All countries together are judged once they have so many times the sample of one. */
const ALL_SAMPLES = 4;

type BreakerContext = Pick<Context, 'em' | 'now' | 'config' | 'log'>;

interface Breaker {
  scope: string;
  retry_at: string;
  /** Whether this very call opened it. */
  opened: boolean;
}

/** A code that goes out on trial. */
interface Trial {
  scope: string;
  /** When the trial began: after the next stop there is another one. */
  retryAt: string;
}

/**
 * Lets a code pass, unless hardly any of the last ones to its country, or to all of them, were typed in: then somebody has
 * them sent for another reason than to sign in. After a stop a few codes go out on trial; see `recordVerified`.
 * @param country ISO 3166-1 alpha-2
 * @returns gives back the trials that were taken, for a code that is not sent after all
 * @throws DomainError `verification_unavailable`
 */
export async function passBreaker(context: BreakerContext, country: string): Promise<GiveBack> {
  const trials: Trial[] = [];
  for (const breaker of await breakersOf(context, country)) {
    const { scope, opened } = breaker;
    if (opened) context.log.error({ scope }, 'hardly any codes are typed in: no more are sent for a while');
    const retryAt = new Date(breaker.retry_at);
    const trial = retryAt <= context.now() ? await takeTrial(context, scope) : undefined;
    if (trial) {
      trials.push(trial);
      continue;
    }
    // a code that another breaker holds back was no trial: nobody could have typed it in
    await giveTrialsBack(context, trials);
    countOutcome('breaker');
    throw stopped(scope, secondsUntil(retryAt, context.now()) || PATIENCE);
  }
  return () => giveTrialsBack(context, trials);
}

async function giveTrialsBack({ em }: BreakerContext, trials: Trial[]): Promise<void> {
  // one statement each: nobody holds one breaker and waits for the other
  for (const { scope, retryAt } of trials) {
    await em.execute('update code_breaker set trials = trials - 1 where scope = ? and retry_at = ?', [scope, retryAt]);
  }
}

/**
 * Judges the traffic and answers the breakers that are in force, those of this moment included. Countries that
 * fail by themselves do not count in the judgement over all: each is stopped alone.
 */
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
      after(now(), -PATIENCE),
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

/**
 * Takes one of the codes that go out on trial. Where all of them are out and too few were typed in, the next stop begins.
 * @returns undefined where there was none left
 */
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
    [now(), now(), FIRST_STOP, MOST_DOUBLINGS, LONGEST_STOP, scope, now(), after(now(), -PATIENCE)],
  );
  if (again[0]) log.error({ scope, trips: again[0].trips }, 'codes on trial were not typed in: sending stays stopped');
  return undefined;
}

function stopped(scope: string, retryAfter: number): DomainError {
  const text =
    scope === ALL_COUNTRIES
      ? 'Codes are not sent for the moment. Try again later.'
      : 'Codes are not sent to numbers of this country for the moment. Try again later.';
  return new DomainError('verification_unavailable', text, { retryAfter });
}

function secondsUntil(moment: Date, now: Date): number {
  return Math.max(0, Math.ceil((moment.getTime() - now.getTime()) / 1000));
}
