/** Failures that a sandbox client arms, and what the sandbox simulates for it. */
export const FAILURES = [
  `alter table "client" add "simulation" jsonb null, add "sandbox_key_hash" varchar(43) null`,
  `alter table "client" add constraint "client_simulated_in_sandbox" check (mode = 'sandbox' or simulation is null and sandbox_key_hash is null)`,
  `alter table "signing_key" add "client_id" uuid null, add "published_at" timestamptz null`,
  `alter table "signing_key" add constraint "signing_key_client_id_foreign" foreign key ("client_id") references "client" ("id") on delete cascade`,
  `create table "armed_failure" ("client_id" uuid not null, "failure" varchar(40) not null, "operation" varchar(60) null, "times_left" int null, "seconds" int null, "armed_by" varchar(120) not null, "armed_at" timestamptz not null, "expires_at" timestamptz not null, "met_at" timestamptz null, primary key ("client_id", "failure"))`,
  `alter table "armed_failure" add constraint "armed_failure_client_id_foreign" foreign key ("client_id") references "client" ("id") on update cascade on delete cascade`,
];

/** Finds the client of a sandbox key. */
export const SANDBOX_KEYS = [
  'drop index concurrently if exists client_sandbox_key',
  'create unique index concurrently client_sandbox_key on client (sandbox_key_hash) where sandbox_key_hash is not null',
];
