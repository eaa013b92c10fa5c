/** What was taken from the chain at confirmed and is not final yet. */
export const FINALITY = [
  `create table "unfinal_permit" ("permit_id" uuid not null, "slot" bigint not null, primary key ("permit_id"))`,
  `alter table "unfinal_permit" add constraint "unfinal_permit_permit_id_foreign" foreign key ("permit_id") references "permit" ("id") on update cascade on delete cascade`,
  `alter table "claim" add "unfinal_slot" bigint null`,
  `create index claim_unfinal on claim (unfinal_slot) where unfinal_slot is not null`,
];
