/** What is stamped into a token, or read from it. Times are in seconds since the epoch. */
export interface StampedToken {
  client_id: string;
  iat: number;
  exp: number;
}

/** By which clock the tokens of a client are made and judged. It is ours; in the sandbox it may be another (D-305). */
export interface TokenClock {
  /** Seconds by which the clock that stamps a client's tokens is ahead of ours. @param clientId `client_…` */
  aheadFor(clientId: string, now: Date): number;
  hasExpired(token: StampedToken, now: Date): boolean;
}

/** The part of a context that stamps and judges tokens. */
export interface WithTokenClock {
  tokenClock: TokenClock;
}
