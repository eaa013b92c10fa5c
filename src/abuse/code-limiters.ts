import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { CodeLimits } from '../config/code-limits.ts';
import type { DerivedKeys } from '../keys/seal.ts';
import type { CodeOutcome } from './code-outcomes.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A number's limit per day, in hours' limits. */
const PHONE_HOURS_PER_DAY = 2;

/** One count, over all processes. */
export interface CodeLimiter {
  /** What a refusal by it is called. */
  outcome: CodeOutcome;
  /** Counts one for somebody. @returns milliseconds to wait where the limit is reached already, else undefined */
  take(key: string): Promise<number | undefined>;
  /** Takes one back. */
  giveBack(key: string): Promise<void>;
}

export type CodeLimiters = Record<'address' | 'phoneHour' | 'phoneDay' | 'range' | 'client', CodeLimiter>;

/** The part of a context that counts the codes that were asked for. */
export interface WithCodeLimiters {
  codeLimiters: CodeLimiters;
}

/**
 * The counts of codes asked for, in windows that begin with the first one. The table is made by our migration and emptied
 * by our job, so the package's own clock and timers have no part in it but the time of day.
 */
export function createCodeLimiters(
  { pool, secrets }: { pool: Pool; secrets: Pick<DerivedKeys, 'countedKey'> },
  limits: CodeLimits,
): CodeLimiters {
  function limiter(name: string, points: number, duration: number, outcome: CodeOutcome): CodeLimiter {
    const counts = new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: `code ${name}`,
      points,
      duration,
    });
    const hashed = (key: string) =>
      createHmac('sha256', secrets.countedKey).update(`${name} ${key}`).digest('base64url');
    return {
      outcome,
      async take(key) {
        try {
          await counts.consume(hashed(key));
          return undefined;
        } catch (reached) {
          if (!(reached instanceof RateLimiterRes)) throw reached;
          return reached.msBeforeNext;
        }
      },
      async giveBack(key) {
        await counts.reward(hashed(key));
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
