import { idOf } from '../platform/identifier/type-id.ts';
import type { EventRow, TicketTypeRow } from './parse-row.ts';
import type { Plan } from './plan.ts';
import type { EventState, TicketTypeState } from './stored-state.ts';

/** Whether the tickets of an event can be resold for a shorter time than before. */
export function endsEarlier(event: EventState, { resale_until: until }: EventRow): boolean {
  if (until === undefined) return false;
  return (until ?? event.ends_at) < (event.resale_until ?? event.ends_at);
}

/**
 * Whether a row fails because nobody has confirmed that it takes the right to resell from people who have tickets on sale. Otherwise notes
 * that it takes it, for the check of the source.
 * @param takes whether the row takes the right away
 */
export function mustConfirm(plan: Plan, of: EventState | TicketTypeState, takes: boolean): boolean {
  if (!takes) return false;
  if (plan.keepsHolders && plan.listed.has(of.id)) return true;
  if (of.version !== null) plan.takes.resale.add(of);
  return false;
}

/** @returns whether the row changes until when tickets of the event can be resold */
export function changeUntil(plan: Plan, { resale_until: until }: EventRow, event: EventState): boolean {
  if (until === undefined || until?.getTime() === event.resale_until?.getTime()) return false;
  const before = event.resale_until;
  event.resale_until = until;
  noteResale(plan, event, { resale_until: before });
  return true;
}

/** @returns whether the row changes whether tickets of the type can be resold */
export function changeResale(plan: Plan, { resale }: TicketTypeRow, type: TicketTypeState): boolean {
  if (resale === undefined || (resale === 'yes') === type.resale) return false;
  const before = type.resale;
  type.resale = !before;
  noteResale(plan, type, { resale: before });
  return true;
}

/** Notes for the audit log what can be resold from now on; the console shows who set it. */
export function noteResale(
  plan: Plan,
  of: EventState | TicketTypeState,
  before: Pick<EventState, 'resale_until'> | Pick<TicketTypeState, 'resale'>,
): void {
  const after = 'resale' in of ? { resale: of.resale } : { resale_until: of.resale_until };
  const subject = 'resale' in of ? idOf('typ', of.id) : idOf('evt', of.id);
  plan.effects.push({ action: 'resale.changed', subject, details: { before, after } });
}
