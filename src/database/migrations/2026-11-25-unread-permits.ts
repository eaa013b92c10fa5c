/** Permits whose onchain state could not be taken in, and the slot up to which a program's history has been read. */
export const UNREAD_PERMITS = [
  `create table "unread_permit" ("permit_id" uuid not null, "reason" varchar(300) not null, "since" timestamptz not null, "tries" int not null, "slot" bigint not null, "retry_at" timestamptz not null, primary key ("permit_id"))`,
  `create index "unread_permit_retry_at_index" on "unread_permit" ("retry_at")`,
  `alter table "unread_permit" add constraint "unread_permit_permit_id_foreign" foreign key ("permit_id") references "permit" ("id") on update cascade on delete cascade`,
  `alter table "chain_cluster" add "last_slot" bigint null`,
];
