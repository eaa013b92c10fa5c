/** The fans' portal, and grants that follow their tickets. */
export const PORTAL = [
  `create table "portal_session" ("secret_hash" varchar(43) not null, "step" text not null default 'code', "phone" varchar(16) not null, "mode" text not null, "reference" text null, "resend_at" timestamptz not null, "code_expires_at" timestamptz not null, "wrong_tries" int not null default 0, "codes_sent" int not null default 0, "fan_id" uuid null, "authenticated_at" timestamptz null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("secret_hash"))`,
  `create index "portal_session_fan_id_index" on "portal_session" ("fan_id")`,
  `create index "portal_session_expires_at_index" on "portal_session" ("expires_at")`,
  `alter table "portal_session" add constraint "portal_session_fan_id_foreign" foreign key ("fan_id") references "fan" ("id") on delete set null`,
  `alter table "portal_session" add constraint "portal_session_step_check" check ("step" in ('code', 'open'))`,
  `alter table "portal_session" add constraint "portal_session_mode_check" check ("mode" in ('sandbox', 'production'))`,
  `create index consent_grant_selected on consent_grant (id) where mode = 'selected' and revoked_at is null and ticket_ids <> '{}'`,
];

/** The pictures that fans see beside the names of clients. */
export const CLIENT_LOGOS = [
  `create table "client_logo" ("client_id" uuid not null, "kind" text not null, "width" smallint not null, "height" smallint not null, "size" int not null, "hash" varchar(43) not null, "image" bytea not null, "set_at" timestamptz not null, primary key ("client_id"))`,
  `alter table "client_logo" add constraint "client_logo_client_id_foreign" foreign key ("client_id") references "client" ("id") on update cascade on delete cascade`,
  `alter table "client_logo" add constraint "client_logo_kind_check" check ("kind" in ('png', 'jpeg', 'webp'))`,
];
