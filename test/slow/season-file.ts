import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/** Tickets of one event, of one type, and of one holder on average. */
const TICKETS_PER_EVENT = 10_000;
const TYPES_PER_EVENT = 5;
const TICKETS_PER_HOLDER = 3;

/** The rows of a season: events, their types, and `count` tickets of holders who have never signed in. */
export function* seasonRows(count: number): Generator<object> {
  for (let at = 0; at < count; at += 1) {
    const event = `event-${Math.floor(at / TICKETS_PER_EVENT)}`;
    if (at % TICKETS_PER_EVENT === 0) {
      const times = { starts_at: '2030-05-01T18:00:00Z', ends_at: '2030-05-01T22:00:00Z', time_zone: 'Europe/Berlin' };
      yield { kind: 'event', reference: event, name: `Evening ${event}`, venue: 'Town hall', ...times };
      for (let type = 0; type < TYPES_PER_EVENT; type += 1) {
        yield { kind: 'ticket_type', reference: `type-${type}`, event, name: `Block ${type}` };
      }
    }
    const holder = (Math.floor(at / TICKETS_PER_HOLDER) % 100_000_000).toString().padStart(8, '0');
    yield {
      kind: 'ticket',
      reference: `ticket-${at}`,
      event,
      ticket_type: `type-${at % TYPES_PER_EVENT}`,
      // numbers of Berlin
      holder_phone: `+4930${holder}`,
      purchased_at: '2026-10-01T10:00:00Z',
      updated_at: '2026-10-01T10:00:00Z',
    };
  }
}

/** Writes the rows of a season as NDJSON. @returns how many there are */
export async function writeSeason(file: string, count: number): Promise<number> {
  const out = createWriteStream(file);
  let rows = 0;
  let part = '';
  for (const row of seasonRows(count)) {
    part += `${JSON.stringify(row)}\n`;
    rows += 1;
    if (part.length < 65_536) continue;
    if (!out.write(part)) await once(out, 'drain');
    part = '';
  }
  out.end(part);
  await once(out, 'finish');
  return rows;
}
