/** Claims that can't be settled are tried again after growing pauses; their expiry counts from the slot by which they were judged. */
export const SETTLE_CLAIMS = [
  `alter table "claim" add "judged_slot" bigint not null default '0', add "set_aside" text null, add "attempts" int not null default 0, add "next_attempt_at" timestamptz null`,
  `create index claim_to_settle on claim (updated_at) where state in ('pending', 'submitted') or next_attempt_at is not null`,
];
