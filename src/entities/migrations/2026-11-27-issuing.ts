/**
 * Permits issued in batches: the queue, what was sent, what it cost. Triggers keep the queue, so that whoever makes a permit, or
 * finds that its issue was undone, need not know of it.
 */
export const ISSUING = [
  `create table "issue_day" ("mode" text not null, "day" varchar(10) not null, "events" int not null default 0, "permits" int not null default 0, "transactions" int not null default 0, "lost" int not null default 0, "fees" bigint not null default '0', "rent" bigint not null default '0', "event_cost" bigint not null default '0', primary key ("mode", "day"))`,
  `create table "issue_pace" ("mode" text not null, "tokens" double precision not null default 0, "at" timestamptz not null, primary key ("mode"))`,
  `create table "issue_transaction" ("signature" varchar(88) not null, "mode" text not null, "state" text not null default 'open', "bytes" text null, "last_valid_height" bigint not null, "slot" bigint not null, "permits" int not null, "day" varchar(10) not null, "fee" bigint not null, "rent" bigint not null, "reason" varchar(300) null, "created_at" timestamptz not null, "sent_at" timestamptz null, "look_at" timestamptz not null, primary key ("signature"))`,
  `create index issue_transaction_to_look on issue_transaction (mode, look_at) where state in ('open', 'landed')`,
  `create index "issue_transaction_created_at_index" on "issue_transaction" ("created_at")`,
  `create index issue_transaction_open on issue_transaction (mode) where state = 'open'`,
  `create table "waiting_permit" ("permit_id" uuid not null, "mode" text not null, "since" timestamptz not null, "retry_at" timestamptz not null, "tries" int not null default 0, "together" smallint null, "reason" varchar(300) null, "signature" varchar(88) null, primary key ("permit_id"))`,
  `create index "waiting_permit_signature_index" on "waiting_permit" ("signature")`,
  `create index waiting_permit_due on waiting_permit (mode, retry_at) where signature is null`,
  `create index waiting_permit_age on waiting_permit (mode, since) where signature is null`,
  `alter table "issue_day" add constraint "issue_day_mode_check" check ("mode" in ('sandbox', 'production'))`,
  `alter table "issue_pace" add constraint "issue_pace_mode_check" check ("mode" in ('sandbox', 'production'))`,
  `alter table "issue_transaction" add constraint "issue_transaction_mode_check" check ("mode" in ('sandbox', 'production'))`,
  `alter table "issue_transaction" add constraint "issue_transaction_state_check" check ("state" in ('open', 'landed', 'final', 'failed', 'refused', 'dropped'))`,
  `alter table "waiting_permit" add constraint "waiting_permit_permit_id_foreign" foreign key ("permit_id") references "permit" ("id") on update cascade on delete cascade`,
  `alter table "waiting_permit" add constraint "waiting_permit_mode_check" check ("mode" in ('sandbox', 'production'))`,
  `create index event_to_register on event (mode, id) where registered_at is null`,
  `insert into issue_pace (mode, tokens, at) values ('sandbox', 0, 'epoch'), ('production', 0, 'epoch')`,
  `insert into waiting_permit (permit_id, mode, since, retry_at)
   select p.id, e.mode, p.created_at, p.created_at from permit p join ticket t on t.id = p.ticket_id
     join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
   where p.issued_at is null and p.revoked_at is null`,
  `create function permits_wait() returns trigger language plpgsql as $$
   begin
     insert into waiting_permit (permit_id, mode, since, retry_at)
     select p.id, e.mode, p.created_at, p.created_at from made p join ticket t on t.id = p.ticket_id
       join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
     where p.issued_at is null and p.revoked_at is null;
     return null;
   end $$`,
  `create trigger permits_wait after insert on permit referencing new table as made
   for each statement execute function permits_wait()`,
  `create function permit_waits_again() returns trigger language plpgsql as $$
   begin
     insert into waiting_permit (permit_id, mode, since, retry_at)
     select new.id, e.mode, since, since
     from ticket t join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id,
       greatest(new.created_at, old.issued_at, old.revoked_at) as since
     where t.id = new.ticket_id
     on conflict (permit_id) do nothing;
     return null;
   end $$`,
  `create trigger permit_waits_again after update on permit for each row
   when (new.issued_at is null and new.revoked_at is null and (old.issued_at is not null or old.revoked_at is not null))
   execute function permit_waits_again()`,
];
