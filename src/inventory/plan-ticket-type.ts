import { idOf, newId, uuidOf } from '../platform/identifier/type-id.ts';
import type { TicketTypeRow } from './parse-row.ts';
import { isStale, type Plan, takeVersion } from './plan.ts';
import { type RowFault, type RowOutcome, rowFault } from './row-result.ts';
import type { EventState, TicketTypeState } from './stored-state.ts';

/** Plans what the row of a ticket type does. */
export function planTicketType(plan: Plan, row: TicketTypeRow): RowOutcome | RowFault {
  const event = plan.stored.events.get(row.event);
  if (event === undefined) return unknownEvent(row);
  const type = typeOf(plan, event, row.reference);
  if (type !== undefined && isStale(row, type)) return 'stale';
  const named = plan.stored.types.find(({ event_id, name }) => event_id === event.id && name === row.name);
  if (named !== undefined && named !== type) return rowFault('name_taken', 'name');
  plan.usedEvents.add(event);
  if (type === undefined) {
    const { reference, name, updated_at = null } = row;
    const made = { id: uuidOf('typ', newId('typ')), version: null, event_id: event.id, reference, name, updated_at };
    plan.stored.types.push(made);
    plan.types.add(made);
    return 'created';
  }
  const renamed = type.name !== row.name;
  if (renamed) {
    const details = { before: { name: type.name }, after: { name: row.name } };
    plan.effects.push({ action: 'ticket_type.renamed', subject: idOf('typ', type.id), details });
  }
  type.name = row.name;
  if (takeVersion(row, type) || renamed) plan.types.add(type);
  return renamed ? 'updated' : 'unchanged';
}

/** The ticket type of an event by its reference. */
export function typeOf({ stored }: Plan, event: EventState, reference: string): TicketTypeState | undefined {
  return stored.types.find((type) => type.event_id === event.id && type.reference === reference);
}

/** Names the event that is missing: one may be missing for thousands of rows. */
export function unknownEvent({ event }: { event: string }): RowFault {
  return rowFault('unknown_event', 'event', `No event has the reference ${event} yet.`);
}
