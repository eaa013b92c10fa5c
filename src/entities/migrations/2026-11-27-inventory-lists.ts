/** The console's lists of tickets and permits: a page costs the same among a million, whatever the filter leaves. */
export const INVENTORY_LISTS = [
  `create index "ticket_ticket_type_id_id_index" on "ticket" ("ticket_type_id", "id")`,
  `drop index "ticket_ticket_type_id_index"`,
  `create index ticket_of_sandbox on ticket (id) where reference is null`,
  `create index permit_of_sandbox on permit (id) where partner_id is not null`,
  `create index permit_waiting on permit (id) where issued_at is null and revoked_at is null`,
  `create index permit_revoked on permit (id) where revoked_at is not null`,
  `create index waiting_permit_set_aside on waiting_permit (permit_id) where tries > 0 and signature is null`,
];
