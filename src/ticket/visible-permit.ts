/**
 * SQL that says which permits a partner can see and act on: not revoked, and either of every partner (production) or
 * provisioned for this one (sandbox). Listing, co-signing and claims all use it.
 * @param permit alias of a `permit` row
 * @param partner SQL of the partner's `uuid`
 */
export function visiblePermit(permit: string, partner: string): string {
  return `${permit}.revoked_at is null and (${permit}.partner_id is null or ${permit}.partner_id = ${partner})`;
}

/** SQL for an event of a mode that has not ended. @param event alias of an `event` row; `mode` and `now` are SQL */
export function futureEvent(event: string, mode: string, now: string): string {
  return `${event}.mode = ${mode} and ${event}.ends_at > ${now}`;
}
