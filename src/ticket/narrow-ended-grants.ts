import type { Context } from '../context.ts';
import { inTransaction, prepared } from '../database/prepared.ts';
import { narrowGrants } from '../grant/narrow-grants.ts';
import type { Uuid } from '../identifier/type-id.ts';
import { after } from '../oauth/lifetimes.ts';
import { ticketsOfEvent } from './tickets-of-event.ts';

/** Seconds: a consent that was under way when the event ended has been written by then. */
export const NARROWED_AFTER = 600;
const EVENTS = 100;

/** An event whose end was moved is due again. */
const readDue = prepared<{ id: Uuid }>(`
  select id from event where ends_at <= $1 and (grants_narrowed_at is null or grants_narrowed_at < ends_at)
  order by ends_at limit ${EVENTS}`);
const markNarrowed = prepared('update event set grants_narrowed_at = $2 where id = $1 and ends_at <= $2');

/**
 * Removes the tickets of events that ended a while ago from grants. Partners do not see them after the event's end anyway. Each event
 * is gone through once.
 * @param limit ends the run at the end of a batch; an event that was not finished is begun again
 */
export async function narrowEndedGrants(
  { pool, now, requestId }: Pick<Context, 'pool' | 'now' | 'requestId'>,
  limit?: AbortSignal,
): Promise<void> {
  for (;;) {
    const due = await readDue(pool, [after(now(), -NARROWED_AFTER)]);
    for (const { id } of due) {
      for await (const batch of ticketsOfEvent(pool, id)) {
        if (limit?.aborted) return;
        const fans = [...new Set(batch.flatMap(({ owner_id: owner }) => owner ?? []))];
        const tickets = batch.map((ticket) => ticket.id);
        const narrowing = { fans, tickets, reason: 'event_ended', now: now(), requestOf: () => requestId } as const;
        await inTransaction(pool, (client) => narrowGrants(client, narrowing));
      }
      if (limit?.aborted) return;
      await markNarrowed(pool, [id, now()]);
    }
    if (due.length < EVENTS) return;
  }
}
