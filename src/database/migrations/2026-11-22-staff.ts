import { Migration } from '@mikro-orm/migrations';

/** The console's side: staff and how they sign in, reviews, kill switches, the request log. */
export class StaffSide extends Migration {
  override up(): void {
    this.addSql(
      `create table "api_request" ("id" uuid not null, "at" timestamptz not null, "operation" varchar(40) not null, "method" varchar(10) not null, "status" smallint not null, "outcome" varchar(60) not null, "duration_ms" int not null, "client_id" uuid null, "grant_id" uuid null, "fan_id" uuid null, "session_id" uuid null, primary key ("id"))`,
    );
    this.addSql(`create index "api_request_at_index" on "api_request" ("at")`);
    this.addSql(`create index "api_request_client_id_at_index" on "api_request" ("client_id", "at")`);
    this.addSql(`create index "api_request_grant_id_at_index" on "api_request" ("grant_id", "at")`);
    this.addSql(`create index "api_request_fan_id_at_index" on "api_request" ("fan_id", "at")`);
    this.addSql(`create index "api_request_session_id_at_index" on "api_request" ("session_id", "at")`);
    this.addSql(
      `create table "kill_switch" ("id" uuid not null, "kind" text not null, "client_id" uuid null, "fan_id" uuid null, "country" varchar(2) null, "reason" text not null, "set_by" varchar(120) not null, "set_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(
      `create unique index kill_switch_one_each on kill_switch (kind, client_id, fan_id, country) nulls not distinct`,
    );
    this.addSql(
      `create table "client_review" ("id" uuid not null, "client_id" uuid not null, "submitted_by" varchar(120) not null, "submitted_at" timestamptz not null, "note" text not null, "registration" jsonb not null, "editors" text[] not null default '{}', "decision" text null, "decided_by" varchar(120) null, "decided_at" timestamptz null, "reason" text null, primary key ("id"))`,
    );
    this.addSql(`create index "client_review_client_id_index" on "client_review" ("client_id")`);
    this.addSql(`create unique index client_review_one_open on client_review (client_id) where decision is null`);
    this.addSql(
      `create table "staff" ("id" uuid not null, "issuer" varchar(300) not null, "subject" varchar(300) not null, "name" varchar(200) not null, "email" varchar(320) null, "role" text not null, "created_at" timestamptz not null, "last_sign_in_at" timestamptz null, "disabled_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`alter table "staff" add constraint "staff_issuer_subject_unique" unique ("issuer", "subject")`);
    this.addSql(
      `create table "staff_link" ("secret_hash" varchar(43) not null, "staff_id" uuid not null, "expires_at" timestamptz not null, "used_at" timestamptz null, primary key ("secret_hash"))`,
    );
    this.addSql(`create index "staff_link_staff_id_index" on "staff_link" ("staff_id")`);
    this.addSql(`create index "staff_link_expires_at_index" on "staff_link" ("expires_at")`);
    this.addSql(
      `create table "staff_session" ("secret_hash" varchar(43) not null, "staff_id" uuid not null, "authenticated_at" timestamptz null, "last_seen_at" timestamptz not null, "expires_at" timestamptz not null, "created_at" timestamptz not null, "sealed_id_token" text null, primary key ("secret_hash"))`,
    );
    this.addSql(`create index "staff_session_staff_id_index" on "staff_session" ("staff_id")`);
    this.addSql(`create index "staff_session_expires_at_index" on "staff_session" ("expires_at")`);
    this.addSql(
      `create table "staff_sign_in" ("state_hash" varchar(43) not null, "browser_hash" varchar(43) not null, "nonce" varchar(64) not null, "code_verifier" varchar(128) not null, "return_to" text not null, "step_up_of" uuid null, "started_at" timestamptz not null, "expires_at" timestamptz not null, primary key ("state_hash"))`,
    );
    this.addSql(`create index "staff_sign_in_expires_at_index" on "staff_sign_in" ("expires_at")`);
    this.addSql(
      `create table "staff_token" ("id" uuid not null, "staff_id" uuid not null, "name" varchar(120) not null, "secret_hash" varchar(43) not null, "scopes" text[] not null, "created_at" timestamptz not null, "expires_at" timestamptz not null, "last_used_at" timestamptz null, "revoked_at" timestamptz null, primary key ("id"))`,
    );
    this.addSql(`create index "staff_token_staff_id_index" on "staff_token" ("staff_id")`);
    this.addSql(`alter table "staff_token" add constraint "staff_token_secret_hash_unique" unique ("secret_hash")`);
    this.addSql(
      `create table "traffic" ("id" bigserial primary key, "bucket" timestamptz not null, "client_id" uuid null, "operation" varchar(40) not null, "status" smallint not null, "outcome" varchar(60) not null, "count" int not null, "total_ms" bigint not null)`,
    );
    this.addSql(
      `create unique index traffic_one_each on traffic (bucket, client_id, operation, status, outcome) nulls not distinct`,
    );
    this.addSql(`create index "traffic_client_id_bucket_index" on "traffic" ("client_id", "bucket")`);
    this.addSql(`create index "audit_entry_actor_index" on "audit_entry" ("actor")`);
    this.addSql(`create index "audit_entry_request_id_index" on "audit_entry" ("request_id")`);
    this.addSql(`create index "authorization_session_fan_id_index" on "authorization_session" ("fan_id")`);
    this.addSql(
      `alter table "kill_switch" add constraint "kill_switch_client_id_foreign" foreign key ("client_id") references "client" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "kill_switch" add constraint "kill_switch_fan_id_foreign" foreign key ("fan_id") references "fan" ("id") on delete restrict`,
    );
    this.addSql(
      `alter table "kill_switch" add constraint "kill_switch_kind_check" check ("kind" in ('client', 'fan', 'co_signing', 'sms_country'))`,
    );
    this.addSql(
      `alter table "client_review" add constraint "client_review_client_id_foreign" foreign key ("client_id") references "client" ("id")`,
    );
    this.addSql(
      `alter table "client_review" add constraint "client_review_decision_check" check ("decision" in ('approved', 'rejected', 'withdrawn'))`,
    );
    this.addSql(
      `alter table "staff" add constraint "staff_role_check" check ("role" in ('support', 'reviewer', 'admin'))`,
    );
    this.addSql(
      `alter table "staff_link" add constraint "staff_link_staff_id_foreign" foreign key ("staff_id") references "staff" ("id")`,
    );
    this.addSql(
      `alter table "staff_session" add constraint "staff_session_staff_id_foreign" foreign key ("staff_id") references "staff" ("id")`,
    );
    this.addSql(
      `alter table "staff_token" add constraint "staff_token_staff_id_foreign" foreign key ("staff_id") references "staff" ("id")`,
    );
  }
}
