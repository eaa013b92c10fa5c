/**
 * Protection of code sending against SMS pumping and harassment, in production only. A code passes in this order: the kind
 * and country of the number (`check-number.ts`), counts per address, number and range (`count-request.ts`), the breaker
 * (`pass-breaker.ts`), the client's count and the day's budget (`spend-budget.ts`). A code that is not sent gives back all
 * but the address's count (`take-all.ts`); one that is entered right gives back the address's, the range's and the client's
 * (`give-places-back.ts`). All state is in the database and so holds over all processes.
 *
 * @module
 */
import type { Pool } from 'pg';
import type { DerivedKeys } from '../../keys/seal.ts';
import type { CodeLimits } from '../../platform/config/config.ts';
import type { CodeOutcome } from './code-outcomes.ts';
import { type Counted, createKeyedLimiter, createKeyedReader } from './keyed-limiter.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A number's daily limit as a multiple of its hourly limit. */
const PHONE_DAY_FACTOR = 2;

export interface CodeLimiter {
  /** Of a refusal. */
  outcome: CodeOutcome;
  /** Counts one, in a window that begins with the first one. */
  take(key: string, at: Date): Promise<Counted>;
  /** What is counted now, in the order of the keys. */
  read(keys: readonly string[], at: Date): Promise<number[]>;
}

export type CodeLimiters = Record<'address' | 'phoneHour' | 'phoneDay' | 'range' | 'client', CodeLimiter>;

export interface WithCodeLimiters {
  codeLimiters: CodeLimiters;
}

/** Keys (numbers, addresses, clients) are stored as keyed hashes. */
export function createCodeLimiters(
  { pool, secrets }: { pool: Pool; secrets: Pick<DerivedKeys, 'countedKey'> },
  limits: CodeLimits,
): CodeLimiters {
  const limiter = (name: string, limit: number, seconds: number, outcome: CodeOutcome): CodeLimiter => ({
    outcome,
    take: createKeyedLimiter({ pool, secrets }, `code ${name}`, name, { limit, seconds }),
    read: createKeyedReader({ pool, secrets }, `code ${name}`, name),
  });
  return {
    address: limiter('address', limits.perAddress, HOUR, 'address_limit'),
    phoneHour: limiter('phone hour', limits.perPhone, HOUR, 'phone_limit'),
    phoneDay: limiter('phone day', limits.perPhone * PHONE_DAY_FACTOR, DAY, 'phone_limit'),
    range: limiter('range', limits.perRange, HOUR, 'range_limit'),
    client: limiter('client', limits.perClient, HOUR, 'client_limit'),
  };
}
