/**
 * SQL: whether a partner can see and act on a permit: it is not revoked, and belongs to no partner (production) or to this one (sandbox).
 * @param permit alias of a `permit` row
 * @param partner SQL of the partner's `uuid`
 */
export function visiblePermit(permit: string, partner: string): string {
  return `${permit}.revoked_at is null and ${permitFor(permit, partner)}`;
}

function permitFor(permit: string, partner: string): string {
  return `(${permit}.partner_id is null or ${permit}.partner_id = ${partner})`;
}

/**
 * SQL: whether an event is of a mode, not cancelled, not closed onchain, and has not ended.
 * @param event alias of an `event` row; `mode` and `now` are SQL
 */
export function futureEvent(event: string, mode: string, now: string): string {
  return `${event}.mode = ${mode} and ${event}.cancelled_at is null and ${event}.closed_at is null and ${event}.ends_at > ${now}`;
}

/**
 * SQL: whether the company lets a ticket be resold; its event has not ended.
 * @param type alias of a `ticket_type` row; `event` of an `event` row; `now` is SQL
 */
export function mayBeResold(type: string, event: string, now: string): string {
  return `(${type}.resale and coalesce(${event}.resale_until > ${now}, true))`;
}

/**
 * SQL of a fan's tickets for future events, with a permit that the partner can see. Expects a relation `viewer` with the columns
 * `fan_id`, `partner_id` and `mode`. @param now SQL of the current time
 */
export function futureTicketsFrom(now: string): string {
  return `viewer
    join ticket t on t.owner_id = viewer.fan_id
    join ticket_type tt on tt.id = t.ticket_type_id
    join event e on e.id = tt.event_id and ${futureEvent('e', 'viewer.mode', now)}
    join permit p on p.ticket_id = t.id and ${visiblePermit('p', 'viewer.partner_id')}`;
}

/**
 * SQL: the tickets of `futureTicketsFrom` with one of the named permits; where `viewer.cancels`, also a ticket whose event is over or
 * cancelled, or whose permit is revoked: a fan can always take a ticket off sale (D-357). PostgreSQL starts with these permits whatever
 * its statistics: `offset 0` keeps their rows apart, and no index serves `is not distinct from`. Otherwise it would read the fan's
 * tickets once for every event: 64 ms instead of 1 for a fan with 900 tickets among a million (D-337).
 * @param permits SQL of a `text[]` of addresses
 */
export function signableTicketsAmong(permits: string, now: string): string {
  return `(select id, ticket_id from permit where tix_permit_id = any(${permits}) offset 0) named
    join ticket t on t.id = named.ticket_id
    join ticket_type tt on tt.id = t.ticket_type_id
    join viewer on t.owner_id is not distinct from viewer.fan_id
    join event e on e.id = tt.event_id and e.mode = viewer.mode
    join permit p on p.id = named.id and ${permitFor('p', 'viewer.partner_id')}
      and (viewer.cancels or ${futureEvent('e', 'viewer.mode', now)} and p.revoked_at is null)`;
}

/** Order of every list of tickets: event start, then id. */
export const TICKET_ORDER = 'e.starts_at, t.id';
