import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { CodeLimits } from '../config/config.ts';
import { prepared } from '../database/prepared.ts';
import type { DerivedKeys } from '../keys/seal.ts';
import type { CodeOutcome } from './code-outcomes.ts';
import type { GiveBack } from './take-all.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A number's limit per day, in hours' limits. */
const PHONE_HOURS_PER_DAY = 2;

/** One was counted, or the limit is reached and nothing was counted. */
export type Counted = { giveBack: GiveBack; waitMs?: undefined } | { waitMs: number };

/** One count, over all processes. */
export interface CodeLimiter {
  /** What a refusal by it is called. */
  outcome: CodeOutcome;
  /** Counts one for somebody, in a window that begins with the first one. */
  take(key: string, at: Date): Promise<Counted>;
}

export type CodeLimiters = Record<'address' | 'phoneHour' | 'phoneDay' | 'range' | 'client', CodeLimiter>;

/** The part of a context that counts the codes that were asked for. */
export interface WithCodeLimiters {
  codeLimiters: CodeLimiters;
}

/** A window is over when its time is, and when everything in it was given back. */
const OVER = '(rate_limit.expire <= $2 or rate_limit.points <= 0)';

/**
 * A conditional update, so that parallel calls can't outrun the limit and a refused call counts nothing. Times in
 * milliseconds.
 */
const takeOne = prepared<{ taken: boolean; expire: string }>(`
  with taken as (
    insert into rate_limit (key, points, expire) values ($1, 1, $2::bigint + $3::bigint)
    on conflict (key) do update set
      points = case when ${OVER} then 1 else rate_limit.points + 1 end,
      expire = case when ${OVER} then excluded.expire else rate_limit.expire end
    where ${OVER} or rate_limit.points < $4
    returning expire
  )
  select true as taken, expire from taken
  union all
  select false, expire from rate_limit where key = $1 and not exists (select from taken)`);

/** Only in the window that it was taken from: a later one has counted others. */
const giveOneBack = prepared('update rate_limit set points = points - 1 where key = $1 and expire = $2');

/** The counts of codes. Whom they are about stands in the table as a keyed hash. */
export function createCodeLimiters(
  { pool, secrets }: { pool: Pool; secrets: Pick<DerivedKeys, 'countedKey'> },
  limits: CodeLimits,
): CodeLimiters {
  function limiter(name: string, limit: number, seconds: number, outcome: CodeOutcome): CodeLimiter {
    const rowOf = (key: string) =>
      `code ${name}:${createHmac('sha256', secrets.countedKey).update(`${name} ${key}`).digest('base64url')}`;
    return {
      outcome,
      async take(key, at) {
        const row = rowOf(key);
        const length = seconds * 1000;
        const [counted] = await takeOne(pool, [row, at.getTime(), length, limit]);
        if (!counted?.taken) {
          // another call may have made the row after this statement began: then the window has just begun
          return { waitMs: counted ? Number(counted.expire) - at.getTime() : length };
        }
        return {
          async giveBack() {
            await giveOneBack(pool, [row, counted.expire]);
          },
        };
      },
    };
  }
  return {
    address: limiter('address', limits.perAddress, HOUR, 'address_limit'),
    phoneHour: limiter('phone hour', limits.perPhone, HOUR, 'phone_limit'),
    phoneDay: limiter('phone day', limits.perPhone * PHONE_HOURS_PER_DAY, DAY, 'phone_limit'),
    range: limiter('range', limits.perRange, HOUR, 'range_limit'),
    client: limiter('client', limits.perClient, HOUR, 'client_limit'),
  };
}
