/** Where a session of staff is used, for the person to tell their browsers apart; it goes with the session. */
export const SESSION_DEVICES = [
  `alter table "staff_session" add "address" varchar(45) null, add "user_agent" varchar(300) null, add "time_zone" varchar(60) null`,
];

/** Lists of the console are read in these orders, a page at a time. */
export const SORTED_LISTS = [
  `create index partner_by_name on partner (lower(name), id)`,
  `create index client_by_name on client (lower(name), id)`,
  `create index "client_updated_at_id_index" on "client" ("updated_at", "id")`,
  `create index event_by_name on event (lower(name), id)`,
  `create index "event_starts_at_id_index" on "event" ("starts_at", "id")`,
  `create index "consent_grant_client_id_id_index" on "consent_grant" ("client_id", "id")`,
  `drop index "consent_grant_client_id_index"`,
];
