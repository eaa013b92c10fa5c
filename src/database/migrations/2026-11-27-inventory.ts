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

/** What must be done onchain for the company: moving a permit, closing a listing. */
export const PERMIT_TASKS = [
  `create table "permit_task" ("id" uuid not null, "permit_id" uuid not null, "kind" text not null, "from_fan_id" uuid null, "to_fan_id" uuid null, "state" text not null default 'open', "reason" varchar(300) null, "attempts" int not null default 0, "next_attempt_at" timestamptz not null, "actor" varchar(120) not null, "request_id" varchar(64) null, "created_at" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
  `alter table "permit_task" add constraint "permit_task_kind_check" check ("kind" in ('transfer', 'close_listing'))`,
  `alter table "permit_task" add constraint "permit_task_state_check" check ("state" in ('open', 'done', 'ended'))`,
  `create index "permit_task_permit_id_index" on "permit_task" ("permit_id")`,
  `create index permit_task_due on permit_task (next_attempt_at) where state = 'open'`,
  `create unique index permit_task_one_open on permit_task (permit_id, kind) where state = 'open'`,
  `alter table "permit_task" add constraint "permit_task_permit_id_foreign" foreign key ("permit_id") references "permit" ("id")`,
  `alter table "permit_task" add constraint "permit_task_from_fan_id_foreign" foreign key ("from_fan_id") references "fan" ("id") on delete no action`,
  `alter table "permit_task" add constraint "permit_task_to_fan_id_foreign" foreign key ("to_fan_id") references "fan" ("id") on delete no action`,
];
