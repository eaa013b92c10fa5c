/** Entries before the position of the newest `audit.detached` may be deleted: their months are in files (`audit/archive-audit.ts`). */
export const AUDIT_DETACHED = [
  `create or replace function audit_entry_append_only() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' and old.hash is null
      and (new.id, new.at, new.actor, new.action, new.subject, new.details, new.request_id)
        is not distinct from (old.id, old.at, old.actor, old.action, old.subject, old.details, old.request_id)
    then
      return new;
    end if;
    if tg_op = 'DELETE' and old.position < (
      select (details ->> 'position')::bigint from audit_entry where action = 'audit.detached' order by id desc limit 1)
    then
      return old;
    end if;
    raise exception 'audit entries are append-only';
  end $$`,
];
