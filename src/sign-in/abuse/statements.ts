/**
 * The statements of the breaker and the budget of codes. Each check is one statement, so that parallel calls can't exceed a limit.
 *
 * @module
 */
import { prepared } from '../../platform/database/prepared.ts';

export interface Breaker {
  scope: string;
  retry_at: string;
  /** Whether this call opened it. */
  opened: boolean;
}

/**
 * Judges the codes sent after `$1` up to `$2`, opens breakers, and returns the open ones of the country `$3` and of all (`$4`). A failing
 * country is stopped alone: its codes do not count for all countries.
 */
export const judgeTraffic = prepared<Breaker>(`
  with traffic as (
    select country, sum(sent) as sent, sum(verified) as verified from code_traffic
    where minute > $1 and minute <= $2 group by country
  ), failing as (
    select country from traffic where sent >= $5 and verified * 100 < sent * $6
  ), judged as (
    select country as scope from failing where country = $3
    union all
    select $4 from traffic
    where country not in (select country from failing union select scope from code_breaker)
    having sum(sent) >= $7 and sum(verified) * 100 < sum(sent) * $6
  ), opened as (
    insert into code_breaker (scope, opened_at, retry_at, trips, trials, verified)
    select scope, $8::timestamptz, $9::timestamptz, 1, 0, 0 from judged
    on conflict (scope) do nothing
    returning scope, retry_at
  )
  select scope, retry_at, true as opened from opened
  union all
  select scope, retry_at, false from code_breaker where scope in ($3, $4)`);

export const takeTrial = prepared<{ retry_at: string }>(`
  update code_breaker set trials = trials + 1, last_trial_at = $2
  where scope = $1 and retry_at <= $2 and trials < $3 returning retry_at::text`);

/** Gives a trial back, within its own trial period only. */
export const giveTrialBack = prepared<never>(
  'update code_breaker set trials = trials - 1 where scope = $1 and retry_at = $2',
);

/** Each consecutive stop (`$3` seconds) doubles, up to `$5` times the first. At most `$4` doublings, to keep within a double. */
export const stopAgain = prepared<{ trips: number }>(`
  update code_breaker set trips = trips + 1, trials = 0, verified = 0, opened_at = $2::timestamptz,
    retry_at = $2::timestamptz + make_interval(secs => $3::float8 * least(power(2, least(trips, $4::int)), $5::float8))
  where scope = $1 and retry_at <= $2 and last_trial_at <= $6 returning trips`);

/** Counts a code that was typed in, for the minute in which it was sent. All calls lock breakers in one order, to prevent deadlocks. */
export const countVerified = prepared<{ scope: string; verified: number }>(`
  with counted as (
    insert into code_traffic (minute, country, sent, verified) values (date_trunc('minute', $1::timestamptz), $2, 0, 1)
    on conflict (minute, country) do update set verified = code_traffic.verified + 1
  ), on_trial as (
    select scope from code_breaker where scope in ($2, $3) and retry_at <= $1 order by scope for update
  )
  update code_breaker b set verified = b.verified + 1 from on_trial where b.scope = on_trial.scope
  returning b.scope, b.verified`);

/** Takes one code from the day's budget and counts it for its country. */
export const spendOne = prepared<{ spent: number }>(`
  with paid as (
    insert into code_budget (day, sent) values ($1, 1)
    on conflict (day) do update set sent = code_budget.sent + 1 where code_budget.sent < $2
    returning sent
  )
  insert into code_traffic (minute, country, sent, verified)
  select date_trunc('minute', $3::timestamptz), $4, 1, 0 from paid
  on conflict (minute, country) do update set sent = code_traffic.sent + 1
  returning (select sent from paid) as spent`);

/** Locks the day's row first, as `spendOne` does, to prevent deadlocks. */
export const refundOne = prepared<never>(`
  with refunded as (
    update code_budget set sent = sent - 1 where day = $1 and sent > 0 returning day
  )
  update code_traffic t set sent = t.sent - 1 from refunded
  where t.minute = date_trunc('minute', $2::timestamptz) and t.country = $3 and t.sent > t.verified`);

export const trafficByCountry = prepared<{ country: string; sent: number; verified: number }>(`
  select country, sum(sent)::int as sent, sum(verified)::int as verified from code_traffic
  where minute > $1 group by country order by 2 desc, 1`);
