import { idOf, type Uuid } from '../platform/identifier/type-id.ts';
import type { Plan } from './plan.ts';
import { type RowFault, rowFault } from './row-result.ts';
import type { TicketState } from './stored-state.ts';

/** A holder as a row names them. */
export interface NamedHolder {
  fan: Uuid;
  /** SHA-256 of the name, base64url. */
  key: string;
}

/** `named`: the same holder, by another name, which is stored. */
type Named = 'named' | 'changed';

/**
 * Plans what it means that a row names a holder by another name than before. A ticket moves only where the company names another holder than before, and never
 * away from somebody who bought it of that holder: a file that is applied again must not undo what fans did since (D-203).
 */
export function nameHolder(plan: Plan, ticket: TicketState, holder: NamedHolder, field: string): Named | RowFault {
  const before = ticket.named_holder_id;
  const take = (named: Named): Named => {
    ticket.named_holder_id = holder.fan;
    ticket.named_holder_key = holder.key;
    ticket.left_used = null;
    return named;
  };
  if (before === holder.fan) return take('named');
  if (ticket.moving) return rowFault('transfer_under_way', field);
  const owner = ticket.owner_id;
  if (owner === holder.fan) return take('changed');
  if (owner === null) return rowFault('held_elsewhere', field);
  if (before !== null && owner !== before) return rowFault('sold_on', field);
  if (plan.keepsHolders) return rowFault('needs_confirmation', field);
  // one that the batch makes was nobody's
  if (ticket.version !== null) plan.takes.tickets.add(ticket);
  const details = { from: idOf('usr', owner), to: idOf('usr', holder.fan), onchain: ticket.issued };
  plan.effects.push({ action: 'ticket.transferred', subject: idOf('tkt', ticket.id), details });
  // of a ticket that the batch makes nothing stands on the chain, unless it is adopted
  if (ticket.version !== null || ticket.issued) {
    plan.transfers.set(ticket, { from: owner, to: holder.fan, onchain: ticket.issued });
    ticket.moving = ticket.issued;
  }
  // what stands on the chain moves there first
  if (!ticket.issued) ticket.owner_id = holder.fan;
  return take('changed');
}
