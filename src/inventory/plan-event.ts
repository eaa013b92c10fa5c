import { eventAddress } from '@fan-api/cosign-policy/program-addresses';
import { idOf, newId, uuidOf } from '../platform/identifier/type-id.ts';
import { onchainEventId } from '../tickets/ticket/onchain-ids.ts';
import { adoptEvent, isAnother } from './adopt-account.ts';
import type { EventRow, TicketTypeRow } from './parse-row.ts';
import { isStale, type Plan, takeVersion } from './plan.ts';
import { changeResale, changeUntil, endsEarlier, mustConfirm, noteResale } from './plan-resale.ts';
import { type RowFault, type RowOutcome, rowFault } from './row-result.ts';
import type { EventState, TicketTypeState } from './stored-state.ts';

/** Plans what the row of an event does. */
export function planEvent(plan: Plan, row: EventRow): RowOutcome | RowFault {
  const event = plan.stored.events.get(row.reference);
  if (event === undefined) {
    const adopted = row.tix_event_id === undefined ? undefined : adoptEvent(plan.accounts, row.tix_event_id);
    if (adopted !== undefined && 'reason' in adopted) return adopted;
    const made = newEvent(plan, row, adopted?.address);
    plan.stored.events.set(row.reference, made);
    plan.events.add(made);
    if (made.resale_until !== null) noteResale(plan, made, { resale_until: null });
    return 'created';
  }
  if (isAnother(row.tix_event_id, event.tix_event_id)) return rowFault('another_account', 'tix_event_id');
  if (isStale(row, event)) return 'stale';
  if (event.closed) {
    if (row.ends_at > plan.now) return rowFault('event_closed', 'ends_at');
    if (row.status === 'scheduled' && event.cancelled_at !== null) return rowFault('event_closed', 'status');
  }
  const hides = row.status === 'cancelled' || row.ends_at <= plan.now;
  if (hides && event.cancelled_at === null && event.ends_at > plan.now) {
    if (plan.keepsHolders) return rowFault('needs_confirmation', row.status === 'cancelled' ? 'status' : 'ends_at');
    if (event.version !== null) plan.takes.events.add(event);
  }
  if (mustConfirm(plan, event, endsEarlier(event, row))) return rowFault('needs_confirmation', 'resale_until');
  const changes = [changeFacts(plan, row, event), changeStatus(plan, row, event), changeUntil(plan, row, event)];
  const changed = changes.some(Boolean);
  if (takeVersion(row, event) || changed) plan.events.add(event);
  return changed ? 'updated' : 'unchanged';
}

/** @param adopted the address of its account, if it is onchain already */
function newEvent({ programId, now }: Plan, row: EventRow, adopted: string | undefined): EventState {
  const id = newId('evt');
  return {
    id: uuidOf('evt', id),
    version: null,
    reference: row.reference,
    name: row.name,
    venue: row.venue ?? null,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    time_zone: row.time_zone ?? 'UTC',
    resale_until: row.resale_until ?? null,
    tix_event_id: adopted ?? eventAddress(programId, onchainEventId(id)).address,
    registered: adopted !== undefined,
    closed: false,
    cancelled_at: row.status === 'cancelled' ? now : null,
    updated_at: row.updated_at ?? null,
    permits_due: false,
  };
}

/** Name, place and time. */
function changeFacts(plan: Plan, row: EventRow, event: EventState): boolean {
  const { name, venue = event.venue, starts_at, ends_at, time_zone = event.time_zone } = row;
  const wanted = { name, venue, starts_at, ends_at, time_zone };
  const before: Record<string, unknown> = {};
  const after: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(wanted)) {
    const stored = event[member as keyof typeof wanted];
    if (comparable(stored) === comparable(value)) continue;
    before[member] = comparable(stored);
    after[member] = comparable(value);
  }
  if (Object.keys(after).length === 0) return false;
  Object.assign(event, wanted);
  plan.effects.push({ action: 'event.changed', subject: idOf('evt', event.id), details: { before, after } });
  return true;
}

function comparable(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}

function changeStatus(plan: Plan, { status }: EventRow, event: EventState): boolean {
  if (status === undefined || (status === 'cancelled') === (event.cancelled_at !== null)) return false;
  event.cancelled_at = status === 'cancelled' ? plan.now : null;
  event.permits_due = true;
  const subject = idOf('evt', event.id);
  plan.effects.push(
    status === 'cancelled' ? { action: 'event.cancelled', subject } : { action: 'event.reinstated', subject },
  );
  return true;
}

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
    const resale = row.resale !== 'no';
    const id = uuidOf('typ', newId('typ'));
    const made = { id, version: null, event_id: event.id, reference, name, resale, updated_at };
    plan.stored.types.push(made);
    plan.types.add(made);
    if (!resale) noteResale(plan, made, { resale: true });
    return 'created';
  }
  if (mustConfirm(plan, type, type.resale && row.resale === 'no')) return rowFault('needs_confirmation', 'resale');
  const renamed = type.name !== row.name;
  if (renamed) {
    const details = { before: { name: type.name }, after: { name: row.name } };
    plan.effects.push({ action: 'ticket_type.renamed', subject: idOf('typ', type.id), details });
  }
  type.name = row.name;
  const turned = changeResale(plan, row, type);
  if (takeVersion(row, type) || renamed || turned) plan.types.add(type);
  return renamed || turned ? 'updated' : 'unchanged';
}

/** The ticket type of an event by its reference. */
export function typeOf({ stored }: Plan, event: EventState, reference: string): TicketTypeState | undefined {
  return stored.types.find((type) => type.event_id === event.id && type.reference === reference);
}

/** Names the event that is missing: one may be missing for thousands of rows. */
export function unknownEvent({ event }: { event: string }): RowFault {
  return rowFault('unknown_event', 'event', `No event has the reference ${event} yet.`);
}
