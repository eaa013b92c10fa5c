// Conditions for kill switches. Nothing is cached: the statements of each call include them, as an index lookup in a table that is
// almost always empty. With a cached flag, some process would go on for a while. `offset 0` prevents a plan that hashes the whole table,
// which is slow once thousands of fans are stopped.

/** A subquery that has a row while a client is stopped. @param client SQL of its `uuid` */
export function clientStopped(client: string): string {
  return `select from kill_switch k where k.kind = 'client' and k.client_id = ${client} offset 0`;
}

/** A subquery that has a row while a fan is stopped. @param fan SQL of their `uuid` */
export function fanStopped(fan: string): string {
  return `select from kill_switch k where k.kind = 'fan' and k.client_id is null and k.fan_id = ${fan} offset 0`;
}

/** A subquery that has a row while co-signing is stopped. */
export const CO_SIGNING_STOPPED = `select from kill_switch k where k.kind = 'co_signing'`;

/** A subquery of the marketplaces among some that are stopped. @param addresses SQL of a `text[]` */
export function marketplacesStopped(addresses: string): string {
  return `select k.marketplace from kill_switch k where k.kind = 'marketplace' and k.marketplace = any(${addresses})`;
}

/** A subquery that has a row while SMS to a country are stopped. @param countries SQL of a `text[]` of ISO 3166-1 alpha-2 */
export function smsStopped(countries: string): string {
  return `select from kill_switch k where k.kind = 'sms_country' and k.country = any(${countries})`;
}
