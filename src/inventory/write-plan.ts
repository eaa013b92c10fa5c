import type { PoolClient } from 'pg';
import { narrowGrants } from '../oauth/grant/narrow-grants.ts';
import { prepared } from '../platform/database/prepared.ts';
import { idOf, type Uuid } from '../platform/identifier/type-id.ts';
import { type NewFan, registerFans, vouchForNumbers } from '../sign-in/fan/register-fans.ts';
import { deferAdopted } from './adopted-permits.ts';
import { auditBatch, type ResultsOfRequests, type RowSource } from './audit-batch.ts';
import { closeListingsOf } from './close-listings.ts';
import { orderTransfers } from './custody-move/order-moves.ts';
import { lockPlan, PlanOutdated } from './lock-plan.ts';
import type { Plan } from './plan.ts';

const insertEvents = prepared<{ id: Uuid }>(`
  insert into event (id, mode, reference, name, venue, starts_at, ends_at, time_zone, resale_until, tix_event_id,
    cancelled_at, source_updated_at, created_at, registered_at)
  select id, 'production', reference, name, venue, starts_at, ends_at, time_zone, resale_until, tix_event_id, cancelled_at, updated_at, $2,
    case when registered then $2::timestamptz end
  from jsonb_to_recordset($1::jsonb) as g(id uuid, reference text, name text, venue text, starts_at timestamptz,
    ends_at timestamptz, time_zone text, resale_until timestamptz, tix_event_id text, cancelled_at timestamptz, updated_at timestamptz,
    registered boolean)
  order by reference on conflict do nothing returning id`);

const updateEvents = prepared(`
  update event e set name = g.name, venue = g.venue, starts_at = g.starts_at, ends_at = g.ends_at, time_zone = g.time_zone,
    resale_until = g.resale_until, resale_ended_at = case when e.resale_until is not distinct from g.resale_until then e.resale_ended_at end,
    cancelled_at = g.cancelled_at, source_updated_at = g.updated_at,
    permits_due_at = case when g.permits_due then $2 else e.permits_due_at end,
    grants_narrowed_at = case when e.ends_at = g.ends_at then e.grants_narrowed_at end
  from jsonb_to_recordset($1::jsonb) as g(id uuid, name text, venue text, starts_at timestamptz, ends_at timestamptz,
    time_zone text, resale_until timestamptz, cancelled_at timestamptz, updated_at timestamptz, permits_due boolean)
  where e.id = g.id`);

const insertTypes = prepared<{ id: Uuid }>(`
  insert into ticket_type (id, event_id, reference, name, resale, source_updated_at)
  select id, event_id, reference, name, resale, updated_at
  from jsonb_to_recordset($1::jsonb) as g(id uuid, event_id uuid, reference text, name text, resale boolean, updated_at timestamptz)
  order by event_id, reference on conflict do nothing returning id`);

/** What is on sale of a type that is no longer for resale ends (`end-sales.ts`). */
const updateTypes = prepared(`
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as g(id uuid, name text, resale boolean, updated_at timestamptz)
  ), ended as (
    insert into ended_access (ticket_type_id, kept_tickets, cause, ended_at)
    select id, '{}', 'not_for_resale', $2 from given join ticket_type tt using (id) where tt.resale and not given.resale
  )
  update ticket_type tt set name = given.name, resale = given.resale, source_updated_at = given.updated_at
  from given where tt.id = given.id`);

const insertTickets = prepared<{ ticket_id: Uuid }>(`
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as g(id uuid, reference text, ticket_type_id uuid, tix_ticket_id text,
      owner_id uuid, status text, used_at timestamptz, label text, purchased_at timestamptz, updated_at timestamptz,
      named_holder_id uuid, named_holder_key text, permit_id uuid, tix_permit_id text, revoked_at timestamptz, issued boolean)
  ), made as (
    insert into ticket (id, reference, ticket_type_id, tix_ticket_id, owner_id, status, used_at, label, purchased_at,
      source_updated_at, named_holder_id, named_holder_key)
    select id, reference, ticket_type_id, tix_ticket_id, owner_id, status, used_at, label, purchased_at, updated_at,
      named_holder_id, named_holder_key
    from given order by reference on conflict do nothing returning id
  )
  insert into permit (id, ticket_id, tix_permit_id, created_at, issued_at, revoked_at)
  select permit_id, id, tix_permit_id, $2, case when issued then $2::timestamptz end, revoked_at
  from given join made using (id) order by permit_id on conflict do nothing
  returning ticket_id`);

const updateTickets = prepared(`
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as g(id uuid, ticket_type_id uuid, owner_id uuid, status text,
      used_at timestamptz, label text, purchased_at timestamptz, updated_at timestamptz, named_holder_id uuid, named_holder_key text, revoked_at timestamptz)
  ), changed as (
    update ticket t set ticket_type_id = given.ticket_type_id, owner_id = given.owner_id, status = given.status,
      used_at = given.used_at, label = given.label, purchased_at = given.purchased_at, source_updated_at = given.updated_at, named_holder_id = given.named_holder_id,
      named_holder_key = given.named_holder_key
    from given where t.id = given.id
  )
  update permit p set revoked_at = given.revoked_at from given
  where p.ticket_id = given.id and p.revoked_at is distinct from given.revoked_at`);

export interface Batch {
  plan: Plan;
  newFans: readonly NewFan[];
  results: ResultsOfRequests;
  source: RowSource;
}

/**
 * Writes what a batch does, within one transaction: a few statements, however many rows.
 * @throws PlanOutdated where something was changed since it was read
 */
export async function writePlan(client: PoolClient, { plan, newFans, results, source }: Batch): Promise<void> {
  const { now } = plan;
  await lockPlan(client, plan);
  await source.check?.(client, plan);
  requireAll(await registerFans(client, newFans, now), newFans.length);
  await vouchForNumbers(client, [...plan.vouched], now);
  const [newEvents, events] = parted(plan.events);
  if (newEvents.length > 0) requireAll((await insertEvents(client, [json(newEvents), now])).length, newEvents.length);
  if (events.length > 0) await updateEvents(client, [json(events), now]);
  const [newTypes, types] = parted(plan.types);
  if (newTypes.length > 0) requireAll((await insertTypes(client, [json(newTypes)])).length, newTypes.length);
  if (types.length > 0) await updateTypes(client, [json(types), now]);
  const [newTickets, tickets] = parted(plan.tickets);
  if (newTickets.length > 0)
    requireAll((await insertTickets(client, [json(newTickets), now])).length, newTickets.length);
  if (tickets.length > 0) await updateTickets(client, [json(tickets)]);
  await deferAdopted(client, plan);
  await writeEffects(client, plan, source);
  await auditBatch(client, plan, results, source);
}

async function writeEffects(client: PoolClient, plan: Plan, source: RowSource): Promise<void> {
  const { now } = plan;
  const { actor, requestId, staffToken, run: origin = 'inventory' } = source;
  const requests = new Map(plan.effects.map(({ subject, request_id }) => [subject, request_id]));
  const requestOf = (ticket: Uuid) => requests.get(idOf('tkt', ticket)) ?? requestId;
  const moves = { actor, requestId, requestOf, staffToken, origin, now };
  const transfers = [...plan.transfers].map(([ticket, { from, to }]) => ({ permitId: ticket.permit_id, from, to }));
  const { reason = 'The company gave the ticket to another holder.' } = source;
  requireAll(await orderTransfers(client, transfers, { ...moves, reason }), transfers.length);
  const given = [...plan.transfers].filter(([, { onchain }]) => !onchain);
  await narrowGrants(client, {
    fans: given.map(([, { from }]) => from),
    tickets: given.map(([ticket]) => ticket.id),
    reason: 'ticket_moved',
    now,
    requestOf,
  });
  const withdrawn = [...plan.withdrawn].filter((ticket) => ticket.version !== null);
  await narrowGrants(client, {
    fans: withdrawn.flatMap((ticket) => ticket.owner_id ?? []),
    tickets: withdrawn.map((ticket) => ticket.id),
    reason: 'ticket_withdrawn',
    now,
    requestOf,
  });
  await closeListingsOf(
    client,
    withdrawn.map(({ permit_id }) => permit_id),
    { ...moves, ...(source.reason !== undefined && { reason: source.reason }) },
  );
}

/** Splits states into new and existing ones. */
function parted<State extends { version: string | null }>(states: ReadonlySet<State>): [State[], State[]] {
  const all = [...states];
  return [all.filter(({ version }) => version === null), all.filter(({ version }) => version !== null)];
}

function json(rows: readonly object[]): string {
  return JSON.stringify(rows);
}

/** Fewer rows than given: somebody else wrote one with the same reference, number or onchain account first. */
function requireAll(written: number, given: number): void {
  if (written < given) throw new PlanOutdated();
}
