const FIRST_SECONDS = 5;
/** 2^10 pauses exceed every limit in use, and no double overflows. */
const MOST_DOUBLINGS = 10;

/**
 * SQL of the interval until the next attempt: 5 seconds, doubled after each failure.
 * @param failures SQL of the number of failures before this one
 */
export function growingPause(failures: string, longestSeconds: number): string {
  return `least(${longestSeconds}, ${FIRST_SECONDS} * power(2, least(${failures}, ${MOST_DOUBLINGS}))) * interval '1 second'`;
}
