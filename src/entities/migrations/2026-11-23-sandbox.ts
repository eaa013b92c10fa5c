/** What staff do in the sandbox: events of one partner, starter kits; and indexes under the lists of the console. */
export const SANDBOX_SIDE = [
  `create table "sandbox_kit" ("id" uuid not null, "client_id" uuid not null, "request_key" varchar(100) not null, "fan_id" uuid not null, "event_id" uuid not null, "created_at" timestamptz not null, primary key ("id"))`,
  `alter table "sandbox_kit" add constraint "sandbox_kit_client_id_request_key_unique" unique ("client_id", "request_key")`,
  `alter table "event" add "partner_id" uuid null`,
  `create index "event_partner_id_index" on "event" ("partner_id")`,
  `create index "claim_permit_id_index" on "claim" ("permit_id")`,
  `create index "audit_entry_at_index" on "audit_entry" ("at")`,
  `create index "audit_entry_action_id_index" on "audit_entry" ("action", "id")`,
  `alter table "sandbox_kit" add constraint "sandbox_kit_client_id_foreign" foreign key ("client_id") references "client" ("id")`,
  `alter table "sandbox_kit" add constraint "sandbox_kit_fan_id_foreign" foreign key ("fan_id") references "fan" ("id")`,
  `alter table "sandbox_kit" add constraint "sandbox_kit_event_id_foreign" foreign key ("event_id") references "event" ("id")`,
  `alter table "event" add constraint "event_partner_id_foreign" foreign key ("partner_id") references "partner" ("id") on delete restrict`,
];
