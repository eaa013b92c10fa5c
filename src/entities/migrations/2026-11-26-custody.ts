/**
 * Sealed secrets name the key that sealed them, and the ids of those keys are kept. What was sealed before has an empty name,
 * and so has what a process of the release before this one seals while they run side by side.
 */
export const ENCRYPTION_KEYS = [
  `create table "encryption_key" ("purpose" text not null, "id" varchar(32) not null, "since" timestamptz not null, "retired_at" timestamptz null, primary key ("purpose", "id"))`,
  `alter table "encryption_key" add constraint "encryption_key_purpose_check" check ("purpose" in ('secrets', 'custody'))`,
  `alter table "chain_key" add "sealed_with" varchar(32) not null default ''`,
  `alter table "signing_key" add "sealed_with" varchar(32) not null default ''`,
  `alter table "staff_session" add "sealed_with" varchar(32) not null default ''`,
  `alter table "wallet" add "sealed_with" varchar(32) not null default ''`,
  `create index "wallet_sealed_with_address_index" on "wallet" ("sealed_with", "address")`,
];
