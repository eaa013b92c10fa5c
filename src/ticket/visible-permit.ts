/**
 * SQL: whether a partner can see and act on a permit: it is not revoked, and for every partner (production) or for this one (sandbox).
 * @param permit alias of a `permit` row
 * @param partner SQL of the partner's `uuid`
 */
export function visiblePermit(permit: string, partner: string): string {
  return `${permit}.revoked_at is null and (${permit}.partner_id is null or ${permit}.partner_id = ${partner})`;
}

/** SQL: whether an event is of a mode and has not ended. @param event alias of an `event` row; `mode` and `now` are SQL */
export function futureEvent(event: string, mode: string, now: string): string {
  return `${event}.mode = ${mode} and ${event}.ends_at > ${now}`;
}
