/** Every failure that a sandbox client can arm. What each does is in `failure/kinds.ts`. */
export const FAILURES = [
  'consent_refused',
  'session_lost',
  'code_expired',
  'code_used',
  'grant_narrowed',
  'grant_revoked',
  'refresh_reuse',
  'refresh_answer_lost',
  'key_rotation',
  'jwks_stale',
  'clock_ahead',
  'clock_behind',
  'rate_limited',
  'unavailable',
  'slow_answer',
  'cluster_down',
  'blockhash_expired',
  'claim_answer_lost',
  'listing_sold',
] as const;
export type Failure = (typeof FAILURES)[number];

/** A step of a client's clock, by which everything that the client held grew older. */
export interface Travel {
  /** Seconds since the epoch. Tokens issued in this second or before are older by `by` seconds. */
  at: number;
  by: number;
}

/**
 * What the sandbox simulates for one client: a column of the client's row, which the statements of its calls read anyway. Null for every
 * production client, and for a sandbox client without simulations.
 */
export interface Simulation {
  /** Milliseconds since the epoch: until then a failure may be armed (`armed_failure`). 0 where none is. */
  armedUntil: number;
  /** Seconds by which the clock of its tokens is ahead (negative: behind). */
  skew: number;
  /** Key that signs its tokens instead of the current one. */
  kid: string | null;
  /** Milliseconds since the epoch: `skew` and `kid` hold until then. */
  skewUntil: number;
  kidUntil: number;
  /** Seconds by which its clock for events is ahead. */
  advanced: number;
  travels: Travel[];
}

export const NOTHING_SIMULATED: Simulation = {
  armedUntil: 0,
  skew: 0,
  kid: null,
  skewUntil: 0,
  kidUntil: 0,
  advanced: 0,
  travels: [],
};
