/**
 * SQL over the tickets that a fan can act on: their event has not ended, and a live permit makes them visible to the
 * partner (a production permit is for every partner). Expects the aliases `fan_id`, `partner_id`, `mode` from a
 * relation `viewer`, and `$now` as the given placeholder.
 */
export function futureTicketsFrom(now: string): string {
  return `viewer
    join ticket t on t.owner_id = viewer.fan_id
    join ticket_type tt on tt.id = t.ticket_type_id
    join event e on e.id = tt.event_id and e.mode = viewer.mode and e.ends_at > ${now}
    join permit p on p.ticket_id = t.id and p.revoked_at is null
      and (p.partner_id is null or p.partner_id = viewer.partner_id)`;
}

/** Order of every list of tickets: event start, then id. */
export const TICKET_ORDER = 'e.starts_at, t.id';
