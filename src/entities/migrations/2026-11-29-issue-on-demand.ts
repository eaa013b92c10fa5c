/**
 * Permits that are issued once somebody may sell the ticket: until then they are in the queue without `retry_at`, and no process takes
 * them. Those that a fan waits for are due since the epoch: they are the first.
 *
 * @module
 */

/** SQL over a ticket `t` of an event `e`: whether an app may list it. */
const MAY_BE_LISTED = `t.owner_id is not null and e.ends_at > now() and exists (
  select from consent_grant g join client c on c.id = g.client_id
  where g.fan_id = t.owner_id and g.revoked_at is null and 'fan:listings:write' = any(g.actions) and c.mode = e.mode
    and (g.mode = 'all_current_future' or t.id = any(g.ticket_ids)))`;

/**
 * SQL that queues permits that are not onchain.
 * @param permits SQL of rows of permits, `p`, and a condition on them
 * @param since from when on they wait
 */
const queue = ([permits, condition]: readonly [string, string], since: string) => `
  insert into waiting_permit as w (permit_id, mode, since, retry_at)
  select p.id, e.mode, ${since}, case when p.partner_id is not null or not pace.on_demand then ${since} when ${MAY_BE_LISTED} then 'epoch' end
  from ${permits} join ticket t on t.id = p.ticket_id join ticket_type tt on tt.id = t.ticket_type_id join event e on e.id = tt.event_id
    join issue_pace pace on pace.mode = e.mode
  where ${condition} and p.issued_at is null and p.revoked_at is null and p.closed_at is null and t.status = 'valid'
  order by p.id
  on conflict (permit_id) do update set since = excluded.since, retry_at = excluded.retry_at
  where w.retry_at is null and excluded.retry_at is not null;`;

const trigger = (name: string, work: string) =>
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${work} return null; end $$`;

const NEW_PERMITS = ['made p', 'true'] as const;
const THE_PERMIT = ['permit p', 'p.id = new.id'] as const;
const OF_THE_TICKET = ['permit p', 'p.ticket_id = new.id'] as const;
const OF_THE_FAN = [
  `(select p.* from ticket own join permit p on p.ticket_id = own.id join waiting_permit q on q.permit_id = p.id
    where own.owner_id = new.fan_id and q.retry_at is null) p`,
  'true',
] as const;

export const ISSUE_ON_DEMAND = [
  'alter table issue_pace add column on_demand boolean not null default false',
  'alter table waiting_permit alter column retry_at drop not null',
  trigger('permits_wait', queue(NEW_PERMITS, 'p.created_at')),
  trigger('permit_waits_again', queue(THE_PERMIT, 'greatest(new.created_at, old.issued_at, old.revoked_at)')),
  trigger('permits_of_grant', queue(OF_THE_FAN, 'now()')),
  // nearly all changes are sales of tickets that are onchain
  trigger(
    'permit_of_ticket',
    `if exists (select from permit where ticket_id = new.id and issued_at is null) then ${queue(OF_THE_TICKET, 'now()')} end if;`,
  ),
];

export const ISSUE_FOR_GRANT = [
  `create trigger permits_of_grant after insert or update of actions, mode, ticket_ids, revoked_at on consent_grant for each row
   when (new.revoked_at is null and 'fan:listings:write' = any(new.actions)) execute function permits_of_grant()`,
];

export const ISSUE_FOR_TICKET = [
  `create trigger permit_of_ticket after update of owner_id, status on ticket for each row
   when (new.status = 'valid' and (old.owner_id, old.status) is distinct from (new.owner_id, new.status))
   execute function permit_of_ticket()`,
];

/** Whether a permit is needed is told by the feed. */
export const FEED_OF_QUEUE = [
  `create trigger feed_queue after update of retry_at on waiting_permit for each row
   when (old.retry_at is null and new.retry_at is not null and not new.closes) execute function feed_permit()`,
];
