import type { Pool, PoolClient } from 'pg';
import { prepared } from '../../platform/database/prepared.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';

/** A ticket of an event. */
export interface EventTicket {
  id: Uuid;
  owner_id: Uuid | null;
}

const BATCH = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

const readTypes = prepared<{ id: Uuid }>('select id from ticket_type where event_id = $1 order by id');
const readTickets = prepared<EventTicket>(
  `select id, owner_id from ticket where ticket_type_id = $1 and id > $2 order by id limit ${BATCH}`,
);

/** Reads the tickets of an event, each once, in batches along an index, so the last batch costs no more than the first. */
export async function* ticketsOfEvent(database: Pool | PoolClient, event: Uuid): AsyncGenerator<EventTicket[]> {
  for (const { id } of await readTypes(database, [event])) {
    for (let last: string | undefined = BEFORE_ALL; last !== undefined; ) {
      const tickets: EventTicket[] = await readTickets(database, [id, last]);
      if (tickets.length > 0) yield tickets;
      last = tickets.length === BATCH ? tickets.at(-1)?.id : undefined;
    }
  }
}
