/**
 * The feed of tickets: a row for each ticket of the company, which a trigger marks in the transaction of a change. A change waits there
 * for another change of the same ticket, and for nobody else.
 *
 * Each table gets its triggers in a migration of its own: one that held the locks of several could deadlock with requests.
 *
 * @module
 */

/** @param tickets SQL of a `select` of the tickets that changed */
const marks = (name: string, tickets: string) => `create function ${name}() returns trigger language plpgsql as $$
   begin
     insert into ticket_feed (ticket_id, pending, changed_at) ${tickets}
     -- a row that is pending is locked all the same: nobody gives it a position before this change is committed
     on conflict (ticket_id) do update set pending = true, changed_at = excluded.changed_at where not ticket_feed.pending;
     return null;
   end $$`;

export const TICKET_FEED = [
  `create table "ticket_feed" ("ticket_id" uuid not null, "pending" boolean not null, "position" bigint null, "changed_at" timestamptz not null, primary key ("ticket_id"))`,
  'create index ticket_feed_pending on ticket_feed (ticket_id) where pending',
  'create unique index ticket_feed_position on ticket_feed (position) where not pending',
  `create table "feed_span" ("number" int not null, "id" uuid not null, "server" varchar(120) not null, "last" bigint not null, "began_at" timestamptz not null, primary key ("number"))`,
  `insert into feed_span (number, id, server, last, began_at) values (1, gen_random_uuid(), '', 0, now())`,
  `create table "feed_follower" ("account_id" uuid not null, "event" varchar(200) not null, "position" bigint not null, "seen_at" timestamptz not null, "snapshot_at" timestamptz null, primary key ("account_id", "event"))`,
  `alter table "ticket_feed" add constraint "ticket_feed_ticket_id_foreign" foreign key ("ticket_id") references "ticket" ("id") on update cascade on delete cascade`,
  `alter table "feed_follower" add constraint "feed_follower_account_id_foreign" foreign key ("account_id") references "service_account" ("id")`,
  marks('feed_new_tickets', 'select id, true, now() from made where reference is not null order by id'),
  marks('feed_ticket', 'values (new.id, true, now())'),
  marks(
    'feed_ticket_of_permit',
    'select id, true, now() from ticket where id = new.ticket_id and reference is not null',
  ),
  marks(
    'feed_permit',
    `select t.id, true, now() from permit p join ticket t on t.id = p.ticket_id
     where p.id = new.permit_id and t.reference is not null`,
  ),
  marks(
    'feed_tickets_of_fan',
    'select id, true, now() from ticket where owner_id = new.id and reference is not null order by id',
  ),
];

export const FEED_OF_TICKET = [
  // of a ticket that is in no fan's wallet: who has it
  'alter table ticket add column outside_wallet varchar(44) null',
  `create trigger feed_new_tickets after insert on ticket referencing new table as made
   for each statement execute function feed_new_tickets()`,
  `create trigger feed_ticket after update of owner_id, outside_wallet, status, used_at, label, ticket_type_id on ticket
   for each row
   when (new.reference is not null
     and (old.owner_id, old.outside_wallet, old.status, old.used_at, old.label, old.ticket_type_id)
     is distinct from (new.owner_id, new.outside_wallet, new.status, new.used_at, new.label, new.ticket_type_id))
   execute function feed_ticket()`,
  `update ticket t set outside_wallet = (
     select left(a.details ->> 'owner', 44) from permit p join audit_entry a on a.subject = p.tix_permit_id and a.action = 'ticket.moved'
     where p.ticket_id = t.id order by a.id desc limit 1)
   where t.owner_id is null`,
];

export const FEED_OF_PERMIT = [
  `create trigger feed_permit after update of issued_at, closed_at on permit for each row
   when ((old.issued_at is null, old.closed_at is null) is distinct from (new.issued_at is null, new.closed_at is null))
   execute function feed_ticket_of_permit()`,
];

export const FEED_OF_LISTING = [
  'create trigger feed_new_listing after insert on listing for each row execute function feed_permit()',
  `create trigger feed_listing after update of closed_at on listing for each row
   when (old.closed_at is distinct from new.closed_at) execute function feed_permit()`,
];

export const FEED_OF_CLAIM = [
  `create trigger feed_claim after update of state on claim for each row
   when ((old.state = 'confirmed') is distinct from (new.state = 'confirmed')) execute function feed_permit()`,
];

export const FEED_OF_FAN = [
  `create trigger feed_fan after update of phone on fan for each row
   when (old.phone is distinct from new.phone) execute function feed_tickets_of_fan()`,
];

/** The end of a transfer decides whether the ticket was sold or given (`inventory/feed/ticket-line.ts`). */
export const FEED_OF_MOVE = [
  `create trigger feed_move after update of state on custody_move for each row
   when (old.state is distinct from new.state and new.kind = 'transfer') execute function feed_permit()`,
];
