/**
 * Protection of code sending against SMS pumping and harassment, in production only. A code passes in this order: the kind
 * and country of the number (`check-number.ts`), counts per address, number and range (`count-request.ts`), the breaker
 * (`pass-breaker.ts`), the client's count and the day's budget (`spend-budget.ts`). A code that is not sent gives back all
 * but the address's count (`take-all.ts`). All state is in the database and so holds over all processes.
 *
 * @module
 */
import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { CodeLimits } from '../config/config.ts';
import { prepared } from '../database/prepared.ts';
import type { DerivedKeys } from '../keys/seal.ts';
import type { CodeOutcome } from './code-outcomes.ts';
import type { GiveBack } from './take-all.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A number's daily limit as a multiple of its hourly limit. */
const PHONE_DAY_FACTOR = 2;

/** With `waitMs` the limit is reached and nothing was counted. */
export type Counted = { giveBack: GiveBack; waitMs?: undefined } | { waitMs: number };

export interface CodeLimiter {
  /** Of a refusal. */
  outcome: CodeOutcome;
  /** Counts one, in a window that begins with the first one. */
  take(key: string, at: Date): Promise<Counted>;
}

export type CodeLimiters = Record<'address' | 'phoneHour' | 'phoneDay' | 'range' | 'client', CodeLimiter>;

export interface WithCodeLimiters {
  codeLimiters: CodeLimiters;
}

/** A window also ends when all its counts were given back. */
const OVER = '(rate_limit.expire <= $2 or rate_limit.points <= 0)';

/** One conditional update: parallel calls can't exceed the limit, and a refused call counts nothing. Times in ms. */
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

/** Only within the window in which it was counted. */
const giveOneBack = prepared('update rate_limit set points = points - 1 where key = $1 and expire = $2');

/** Keys (numbers, addresses, clients) are stored as keyed hashes. */
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
          // a concurrent call inserted the row: the window has just begun
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
    phoneDay: limiter('phone day', limits.perPhone * PHONE_DAY_FACTOR, DAY, 'phone_limit'),
    range: limiter('range', limits.perRange, HOUR, 'range_limit'),
    client: limiter('client', limits.perClient, HOUR, 'client_limit'),
  };
}
