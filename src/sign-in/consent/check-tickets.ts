import type { PoolClient } from 'pg';
import type { GrantMode } from '../../entities/consent-grant.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, uuidOf } from '../../platform/identifier/type-id.ts';
import { lockHeldTickets } from './statements.ts';
import type { TicketOption } from './ticket-option.ts';

/** The fan's choice of tickets for a grant. */
export interface TicketChoice {
  mode: GrantMode;
  /** For `selected` at least one, for `all_current_future` none. */
  ticketIds: string[];
}

/** Checks that the fan may grant the choice. @returns its tickets @throws DomainError `invalid_selection` */
export function checkTickets(choice: TicketChoice, offered: TicketOption[]): Id<'tkt'>[] {
  if (choice.mode === 'all_current_future') {
    if (choice.ticketIds.length > 0)
      throw invalidSelection('All current and future tickets are granted: name no single tickets.');
    return [];
  }
  if (choice.ticketIds.length === 0) throw invalidSelection('Select at least one ticket.');
  const own = new Map<string, Id<'tkt'>>(offered.map(({ id }) => [id, id]));
  const chosen = choice.ticketIds.map((id) => {
    const ticket = own.get(id);
    if (!ticket) throw invalidSelection(`The ticket ${id.slice(0, 60)} is not among your tickets.`);
    return ticket;
  });
  if (new Set(chosen).size < chosen.length) throw invalidSelection('A ticket is named twice.');
  return chosen;
}

export function invalidSelection(message: string): DomainError {
  return new DomainError('invalid_selection', message);
}

/**
 * Locks a fan's tickets until the end of the caller's transaction, which writes them into a grant. A concurrent transfer has
 * either committed, and this call sees it, or it waits, then finds the grant and narrows it.
 * @throws DomainError `invalid_selection` where a ticket is no longer the fan's
 */
export async function holdTickets(client: PoolClient, fanId: Id<'usr'>, ticketIds: Id<'tkt'>[]): Promise<void> {
  if (ticketIds.length === 0) return;
  const held = await lockHeldTickets(client, [ticketIds.map((id) => uuidOf('tkt', id)), uuidOf('usr', fanId)]);
  if (held.length < ticketIds.length)
    throw invalidSelection('One of these tickets is not yours any more. Load the page again.');
}
