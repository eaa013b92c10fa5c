/** Seconds to the second attempt; each later one waits twice as long. */
const FIRST = 5;
const LONGEST = 300;

/**
 * SQL: how long a claim is left alone after an attempt that came to nothing.
 * @param attempts an expression: those made before
 */
export function backoffAfter(attempts: string): string {
  return `least(${LONGEST}, ${FIRST} * power(2, least(${attempts}, 10))) * interval '1 second'`;
}
