import type { GrantMode } from '../entities/consent-grant.ts';
import { DomainError } from '../errors.ts';
import type { TicketOption } from './ticket-option.ts';

/** Which tickets a grant reaches. */
export interface TicketChoice {
  mode: GrantMode;
  /** Ticket identifiers; for `selected` at least one, for `all_current_future` none. */
  ticketIds: string[];
}

/** Whether a choice is within what a fan may grant. @throws DomainError `invalid_selection` */
export function checkTickets(choice: TicketChoice, offered: TicketOption[]): void {
  if (choice.mode === 'all_current_future') {
    if (choice.ticketIds.length > 0)
      throw invalidSelection('All current and future tickets are granted: name no single tickets.');
    return;
  }
  if (choice.ticketIds.length === 0) throw invalidSelection('Select at least one ticket.');
  const own = new Set(offered.map((ticket) => ticket.id));
  const foreign = choice.ticketIds.find((id) => !own.has(id));
  if (foreign !== undefined) throw invalidSelection(`The ticket ${foreign.slice(0, 60)} is not among your tickets.`);
  if (new Set(choice.ticketIds).size < choice.ticketIds.length) throw invalidSelection('A ticket is named twice.');
}

/** The refusal of a choice that is not on offer. */
export function invalidSelection(message: string): DomainError {
  return new DomainError('invalid_selection', message);
}
