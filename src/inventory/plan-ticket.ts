import { createHash } from 'node:crypto';
import { permitAddress } from '@fan-api/cosign-policy/program-addresses';
import { idOf, newId, tryUuidOf, type Uuid, uuidOf } from '../platform/identifier/type-id.ts';
import { onchainTicketId, tixTicketId } from '../tickets/ticket/onchain-ids.ts';
import { type AdoptedPermit, adoptPermit, isAnother } from './adopt-account.ts';
import type { TicketRow } from './parse-row.ts';
import { isStale, type Plan, takeVersion } from './plan.ts';
import { typeOf, unknownEvent } from './plan-event.ts';
import { type RowFault, type RowOutcome, rowFault } from './row-result.ts';
import type { EventState, TicketState, TicketTypeState } from './stored-state.ts';

/** Plans what the row of a ticket does. */
export function planTicket(plan: Plan, row: TicketRow): RowOutcome | RowFault {
  const event = plan.stored.events.get(row.event);
  if (event === undefined) return unknownEvent(row);
  const type = typeOf(plan, event, row.ticket_type);
  if (type === undefined) return unknownType(row);
  const ticket = plan.stored.tickets.get(row.reference);
  if (ticket !== undefined && ticket.event_id !== event.id) return rowFault('another_event', 'event');
  if (ticket !== undefined && isAnother(row.tix_permit_id, ticket.tix_permit_id)) {
    return rowFault('another_account', 'tix_permit_id');
  }
  if (ticket !== undefined && isStale(row, ticket)) return 'stale';
  if (ticket === undefined)
    return event.closed ? rowFault('event_closed', 'event') : create(plan, row, { event, type });
  if (event.closed && row.status === 'valid' && ticket.status !== 'valid') return rowFault('event_closed', 'status');
  const refund = soldOn(plan, row, ticket);
  if (refund !== undefined) return refund;
  const withdraws = row.status !== undefined && row.status !== 'valid' && ticket.status === 'valid';
  if (withdraws && plan.keepsHolders) return rowFault('needs_confirmation', 'status');
  const isRenamed = !hasSameName(row, ticket);
  const isNamedAnew = !isOfOneWhoLeft(plan, ticket, event) && (isRenamed || hasChangedHands(plan, row, ticket));
  const named = isNamedAnew ? changeHolder(plan, row, ticket, { event, isRenamed }) : 'same';
  if (typeof named === 'object') return named;
  plan.usedEvents.add(event);
  if (withdraws && ticket.version !== null) plan.takes.tickets.add(ticket);
  const changed = [changeFacts(plan, row, ticket, type), changeStatus(plan, row, ticket, event)].some(Boolean);
  if (takeVersion(row, ticket) || changed || named !== 'same') plan.tickets.add(ticket);
  if (changed || (isRenamed && isNamedAnew)) vouch(plan, row, ticket);
  return changed || named === 'changed' ? 'updated' : 'unchanged';
}

/**
 * A refund or a void that names a holder who has sold the ticket on would take it from the buyer. Without a holder, or with the present
 * one, the company means the ticket, whoever has it.
 */
function soldOn(plan: Plan, row: TicketRow, ticket: TicketState): RowFault | undefined {
  const takesBack = row.status === 'refunded' || row.status === 'void';
  if (!takesBack || row.status === ticket.status || namesNobody(row)) return undefined;
  const fan = holderOf(plan, row)?.fan;
  const isFormer = fan === ticket.named_holder_id && fan !== ticket.owner_id && fan !== ticket.moving_to;
  return isFormer ? rowFault('sold_on', row.holder_phone === undefined ? 'holder_fan_id' : 'holder_phone') : undefined;
}

function create(plan: Plan, row: TicketRow, refers: Refers): RowOutcome | RowFault {
  if (namesNobody(row)) return rowFault('invalid_row', 'holder_phone', NO_HOLDER);
  const holder = holderOf(plan, row);
  if (holder === undefined) return unknownFan(row, 'holder_fan_id');
  const adopted =
    row.tix_permit_id === undefined
      ? undefined
      : adoptPermit(plan.accounts, row.tix_permit_id, { event: refers.event.tix_event_id, fan: holder.fan });
  if (adopted !== undefined && 'reason' in adopted) return adopted;
  register(plan, row, holder);
  const made = newTicket(plan, row, { ...refers, adopted }, holder);
  if (adopted !== undefined) plan.adopted.set(made, adopted.slot);
  plan.stored.tickets.set(row.reference, made);
  plan.tickets.add(made);
  plan.usedEvents.add(refers.event);
  vouch(plan, row, made);
  return 'created';
}

/**
 * With a new or changed row the company vouches for the holder's number that the row names. A repeated row says nothing new, and a row
 * that takes the ticket back is no purchase.
 */
function vouch({ stored: { fans }, vouched }: Plan, { holder_phone: phone }: TicketRow, ticket: TicketState): void {
  if (phone === undefined || ticket.status !== 'valid') return;
  if (fans.byPhone.get(phone) === ticket.named_holder_id) vouched.add(phone);
}

const NO_HOLDER = 'A new ticket needs either holder_phone or holder_fan_id.';

function unknownType({ event, ticket_type }: TicketRow): RowFault {
  const message = `The event ${event} has no ticket type with the reference ${ticket_type} yet.`;
  return rowFault('unknown_ticket_type', 'ticket_type', message);
}

function unknownFan({ holder_fan_id }: TicketRow, field: string): RowFault {
  return rowFault('unknown_fan', field, `There is no fan ${holder_fan_id} in production.`);
}

/** Whether a row names no holder: the holder then stays. */
function namesNobody(row: TicketRow): boolean {
  return row.holder_phone === undefined && row.holder_fan_id === undefined;
}

function hasSameName(row: TicketRow, ticket: TicketState): boolean {
  return namesNobody(row) || ticket.named_holder_key === keyOf(row);
}

/** Whether the number went to a new account. Where the fan before has another number by now, the old one still names that fan. */
function hasChangedHands({ stored: { fans } }: Plan, { holder_phone: phone }: TicketRow, ticket: TicketState): boolean {
  return phone !== undefined && ticket.left_used !== null && fans.byPhone.has(phone);
}

/** A row of a past event is applied again: it must not bring the number of a fan who has left back, nor move the ticket. */
function isOfOneWhoLeft({ now }: Plan, { holder_left }: TicketState, { ends_at }: EventState): boolean {
  return holder_left && ends_at <= now;
}

interface Renaming {
  event: EventState;
  /** Whether the row names the holder by another name than the row before. */
  isRenamed: boolean;
}

function changeHolder(plan: Plan, row: TicketRow, ticket: TicketState, { event, isRenamed }: Renaming) {
  const field = row.holder_phone === undefined ? 'holder_fan_id' : 'holder_phone';
  if (!isRenamed && ticket.left_used) return rowFault('number_changed_hands', field);
  const holder = holderOf(plan, row);
  if (holder === undefined) return unknownFan(row, field);
  if (event.closed && holder.fan !== ticket.named_holder_id) return rowFault('event_closed', field);
  const named = nameHolder(plan, ticket, holder, field);
  if (typeof named === 'string') register(plan, row, holder);
  return named;
}

/** @returns undefined where there is no such fan; a new one for a number that has none */
function holderOf({ stored: { fans }, newFans }: Plan, row: TicketRow): NamedHolder | undefined {
  const { holder_phone: phone, holder_fan_id = '' } = row;
  const key = keyOf(row);
  if (phone !== undefined) {
    return { fan: fans.byPhone.get(phone) ?? newFans.get(phone) ?? uuidOf('usr', newId('usr')), key };
  }
  const fan = tryUuidOf('usr', holder_fan_id);
  return fan !== undefined && fans.ids.has(fan) ? { fan, key } : undefined;
}

/** Plans a new fan for a number that has none, once the row is certain to be applied. */
function register({ stored: { fans }, newFans }: Plan, { holder_phone: phone }: TicketRow, { fan }: NamedHolder): void {
  if (phone !== undefined && !fans.byPhone.has(phone)) newFans.set(phone, fan);
}

function keyOf({ holder_phone, holder_fan_id }: TicketRow): string {
  const name = holder_phone === undefined ? `fan ${holder_fan_id}` : `phone ${holder_phone}`;
  return createHash('sha256').update(name).digest('base64url');
}

interface Refers {
  event: EventState;
  type: TicketTypeState;
  /** Its permit, if that is onchain already. */
  adopted?: AdoptedPermit | undefined;
}

function newTicket(
  { programId, now }: Plan,
  row: TicketRow,
  { event, type, adopted }: Refers,
  holder: NamedHolder,
): TicketState {
  const id = newId('tkt');
  const status = row.status ?? 'valid';
  return {
    id: uuidOf('tkt', id),
    version: null,
    reference: row.reference,
    ticket_type_id: type.id,
    event_id: event.id,
    tix_ticket_id: adopted?.ticketId ?? tixTicketId(id),
    owner_id: holder.fan,
    status,
    used_at: status === 'used' ? (row.used_at ?? now) : null,
    label: row.label ?? null,
    purchased_at: row.purchased_at ?? now,
    updated_at: row.updated_at ?? null,
    named_holder_id: holder.fan,
    named_holder_key: holder.key,
    left_used: null,
    holder_left: false,
    permit_id: uuidOf('perm', newId('perm')),
    permit_version: null,
    tix_permit_id: adopted?.address ?? permitAddress(programId, event.tix_event_id, onchainTicketId(id)).address,
    issued: adopted !== undefined,
    revoked_at: status === 'valid' && event.cancelled_at === null ? null : now,
    moving: false,
    moving_to: null,
  };
}

function changeFacts(plan: Plan, row: TicketRow, ticket: TicketState, type: TicketTypeState): boolean {
  const { purchased_at = ticket.purchased_at, label = ticket.label } = row;
  const moved = ticket.ticket_type_id !== type.id;
  const dated = purchased_at.getTime() !== ticket.purchased_at.getTime();
  if (moved) {
    const before = { ticketType: idOf('typ', ticket.ticket_type_id) };
    const after = { ticketType: idOf('typ', type.id) };
    const subject = idOf('tkt', ticket.id);
    plan.effects.push({ action: 'ticket.type_changed', subject, details: { before, after } });
  }
  const isLabelled = label !== ticket.label;
  Object.assign(ticket, { ticket_type_id: type.id, purchased_at, label });
  return moved || dated || isLabelled;
}

/** Withdraws the permit of a ticket that is no longer valid; restores that of one that is valid again, unless its event is cancelled. */
function changeStatus(plan: Plan, row: TicketRow, ticket: TicketState, event: EventState): boolean {
  const { status } = row;
  if (status === undefined) return false;
  if (status === ticket.status) return changeUse(row, ticket);
  ticket.status = status;
  ticket.used_at = status === 'used' ? (row.used_at ?? plan.now) : null;
  const subject = idOf('tkt', ticket.id);
  if (status === 'valid') plan.effects.push({ action: 'ticket.restored', subject });
  else plan.effects.push({ action: 'ticket.withdrawn', subject, details: { status } });
  const withdrawn = status !== 'valid' || event.cancelled_at !== null;
  if (withdrawn && ticket.revoked_at === null) plan.withdrawn.add(ticket);
  if (!withdrawn) plan.withdrawn.delete(ticket);
  ticket.revoked_at = withdrawn ? (ticket.revoked_at ?? plan.now) : null;
  return true;
}

/** A later row may correct when a ticket was used; without a time it says nothing new. */
function changeUse({ used_at: usedAt }: TicketRow, ticket: TicketState): boolean {
  if (usedAt === undefined || usedAt.getTime() === ticket.used_at?.getTime()) return false;
  ticket.used_at = usedAt;
  return true;
}

/** A holder as a row names them. */
export interface NamedHolder {
  fan: Uuid;
  /** SHA-256 of the name, base64url. */
  key: string;
}

/** `named`: the same holder, by another name, which is stored. */
type Named = 'named' | 'changed';

/**
 * Plans the effect of a row that names the holder by another name than before. A ticket moves only where the company names another
 * holder, and never away from a fan who bought it: a file that is applied again must not undo what fans did since (D-203).
 */
export function nameHolder(plan: Plan, ticket: TicketState, holder: NamedHolder, field: string): Named | RowFault {
  const before = ticket.named_holder_id;
  const take = (named: Named): Named => {
    ticket.named_holder_id = holder.fan;
    ticket.named_holder_key = holder.key;
    Object.assign(ticket, { left_used: null, holder_left: false });
    return named;
  };
  if (before === holder.fan) return take('named');
  if (ticket.moving) return rowFault('transfer_under_way', field);
  const owner = ticket.owner_id;
  if (owner === holder.fan) return take('changed');
  if (owner === null) return rowFault('held_elsewhere', field);
  if (before !== null && owner !== before) return rowFault('sold_on', field);
  if (plan.keepsHolders) return rowFault('needs_confirmation', field);
  // a ticket that the batch makes had no holder
  if (ticket.version !== null) plan.takes.tickets.add(ticket);
  const details = { from: idOf('usr', owner), to: idOf('usr', holder.fan), onchain: ticket.issued };
  plan.effects.push({ action: 'ticket.transferred', subject: idOf('tkt', ticket.id), details });
  // a ticket that this batch makes has no permit onchain yet, unless one is adopted
  if (ticket.version !== null || ticket.issued) {
    plan.transfers.set(ticket, { from: owner, to: holder.fan, onchain: ticket.issued });
    if (ticket.issued) Object.assign(ticket, { moving: true, moving_to: holder.fan });
  }
  // an issued permit moves onchain first
  if (!ticket.issued) ticket.owner_id = holder.fan;
  return take('changed');
}
