/**
 * Triggers that write notifications in the transaction of the change itself, so that no code that ends a grant or moves a ticket has to.
 * A client without endpoints costs one index lookup per change; the columns that hot paths write have no trigger.
 */
export const NOTIFICATION_TRIGGERS = [
  // the order of ids is the order of changes: a change of the same grant waits for the one before to commit
  `create function notify_of_grant() returns trigger language plpgsql as $$
   begin
     if not exists (select from notification_endpoint e where e.client_id = new.client_id) then
       return null;
     end if;
     if new.revoked_at is not null then
       if old.revoked_at is null then
         ${notify('grant.revoked', `jsonb_build_object('reason', new.revoked_reason)`, '(select new.*) g')};
       end if;
       return null;
     end if;
     if new.actions is distinct from old.actions then
       ${notify('grant.actions_changed', `jsonb_build_object('actions', to_jsonb(new.actions))`, '(select new.*) g')};
     end if;
     if new.mode is distinct from old.mode or new.ticket_ids is distinct from old.ticket_ids then
       ${notify('grant.tickets_changed', `jsonb_build_object('mode', new.mode, 'tickets', to_jsonb(new.ticket_ids))`, '(select new.*) g')};
     end if;
     return null;
   end $$`,
  `create trigger notify_of_grant after update of revoked_at, actions, mode, ticket_ids on consent_grant for each row
   when (old.revoked_at is distinct from new.revoked_at or old.actions is distinct from new.actions
     or old.mode is distinct from new.mode or old.ticket_ids is distinct from new.ticket_ids)
   execute function notify_of_grant()`,
  // the grants through which a client could see the ticket, of the fan who had it and of the one who has it now
  `create function notify_of_ticket() returns trigger language plpgsql as $$
   begin
     if not exists (select from notification_endpoint) then
       return null;
     end if;
     ${notify(
       'ticket.moved',
       `jsonb_build_object('ticket', new.id, 'tix_ticket_id', new.tix_ticket_id,
         'direction', case when g.fan_id = new.owner_id then 'in' else 'out' end)`,
       `(
         select g.id, g.client_id, g.fan_id from consent_grant g join client c on c.id = g.client_id
           join permit p on p.ticket_id = new.id
         where g.fan_id in (old.owner_id, new.owner_id) and g.revoked_at is null and 'fan:tickets:read' = any(g.actions)
           and (g.mode = 'all_current_future' or new.id = any(g.ticket_ids))
           and (p.partner_id is null or p.partner_id = c.partner_id)
       ) g`,
     )};
     return null;
   end $$`,
  `create trigger notify_of_ticket after update of owner_id on ticket for each row
   when (old.owner_id is distinct from new.owner_id) execute function notify_of_ticket()`,
  `create function notify_of_claim() returns trigger language plpgsql as $$
   begin
     ${notify(
       'claim.settled',
       `jsonb_build_object('ticket', p.ticket_id, 'tix_permit_id', p.tix_permit_id, 'transfer_id', new.signature,
         'state', new.state)`,
       '(select * from consent_grant where id = new.grant_id) g join permit p on p.id = new.permit_id',
     )};
     return null;
   end $$`,
  `create trigger notify_of_claim after update of state on claim for each row
   when (old.state is distinct from new.state and new.state in ('confirmed', 'failed'))
   execute function notify_of_claim()`,
  // the clients that had the listing signed, by the last grant of each; a fan who ended the access ended these notifications too
  `create function notify_of_listing() returns trigger language plpgsql as $$
   begin
     if not exists (select from notification_endpoint) then
       return null;
     end if;
     ${notify(
       'listing.ended',
       `jsonb_build_object('ticket', t.id, 'tix_ticket_id', t.tix_ticket_id, 'outcome', new.outcome)`,
       `permit p join ticket t on t.id = p.ticket_id and p.id = new.permit_id cross join (
         select distinct on (g.client_id) g.client_id, g.id, g.fan_id from listing_signature l
           join consent_grant g on g.id = l.grant_id
         where l.permit_id = new.permit_id and l.action = 'list' and (g.revoked_at is null or g.revoked_reason = 'expired')
         order by g.client_id, l.signed_at desc
       ) g`,
     )};
     return null;
   end $$`,
  `create trigger notify_of_listing after update of closed_at on listing for each row
   when (old.closed_at is null and new.closed_at is not null) execute function notify_of_listing()`,
];

/**
 * SQL that adds a notification for each endpoint of the client of each grant. It is due at a whole millisecond, the precision of the
 * processes' clocks: a process that looks within that millisecond finds it.
 * @param data SQL of its details, a jsonb
 * @param grants SQL of a relation with the alias `g`: `id`, `client_id`, `fan_id`
 */
function notify(type: string, data: string, grants: string): string {
  return `insert into notification (jti, endpoint_id, lane, grant_id, fan_id, type, data, occurred_at, due_at, expires_at)
     select gen_random_uuid(), e.id, g.id, g.id, g.fan_id, '${type}', ${data}, clock_timestamp(),
       date_trunc('milliseconds', clock_timestamp()), clock_timestamp() + interval '3 days'
     from ${grants} join notification_endpoint e on e.client_id = g.client_id
     where e.disabled_at is null and '${type}' = any(e.types)
     order by g.id, e.id`;
}
