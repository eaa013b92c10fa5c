import type { PoolClient } from 'pg';
import { narrowGrants } from '../oauth/grant/narrow-grants.ts';
import type { Context } from '../platform/context.ts';
import { inTransaction, prepared } from '../platform/database/prepared.ts';
import type { Uuid } from '../platform/identifier/type-id.ts';
import { after } from '../platform/time.ts';
import { type EventTicket, ticketsOfEvent } from '../tickets/ticket/tickets-of-event.ts';
import { closeListingsOfEnded } from './close-listings.ts';

type SettleContext = Pick<Context, 'pool' | 'now' | 'requestId'>;

/** Seconds: a consent that was under way when the event ended has been written by then. */
export const SETTLED_AFTER = 600;
const EVENTS = 100;

/** An event whose end was put off is due again. */
const readDue = prepared<{ id: Uuid }>(`
  select id from event where ends_at <= $1 and (grants_narrowed_at is null or grants_narrowed_at < ends_at)
  order by ends_at limit ${EVENTS}`);
const markSettled = prepared('update event set grants_narrowed_at = $2 where id = $1 and ends_at <= $2');

/**
 * Has the open listings of events that ended a while ago closed onchain, and removes the tickets from grants. Partners do not see them
 * after the event's end anyway. Each event is gone through once.
 * @param limit ends the run at the end of a batch; an event that was not finished is begun again
 */
export async function settleEndedEvents(context: SettleContext, limit?: AbortSignal): Promise<void> {
  const { pool, now } = context;
  for (;;) {
    const due = await readDue(pool, [after(now(), -SETTLED_AFTER)]);
    for (const { id } of due) {
      for await (const batch of ticketsOfEvent(pool, id)) {
        if (limit?.aborted) return;
        await inTransaction(pool, (client) => settleBatch(client, batch, context));
      }
      if (limit?.aborted) return;
      await markSettled(pool, [id, now()]);
    }
    if (due.length < EVENTS) return;
  }
}

/** A ticket on sale stays in its grants, so that the fan can still take it off sale (D-357). */
async function settleBatch(
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
