/**
 * SQL: the time by which a client's events end. In the sandbox it may be ahead of the real one (D-305).
 * @param now SQL of the current time
 * @param client alias of a `client` row
 */
export function eventTime(now: string, client: string): string {
  return `${now} + make_interval(secs => ${client}.events_ahead)`;
}
