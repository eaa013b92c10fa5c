/** Triggers that keep the audit log append-only, and queue permits that wait to be issued. */
export const TRIGGERS = [
  // sealing (hash, position) is the only change that an audit entry accepts, once
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
  `insert into issue_pace (mode, tokens, at) values ('sandbox', 0, 'epoch'), ('production', 0, 'epoch')`,
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
   when (new.issued_at is null and new.revoked_at is null and new.closed_at is null and (old.issued_at is not null or old.revoked_at is not null))
   execute function permit_waits_again()`,
];
