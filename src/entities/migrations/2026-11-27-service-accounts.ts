/** Machines that use the console's API, and their tokens. */
export const SERVICE_ACCOUNTS = [
  `create table "service_account" ("id" uuid not null, "name" varchar(120) not null, "scopes" text[] not null, "calls_per_minute" int not null, "created_at" timestamptz not null, "disabled_at" timestamptz null, primary key ("id"))`,
  `create table "service_token" ("id" uuid not null, "account_id" uuid not null, "secret_hash" varchar(43) not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "last_used_at" timestamptz null, primary key ("id"))`,
  `create index "service_token_account_id_index" on "service_token" ("account_id")`,
  `alter table "service_token" add constraint "service_token_secret_hash_unique" unique ("secret_hash")`,
  `alter table "service_token" add constraint "service_token_account_id_foreign" foreign key ("account_id") references "service_account" ("id")`,
];
