/**
 * Protection of code sending against SMS pumping and harassment, in production only. The checks of a code, in order: the kind
 * and country of the number (`check-number.ts`), counts per address, number and range (`count-request.ts`), the breaker
 * (`breaker.ts`), the client's count and the day's budget (`spend-budget.ts`). A code that is not sent stays counted only for the
 * address (`take-all.ts`); one that is entered correctly no longer counts for the address, the range and the client
 * (`givePlacesBack`). All counts are in the database, so they hold across processes.
 *
 * @module
 */
import type { CodeLimits } from '../../platform/config/config.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Counted, countOne, readCounts, type WithCounts } from '../../platform/keyed-limit.ts';
import { DAY, HOUR } from '../../platform/time.ts';
import { type CodeOutcome, countOutcome } from './code-outcomes.ts';

/** A number's daily limit as a multiple of its hourly limit. */
const PHONE_DAY_FACTOR = 2;

interface CodeLimiter {
  /** Counts one. @throws DomainError `rate_limited` */
  take(key: string, at: Date): Promise<Counted>;
  /** The present counts, in the order of the keys. */
  read(keys: readonly string[], at: Date): Promise<number[]>;
}

export type CodeLimiters = Record<'address' | 'phoneHour' | 'phoneDay' | 'range' | 'client', CodeLimiter>;

export interface WithCodeLimiters {
  codeLimiters: CodeLimiters;
}

export function createCodeLimiters(context: WithCounts, limits: CodeLimits): CodeLimiters {
  const limiter = (name: string, limit: number, seconds: number, outcome: CodeOutcome): CodeLimiter => {
    const keyed = { name: `code ${name}`, limit, seconds, refusal: 'Too many codes were asked for.' };
    return {
      take: (key, at) =>
        countOne(context, keyed, key, at).catch((error: unknown) => {
          if (error instanceof DomainError) countOutcome(outcome);
          throw error;
        }),
      read: (keys, at) => readCounts(context, keyed, keys, at),
    };
  };
  return {
    address: limiter('address', limits.perAddress, HOUR, 'address_limit'),
    phoneHour: limiter('phone hour', limits.perPhone, HOUR, 'phone_limit'),
    phoneDay: limiter('phone day', limits.perPhone * PHONE_DAY_FACTOR, DAY, 'phone_limit'),
    range: limiter('range', limits.perRange, HOUR, 'range_limit'),
    client: limiter('client', limits.perClient, HOUR, 'client_limit'),
  };
}
