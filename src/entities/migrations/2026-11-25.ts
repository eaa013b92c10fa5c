/** A price on the chain is a u64, of which `bigint` holds only one half. */
export const U64_PRICES = [`alter table "listing" alter column "price" type numeric(20,0)`];

/** Permits whose onchain state could not be taken in, and the slot up to which a program's history has been read. */
export const UNREAD_PERMITS = [
  `create table "unread_permit" ("permit_id" uuid not null, "reason" varchar(300) not null, "since" timestamptz not null, "tries" int not null, "slot" bigint not null, "retry_at" timestamptz not null, primary key ("permit_id"))`,
  `create index "unread_permit_retry_at_index" on "unread_permit" ("retry_at")`,
  `alter table "unread_permit" add constraint "unread_permit_permit_id_foreign" foreign key ("permit_id") references "permit" ("id") on update cascade on delete cascade`,
  `alter table "chain_cluster" add "last_slot" bigint null`,
];

/** Claims that can't be settled are tried again after growing pauses; their expiry counts from the slot by which they were judged. */
export const SETTLE_CLAIMS = [
  `alter table "claim" add "judged_slot" bigint not null default '0', add "set_aside" text null, add "attempts" int not null default 0, add "next_attempt_at" timestamptz null`,
  `create index claim_to_settle on claim (updated_at) where state in ('pending', 'submitted') or next_attempt_at is not null`,
];

/**
 * How many codes are being looked at, so that a call that finds no try left can tell a used-up sign-in from one that is
 * about to move on.
 */
export const TRIES_UNDER_WAY = [
  `alter table "authorization_session" add "tries_under_way" int not null default 0`,
  `alter table "portal_session" add "tries_under_way" int not null default 0`,
];
