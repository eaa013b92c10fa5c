/** What is stamped into a token, or read from it. Times are in seconds since the epoch. */
export interface StampedToken {
  client_id: string;
  iat: number;
  exp: number;
}

/** The clock by which a client's tokens are issued and checked: ours, or in the sandbox a simulated one (D-305). */
export interface TokenClock {
  /** Seconds by which the clock that stamps a client's tokens is ahead of ours. @param clientId `client_…` */
  aheadFor(clientId: string, now: Date): number;
  hasExpired(token: StampedToken, now: Date): boolean;
}

/** The part of a context that stamps and judges tokens. */
export interface WithTokenClock {
  tokenClock: TokenClock;
}
