import type { PoolClient } from 'pg';
import { narrowGrants } from '../oauth/grant/narrow-grants.ts';
import type { Context } from '../platform/context.ts';
import { inTransaction, prepared } from '../platform/database/prepared.ts';
import { idOf, type Uuid } from '../platform/identifier/type-id.ts';
import { after } from '../platform/time.ts';
import { type ActionWithDetails, INSERT_AUDIT } from '../record/audit/record-audit.ts';
import { type EventTicket, ticketsOfEvent } from '../tickets/ticket/tickets-of-event.ts';
import { closeListingsOf, closeListingsOfEnded } from './close-listings.ts';

type SettleContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

const readDue = prepared<{ id: Uuid; due: string }>(
  'select id, permits_due_at::text as due from event where permits_due_at is not null order by permits_due_at limit 100',
);

/** Shared, so that the event's status stays while a batch is written. */
const shareEvent = prepared<{ cancelled: boolean }>(
  'select cancelled_at is not null as cancelled from event where id = $1 and permits_due_at is not null for share',
);

interface Turned {
  permit_id: Uuid;
  ticket_id: Uuid;
  owner_id: Uuid | null;
}

/** Permits whose state does not match their ticket and event, locked in the order of ids. */
const turn = prepared<Turned>(`
  with wrong as (
    select p.id, t.id as ticket_id, t.owner_id
    from ticket t join permit p on p.ticket_id = t.id
    where t.id = any($1)
      and case when $2 then p.revoked_at is null else p.revoked_at is not null and t.status = 'valid' end
    order by p.id for update of p
  )
  update permit p set revoked_at = case when $2 then $3::timestamptz end from wrong where p.id = wrong.id
  returning p.id as permit_id, wrong.ticket_id, wrong.owner_id`);

/** Not where the status changed again meanwhile. */
const markSettled = prepared(
  'update event set permits_due_at = null where id = $1 and permits_due_at = $2::timestamptz',
);

const audit = prepared(`
  ${INSERT_AUDIT}
  select $2, 'system', $3::text, subject, $4::jsonb, $5::text from jsonb_array_elements_text($1::jsonb) as subject`);

/**
 * Withdraws the permits of cancelled events, with what follows for grants and listings, and gives those of reinstated events back: in
 * batches, each in a transaction of its own. Their tickets are hidden, or shown, already (`futureEvent`). An interrupted run is continued
 * later.
 */
export async function settleEvents(context: SettleContext): Promise<void> {
  for (const { id, due } of await readDue(context.pool, [])) {
    // a ticket whose type changed meanwhile may have been missed, so the last walk is one that finds nothing
    for (let turned = 1; turned > 0; ) {
      turned = 0;
      for await (const tickets of ticketsOfEvent(context.pool, id)) turned += await settleBatch(context, id, tickets);
    }
    await markSettled(context.pool, [id, due]);
  }
}

/** @returns how many permits it turned */
async function settleBatch(
  { pool, now, requestId }: SettleContext,
  event: Uuid,
  tickets: readonly EventTicket[],
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const [shared] = await shareEvent(client, [event]);
    if (shared === undefined) return 0;
    const turned = await turn(client, [tickets.map(({ id }) => id), shared.cancelled, now()]);
    if (turned.length > 0) await follow(client, turned, { ...shared, now: now(), requestId });
    return turned.length;
  });
}

/** The consequences of withdrawn permits, or of restored ones. */
async function follow(
  client: PoolClient,
  turned: readonly Turned[],
  { cancelled, now, requestId }: { cancelled: boolean; now: Date; requestId: string | null },
): Promise<void> {
  const subjects = JSON.stringify(turned.map(({ permit_id }) => idOf('perm', permit_id)));
  const fact: ActionWithDetails = cancelled
    ? { action: 'permit.revoked', details: { reason: 'event_cancelled' } }
    : { action: 'permit.restored' };
  await audit(client, [subjects, now, fact.action, JSON.stringify(fact.details ?? {}), requestId]);
  if (!cancelled) return;
  const fans = [...new Set(turned.flatMap(({ owner_id }) => owner_id ?? []))];
  const tickets = turned.map(({ ticket_id }) => ticket_id);
  await narrowGrants(client, { fans, tickets, reason: 'ticket_withdrawn', now, requestOf: () => requestId });
  const permits = turned.map(({ permit_id }) => permit_id);
  await closeListingsOf(client, permits, { actor: 'system', origin: 'event', requestId, now });
}

/** Seconds: a consent that was under way when the event ended has been written by then. */
export const SETTLED_AFTER = 600;
const EVENTS = 100;

/** An event whose end was postponed is due again. */
const readEnded = prepared<{ id: Uuid }>(`
  select id from event where ends_at <= $1 and (grants_narrowed_at is null or grants_narrowed_at < ends_at)
  order by ends_at limit ${EVENTS}`);
const markEnded = prepared('update event set grants_narrowed_at = $2 where id = $1 and ends_at <= $2');

/**
 * Orders that the open listings of events that ended a while ago are closed onchain, and removes the tickets from grants. Partners do
 * not see them after the event's end anyway. Each event is processed once.
 * @param limit ends the run at the end of a batch; an event that was not finished is begun again
 */
export async function settleEndedEvents(context: SettleContext, limit?: AbortSignal): Promise<void> {
  const { pool, now } = context;
  for (;;) {
    const due = await readEnded(pool, [after(now(), -SETTLED_AFTER)]);
    for (const { id } of due) {
      for await (const batch of ticketsOfEvent(pool, id)) {
        if (limit?.aborted) return;
        await inTransaction(pool, (client) => settleEndedBatch(client, batch, context));
      }
      if (limit?.aborted) return;
      await markEnded(pool, [id, now()]);
    }
    if (due.length < EVENTS) return;
  }
}

/** A ticket on sale stays in its grants, so that the fan can still take it off sale (D-357). */
async function settleEndedBatch(
  client: PoolClient,
  batch: readonly EventTicket[],
  { now, requestId }: SettleContext,
): Promise<void> {
  const origin = { actor: 'system', origin: 'ended event', reason: 'The event is over.', requestId, now: now() };
  const tickets = batch.map(({ id }) => id);
  const onSale = await closeListingsOfEnded(client, tickets, origin);
  await narrowGrants(client, {
    fans: [...new Set(batch.flatMap(({ owner_id: owner }) => owner ?? []))],
    tickets: tickets.filter((id) => !onSale.has(id)),
    reason: 'event_ended',
    now: now(),
    requestOf: () => requestId,
  });
}
