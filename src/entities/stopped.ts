/**
 * Kill switches: what staff stop at once, whatever its state is otherwise. A row of `kill_switch` is there while something
 * is stopped. Nothing is cached: the statements that a call makes anyway ask with these conditions, each of which looks
 * into the one index of a table that is almost always empty. `offset 0` keeps PostgreSQL at that: without it a plan may read
 * the whole table into a hash first, which shows on the day when thousands of fans are stopped.
 */

/** A subquery that has a row while a client is stopped. @param client SQL of its `uuid` */
export function clientStopped(client: string): string {
  return `select from kill_switch k where k.kind = 'client' and k.client_id = ${client} offset 0`;
}

/** A subquery that has a row while a fan is stopped. @param fan SQL of their `uuid` */
export function fanStopped(fan: string): string {
  return `select from kill_switch k where k.kind = 'fan' and k.client_id is null and k.fan_id = ${fan} offset 0`;
}

/** A subquery that has a row while nothing is co-signed. */
export const CO_SIGNING_STOPPED = `select from kill_switch k where k.kind = 'co_signing'`;

/** A subquery that has a row while no codes go to a country. @param countries SQL of a `text[]` of ISO 3166-1 alpha-2 */
export function smsStopped(countries: string): string {
  return `select from kill_switch k where k.kind = 'sms_country' and k.country = any(${countries})`;
}
