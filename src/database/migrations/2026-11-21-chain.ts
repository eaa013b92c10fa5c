import { Migration } from '@mikro-orm/migrations';

/** The chain side: clusters, our keys, listings, what we co-signed, claims. */
export class Chain extends Migration {
  override up(): void {
    this.addSql(
      `create table "chain_cluster" ("mode" text not null, "genesis_hash" varchar(44) not null, "last_signature" varchar(88) null, primary key ("mode"))`,
    );
    this.addSql(
      `create table "chain_key" ("mode" text not null, "role" text not null, "address" varchar(44) not null, "sealed_key" text not null, "created_at" timestamptz not null, primary key ("mode", "role"))`,
    );
    this.addSql(`alter table "chain_key" add constraint "chain_key_address_unique" unique ("address")`);
    this.addSql(
      `create table "listing_signature" ("message_hash" varchar(43) not null, "permit_id" uuid not null, "grant_id" uuid not null, "action" text not null, "sentence" text not null, "signed_at" timestamptz not null, primary key ("message_hash"))`,
    );
    this.addSql(`create index "listing_signature_permit_id_index" on "listing_signature" ("permit_id")`);
    this.addSql(`create index "listing_signature_grant_id_index" on "listing_signature" ("grant_id")`);
    this.addSql(
      `create table "listing" ("id" uuid not null, "permit_id" uuid not null, "marketplace" varchar(44) not null, "price" bigint not null, "opened_at" timestamptz not null, "closed_at" timestamptz null, "outcome" text null, primary key ("id"))`,
    );
    this.addSql(`create index "listing_permit_id_index" on "listing" ("permit_id")`);
    this.addSql(`create unique index listing_one_open on listing (permit_id) where closed_at is null`);
    this.addSql(
      `create table "claim" ("id" uuid not null, "signature" varchar(88) not null, "grant_id" uuid not null, "permit_id" uuid not null, "signer_wallet" varchar(44) not null, "destination_wallet" varchar(44) not null, "transaction" text not null, "recent_blockhash" varchar(44) not null, "state" text not null default 'pending', "failure" text null, "created_at" timestamptz not null, "updated_at" timestamptz not null, primary key ("id"))`,
    );
    this.addSql(`alter table "claim" add constraint "claim_signature_unique" unique ("signature")`);
    this.addSql(`create index "claim_grant_id_index" on "claim" ("grant_id")`);
    this.addSql(`create unique index claim_one_open on claim (permit_id) where state in ('pending', 'submitted')`);
    this.addSql(`create index "claim_state_updated_at_index" on "claim" ("state", "updated_at")`);
    this.addSql(`alter table "event" add "registered_at" timestamptz null`);
    this.addSql(`alter table "permit" add "issued_at" timestamptz null, add "chain_slot" bigint null`);
    this.addSql(`alter table "ticket" alter column "owner_id" drop not null`);
    this.addSql(
      `alter table "chain_cluster" add constraint "chain_cluster_mode_check" check ("mode" in ('sandbox', 'production'))`,
    );
    this.addSql(
      `alter table "chain_key" add constraint "chain_key_mode_check" check ("mode" in ('sandbox', 'production'))`,
    );
    this.addSql(
      `alter table "chain_key" add constraint "chain_key_role_check" check ("role" in ('authority', 'payer'))`,
    );
    this.addSql(
      `alter table "listing_signature" add constraint "listing_signature_permit_id_foreign" foreign key ("permit_id") references "permit" ("id")`,
    );
    this.addSql(
      `alter table "listing_signature" add constraint "listing_signature_grant_id_foreign" foreign key ("grant_id") references "consent_grant" ("id")`,
    );
    this.addSql(
      `alter table "listing_signature" add constraint "listing_signature_action_check" check ("action" in ('list', 'cancel'))`,
    );
    this.addSql(
      `alter table "listing" add constraint "listing_permit_id_foreign" foreign key ("permit_id") references "permit" ("id")`,
    );
    this.addSql(
      `alter table "listing" add constraint "listing_outcome_check" check ("outcome" in ('cancelled', 'sold'))`,
    );
    this.addSql(
      `alter table "claim" add constraint "claim_grant_id_foreign" foreign key ("grant_id") references "consent_grant" ("id")`,
    );
    this.addSql(
      `alter table "claim" add constraint "claim_permit_id_foreign" foreign key ("permit_id") references "permit" ("id")`,
    );
    this.addSql(
      `alter table "claim" add constraint "claim_state_check" check ("state" in ('pending', 'submitted', 'confirmed', 'failed'))`,
    );
  }
}
