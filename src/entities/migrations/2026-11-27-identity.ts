/**
 * Numbers that change hands, and passkeys. Of fans who were there before, the newest grant is the last known proof of the
 * number; where there is none, the number counts as named by the company when the fan was registered.
 */
export const FAN_NUMBERS = [
  `alter table "fan" add "number_proved_at" timestamptz null, add "number_vouched_at" timestamptz not null default now(), add "passkey_declined_at" timestamptz null`,
  `alter table "fan" alter column "phone" drop not null`,
  `update "fan" set "number_vouched_at" = "created_at", "number_proved_at" = (select max(g."created_at") from "consent_grant" g where g."fan_id" = "fan"."id")`,
  `create table "former_number" ("fan_id" uuid not null, "given_up_at" timestamptz not null, "phone" varchar(16) not null, "reason" text not null, primary key ("fan_id", "given_up_at"))`,
  `create index "former_number_phone_index" on "former_number" ("phone")`,
  `alter table "former_number" add constraint "former_number_fan_id_foreign" foreign key ("fan_id") references "fan" ("id") on delete cascade`,
  `alter table "former_number" add constraint "former_number_reason_check" check ("reason" in ('new_account', 'changed_by_fan', 'changed_by_support'))`,
  `create table "support_code" ("fan_id" uuid not null, "code" varchar(9) not null, "proved_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("fan_id"))`,
  `alter table "support_code" add constraint "support_code_code_unique" unique ("code")`,
  `create index "support_code_expires_at_index" on "support_code" ("expires_at")`,
  `alter table "support_code" add constraint "support_code_fan_id_foreign" foreign key ("fan_id") references "fan" ("id") on update cascade on delete cascade`,
  `alter table "authorization_session" drop constraint "authorization_session_step_check"`,
  `alter table "authorization_session" add constraint "authorization_session_step_check" check ("step" in ('phone', 'code', 'continuity', 'consent', 'done'))`,
  `alter table "portal_session" drop constraint "portal_session_step_check"`,
  `alter table "portal_session" alter column "phone" drop not null`,
  `alter table "portal_session" add constraint "portal_session_step_check" check ("step" in ('code', 'continuity', 'open'))`,
  `create table "number_change" ("session_secret_hash" varchar(43) not null, "step" text not null default 'code', "phone" varchar(16) not null, "reference" text null, "resend_at" timestamptz not null, "code_expires_at" timestamptz not null, "wrong_tries" int not null default 0, "tries_under_way" int not null default 0, "codes_sent" int not null default 0, primary key ("session_secret_hash"))`,
  `alter table "number_change" add constraint "number_change_session_secret_hash_foreign" foreign key ("session_secret_hash") references "portal_session" ("secret_hash") on update cascade on delete cascade`,
  `alter table "number_change" add constraint "number_change_step_check" check ("step" in ('code', 'done'))`,
];

export const PASSKEYS = [
  `create table "passkey" ("id" uuid not null, "fan_id" uuid not null, "credential_id" varchar(1400) not null, "public_key" text not null, "counter" bigint not null, "transports" text[] not null, "rp_id" varchar(253) not null, "name" varchar(80) not null, "created_at" timestamptz not null, "last_used_at" timestamptz null, primary key ("id"))`,
  `create index "passkey_fan_id_index" on "passkey" ("fan_id")`,
  `alter table "passkey" add constraint "passkey_credential_id_unique" unique ("credential_id")`,
  `alter table "passkey" add constraint "passkey_fan_id_foreign" foreign key ("fan_id") references "fan" ("id") on delete cascade`,
  `create table "passkey_challenge" ("owner" varchar(64) not null, "purpose" text not null, "challenge" varchar(43) not null, "expires_at" timestamptz not null, primary key ("owner"))`,
  `create index "passkey_challenge_expires_at_index" on "passkey_challenge" ("expires_at")`,
  `alter table "passkey_challenge" add constraint "passkey_challenge_purpose_check" check ("purpose" in ('sign_in', 'continuity', 'register'))`,
];
