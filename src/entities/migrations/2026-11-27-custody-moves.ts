/** Permits that this service moves out of a fan's wallet, or takes off sale, as their owner. */
export const CUSTODY_MOVES = [
  `create table "custody_move" ("id" uuid not null, "mode" text not null, "permit_id" uuid not null, "kind" text not null, "from_wallet" varchar(44) null, "from_fan_id" uuid not null, "destination" varchar(44) null, "to_fan_id" uuid null, "origin" varchar(120) not null, "state" text not null default 'open', "reason" text null, "tries" int not null default 0, "retry_at" timestamptz not null, "signature" varchar(88) null, "blockhash" varchar(44) null, "sent_at" timestamptz null, "created_at" timestamptz not null, "ended_at" timestamptz null, primary key ("id"))`,
  `create index "custody_move_permit_id_index" on "custody_move" ("permit_id")`,
  `create index "custody_move_from_fan_id_index" on "custody_move" ("from_fan_id")`,
  `create index "custody_move_to_fan_id_index" on "custody_move" ("to_fan_id")`,
  `create index "custody_move_origin_index" on "custody_move" ("origin")`,
  `create unique index custody_move_one_open on custody_move (permit_id) where state = 'open'`,
  `create index custody_move_due on custody_move (mode, retry_at) where state = 'open'`,
  `alter table "custody_move" add constraint "custody_move_permit_id_foreign" foreign key ("permit_id") references "permit" ("id")`,
  `alter table "custody_move" add constraint "custody_move_from_fan_id_foreign" foreign key ("from_fan_id") references "fan" ("id")`,
  `alter table "custody_move" add constraint "custody_move_to_fan_id_foreign" foreign key ("to_fan_id") references "fan" ("id") on delete no action`,
  `alter table "custody_move" add constraint "custody_move_mode_check" check ("mode" in ('sandbox', 'production'))`,
  `alter table "custody_move" add constraint "custody_move_kind_check" check ("kind" in ('transfer', 'close_listing'))`,
  `alter table "custody_move" add constraint "custody_move_state_check" check ("state" in ('open', 'done', 'failed'))`,
];
