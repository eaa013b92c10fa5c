/** What was put on sale ends with the access that allowed it: `src/inventory/end-sales.ts` works on these rows. */
export const ENDED_ACCESS = [
  `create table "ended_access" ("id" bigserial primary key, "grant_id" uuid null, "client_id" uuid null, "fan_id" uuid null,
    "kept_tickets" uuid[] not null, "cause" varchar(40) not null, "ended_at" timestamptz not null,
    "grants_ended_by" varchar(120) null, "note" text null)`,
  `create index "ended_access_grant_id_index" on "ended_access" ("grant_id")`,
  `create index "ended_access_client_id_index" on "ended_access" ("client_id")`,
  `create index "ended_access_fan_id_index" on "ended_access" ("fan_id")`,
  `alter table "ended_access" add constraint "ended_access_grant_id_foreign" foreign key ("grant_id")
    references "consent_grant" ("id") on delete cascade`,
  `alter table "ended_access" add constraint "ended_access_client_id_foreign" foreign key ("client_id")
    references "client" ("id") on delete cascade`,
  `alter table "ended_access" add constraint "ended_access_fan_id_foreign" foreign key ("fan_id")
    references "fan" ("id") on delete cascade`,
  `alter table "consent_grant" add column "sales_kept_at" timestamptz null`,
  `alter table "custody_move" add column "cause" varchar(40) null`,
  // a trigger, so that no code that ends or narrows a grant has to; what was sold is left alone where access expires, or a sandbox is reset
  `create function end_sales_of_grant() returns trigger language plpgsql as $$
   declare
     cause text := case
       when new.revoked_at is not null then
         case when old.revoked_at is null and new.revoked_reason not in ('expired', 'sandbox_reset') then new.revoked_reason end
       when 'fan:listings:write' = any(old.actions) and not 'fan:listings:write' = any(new.actions) then 'action_turned_off'
       when new.mode = 'selected' and (old.mode <> 'selected' or not old.ticket_ids <@ new.ticket_ids) then 'ticket_not_chosen'
     end;
   begin
     if cause is not null and new.sales_kept_at is not distinct from old.sales_kept_at then
       insert into ended_access (grant_id, kept_tickets, cause, ended_at)
       values (new.id, case cause when 'ticket_not_chosen' then new.ticket_ids else '{}' end, cause, clock_timestamp());
     end if;
     return null;
   end $$`,
  `create trigger end_sales_of_grant after update of revoked_at, actions, mode, ticket_ids on consent_grant for each row
   when ('fan:listings:write' = any(old.consented_actions)
     and (old.revoked_at is distinct from new.revoked_at or old.actions is distinct from new.actions
       or old.mode is distinct from new.mode or old.ticket_ids is distinct from new.ticket_ids))
   execute function end_sales_of_grant()`,
];
