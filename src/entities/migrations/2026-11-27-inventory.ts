/** Events, ticket types and tickets of the company's own systems: their references, versions, and the life of a ticket. */
export const INVENTORY = [
  `alter table "event" add "reference" varchar(200) null, add "cancelled_at" timestamptz null, add "source_updated_at" timestamptz null, add "permits_due_at" timestamptz null`,
  `alter table "event" add constraint "event_reference_unique" unique ("reference")`,
  `create index event_permits_due on event (permits_due_at) where permits_due_at is not null`,
  `alter table "ticket_type" add "reference" varchar(200) null, add "source_updated_at" timestamptz null`,
  `alter table "ticket_type" add constraint "ticket_type_event_id_reference_unique" unique ("event_id", "reference")`,
  `alter table "ticket" add "reference" varchar(200) null, add "status" text not null default 'valid', add "source_updated_at" timestamptz null, add "named_holder_id" uuid null, add "named_holder_key" varchar(43) null`,
  `alter table "ticket" add constraint "ticket_status_check" check ("status" in ('valid', 'refunded', 'void'))`,
  `alter table "ticket" add constraint "ticket_reference_unique" unique ("reference")`,
  `alter table "ticket" add constraint "ticket_named_holder_id_foreign" foreign key ("named_holder_id") references "fan" ("id") on delete no action`,
];
