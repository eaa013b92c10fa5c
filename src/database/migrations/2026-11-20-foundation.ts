import { Migration } from '@mikro-orm/migrations';

/** The first data model: partners, clients, fans, tickets, the authorization server and the audit log. */
export class Foundation extends Migration {
  override up(): void {
    this.addSql(
      `create table "audit_entry" ("id" bigserial primary key, "at" timestamptz not null, "actor" varchar(120) not null, "action" varchar(60) not null, "subject" varchar(120) not null, "details" jsonb not null, "request_id" varchar(64) null, "position" bigint null, "previous_hash" varchar(43) null, "hash" varchar(43) null)`,
    );
    this.addSql(`create index "audit_entry_subject_index" on "audit_entry" ("subject")`);
    this.addSql(`create index audit_entry_waiting on audit_entry (id) where hash is null`);
    this.addSql(`alter table "audit_entry" add constraint "audit_entry_position_unique" unique ("position")`);
    this.addSql(
      `create table "event" ("id" uuid not null, "mode" text not null, "name" varchar(200) not null, "venue" varchar(200) null, "starts_at" timestamptz not null, "ends_at" timestamptz not null, "tix_event_id" varchar(44) not null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "event" add constraint "event_tix_event_id_unique" unique ("tix_event_id")`);
    this.addSql(`alter table "event" add constraint "event_mode_check" check ("mode" in ('sandbox', 'production'))`);
    this.addSql(
      `create table "fan" ("id" uuid not null, "mode" text not null, "phone" varchar(16) not null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "fan" add constraint "fan_mode_phone_unique" unique ("mode", "phone")`);
    this.addSql(`alter table "fan" add constraint "fan_mode_check" check ("mode" in ('sandbox', 'production'))`);
    this.addSql(
      `create table "partner" ("id" uuid not null, "name" varchar(120) not null, "created_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "partner" add constraint "partner_name_unique" unique ("name")`);
    this.addSql(
      `create table "client" ("id" uuid not null, "partner_id" uuid not null, "name" varchar(120) not null, "mode" text not null, "status" text not null, "redirect_uris" text[] not null, "scopes" text[] not null, "cors_origins" text[] not null, "loopback_any_port" boolean not null default false, "refresh_retry_window" int not null default 0, "created_at" timestamptz not null, "updated_at" timestamptz not null, "version" int not null default 1, primary key ("id"))`,
    );
    this.addSql(`create index "client_partner_id_index" on "client" ("partner_id")`);
    this.addSql(`create index "client_cors_origins_index" on "client" using gin ("cors_origins")`);
    this.addSql(`alter table "client" add constraint "client_mode_check" check ("mode" in ('sandbox', 'production'))`);
    this.addSql(
      `alter table "client" add constraint "client_status_check" check ("status" in ('draft', 'sandbox-ready', 'in_review', 'approved', 'enabled', 'suspended', 'rejected'))`,
    );
    this.addSql(
      `create table "consent_grant" ("id" uuid not null, "fan_id" uuid not null, "client_id" uuid not null, "scope" text not null, "actions" text[] not null, "mode" text not null, "ticket_ids" uuid[] not null, "created_at" timestamptz not null, "revoked_at" timestamptz null, "revoked_reason" varchar(60) null, primary key ("id"))`,
    );
    this.addSql(`create index "consent_grant_fan_id_index" on "consent_grant" ("fan_id")`);
    this.addSql(`create index "consent_grant_client_id_index" on "consent_grant" ("client_id")`);
    this.addSql(
      `alter table "consent_grant" add constraint "consent_grant_mode_check" check ("mode" in ('all_current_future', 'selected'))`,
    );
    this.addSql(
      `create table "authorization_session" ("id" uuid not null, "client_id" uuid not null, "browser_hash" varchar(43) not null, "redirect_uri" text not null, "scope" text not null, "state" text not null, "code_challenge" varchar(43) not null, "nonce" text null, "login_hint" text null, "ui_locales" text null, "step" text not null default 'phone', "wrong_tries" int not null default 0, "codes_sent" int not null default 0, "fan_id" uuid null, "authenticated_at" timestamptz null, "created_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`create index "authorization_session_client_id_index" on "authorization_session" ("client_id")`);
    this.addSql(`create index "authorization_session_expires_at_index" on "authorization_session" ("expires_at")`);
    this.addSql(
      `create index "authorization_session_browser_hash_created_at_index" on "authorization_session" ("browser_hash", "created_at")`,
    );
    this.addSql(
      `alter table "authorization_session" add constraint "authorization_session_step_check" check ("step" in ('phone', 'code', 'consent', 'done'))`,
    );
    this.addSql(
      `create table "authorization_code" ("hash" varchar(43) not null, "client_id" uuid not null, "grant_id" uuid not null, "redirect_uri" text not null, "code_challenge" varchar(43) not null, "nonce" text null, "authenticated_at" timestamptz not null, "expires_at" timestamptz not null, "used_at" timestamptz null, primary key ("hash"))`,
    );
    this.addSql(`create index "authorization_code_grant_id_index" on "authorization_code" ("grant_id")`);
    this.addSql(`create index "authorization_code_expires_at_index" on "authorization_code" ("expires_at")`);
    this.addSql(
      `create table "phone_challenge" ("session_id" uuid not null, "phone" varchar(16) not null, "reference" text null, "resend_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("session_id"))`,
    );
    this.addSql(
      `create table "phone_tries" ("mode" text not null, "phone" varchar(16) not null, "tries" int not null, "window_ends_at" timestamptz not null, primary key ("mode", "phone"))`,
    );
    this.addSql(`create index "phone_tries_window_ends_at_index" on "phone_tries" ("window_ends_at")`);
    this.addSql(
      `alter table "phone_tries" add constraint "phone_tries_mode_check" check ("mode" in ('sandbox', 'production'))`,
    );
    this.addSql(
      `create table "refresh_token_family" ("handle_hash" varchar(43) not null, "secret_hash" varchar(43) not null, "previous_secret_hash" varchar(43) null, "rotated_at" timestamptz null, "client_id" uuid not null, "grant_id" uuid not null, "authenticated_at" timestamptz not null, "expires_at" timestamptz not null, "revoked_at" timestamptz null, primary key ("handle_hash"))`,
    );
    this.addSql(`create index "refresh_token_family_grant_id_index" on "refresh_token_family" ("grant_id")`);
    this.addSql(`create index "refresh_token_family_expires_at_index" on "refresh_token_family" ("expires_at")`);
    this.addSql(
      `create table "signing_key" ("kid" varchar(43) not null, "public_jwk" jsonb not null, "sealed_key" text null, "state" text not null, "created_at" timestamptz not null, "activated_at" timestamptz null, "retired_at" timestamptz null, primary key ("kid"))`,
    );
    this.addSql(
      `create unique index signing_key_one_current on signing_key (state) where state in ('current', 'next')`,
    );
    this.addSql(
      `alter table "signing_key" add constraint "signing_key_state_check" check ("state" in ('next', 'current', 'retiring', 'gone'))`,
    );
    this.addSql(
      `create table "test_user" ("fan_id" uuid not null, "partner_id" uuid not null, "code" varchar(6) not null, "created_at" timestamptz not null, primary key ("fan_id"))`,
    );
    this.addSql(`create index "test_user_partner_id_index" on "test_user" ("partner_id")`);
    this.addSql(
      `create table "ticket_type" ("id" uuid not null, "event_id" uuid not null, "name" varchar(120) not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "ticket_type" add constraint "ticket_type_event_id_name_unique" unique ("event_id", "name")`,
    );
    this.addSql(
      `create table "ticket" ("id" uuid not null, "ticket_type_id" uuid not null, "owner_id" uuid not null, "tix_ticket_id" varchar(44) not null, "purchased_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`create index "ticket_ticket_type_id_index" on "ticket" ("ticket_type_id")`);
    this.addSql(`create index "ticket_owner_id_index" on "ticket" ("owner_id")`);
    this.addSql(`alter table "ticket" add constraint "ticket_tix_ticket_id_unique" unique ("tix_ticket_id")`);
    this.addSql(
      `create table "permit" ("id" uuid not null, "ticket_id" uuid not null, "partner_id" uuid null, "tix_permit_id" varchar(44) not null, "created_at" timestamptz not null, "revoked_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`alter table "permit" add constraint "permit_ticket_id_unique" unique ("ticket_id")`);
    this.addSql(`create index "permit_partner_id_index" on "permit" ("partner_id")`);
    this.addSql(`alter table "permit" add constraint "permit_tix_permit_id_unique" unique ("tix_permit_id")`);
    this.addSql(
      `create table "wallet" ("address" varchar(44) not null, "fan_id" uuid not null, "sealed_key" text not null, "created_at" timestamptz not null, primary key ("address"))`,
    );
    this.addSql(`alter table "wallet" add constraint "wallet_fan_id_unique" unique ("fan_id")`);
    this.addSql(
      `alter table "client" add constraint "client_partner_id_foreign" foreign key ("partner_id") references "partner" ("id")`,
    );
    this.addSql(
      `alter table "consent_grant" add constraint "consent_grant_fan_id_foreign" foreign key ("fan_id") references "fan" ("id")`,
    );
    this.addSql(
      `alter table "consent_grant" add constraint "consent_grant_client_id_foreign" foreign key ("client_id") references "client" ("id")`,
    );
    this.addSql(
      `alter table "authorization_session" add constraint "authorization_session_client_id_foreign" foreign key ("client_id") references "client" ("id")`,
    );
    this.addSql(
      `alter table "authorization_session" add constraint "authorization_session_fan_id_foreign" foreign key ("fan_id") references "fan" ("id") on delete set null`,
    );
    this.addSql(
      `alter table "authorization_code" add constraint "authorization_code_client_id_foreign" foreign key ("client_id") references "client" ("id")`,
    );
    this.addSql(
      `alter table "authorization_code" add constraint "authorization_code_grant_id_foreign" foreign key ("grant_id") references "consent_grant" ("id")`,
    );
    this.addSql(
      `alter table "phone_challenge" add constraint "phone_challenge_session_id_foreign" foreign key ("session_id") references "authorization_session" ("id") on update cascade on delete cascade`,
    );
    this.addSql(
      `alter table "refresh_token_family" add constraint "refresh_token_family_client_id_foreign" foreign key ("client_id") references "client" ("id")`,
    );
    this.addSql(
      `alter table "refresh_token_family" add constraint "refresh_token_family_grant_id_foreign" foreign key ("grant_id") references "consent_grant" ("id")`,
    );
    this.addSql(
      `alter table "test_user" add constraint "test_user_fan_id_foreign" foreign key ("fan_id") references "fan" ("id") on update cascade on delete cascade`,
    );
    this.addSql(
      `alter table "test_user" add constraint "test_user_partner_id_foreign" foreign key ("partner_id") references "partner" ("id")`,
    );
    this.addSql(
      `alter table "ticket_type" add constraint "ticket_type_event_id_foreign" foreign key ("event_id") references "event" ("id")`,
    );
    this.addSql(
      `alter table "ticket" add constraint "ticket_ticket_type_id_foreign" foreign key ("ticket_type_id") references "ticket_type" ("id")`,
    );
    this.addSql(
      `alter table "ticket" add constraint "ticket_owner_id_foreign" foreign key ("owner_id") references "fan" ("id")`,
    );
    this.addSql(
      `alter table "permit" add constraint "permit_ticket_id_foreign" foreign key ("ticket_id") references "ticket" ("id")`,
    );
    this.addSql(
      `alter table "permit" add constraint "permit_partner_id_foreign" foreign key ("partner_id") references "partner" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "wallet" add constraint "wallet_fan_id_foreign" foreign key ("fan_id") references "fan" ("id")`,
    );
    for (const statement of APPEND_ONLY_AUDIT) this.addSql(statement);
  }
}

/** Sealing (hash, position) is the only change that an audit entry may see, once. */
const APPEND_ONLY_AUDIT = [
  `create function audit_entry_append_only() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and old.hash is null
      and (new.id, new.at, new.actor, new.action, new.subject, new.details, new.request_id)
        is not distinct from (old.id, old.at, old.actor, old.action, old.subject, old.details, old.request_id)
    then
      return new;
    end if;
    raise exception 'audit entries are append-only';
  end $$`,
  `create trigger audit_entry_append_only before update or delete on audit_entry
    for each row execute function audit_entry_append_only()`,
  `create trigger audit_entry_no_truncate before truncate on audit_entry
    for each statement execute function audit_entry_append_only()`,
];
