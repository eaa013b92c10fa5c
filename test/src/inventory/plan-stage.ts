import { parseRow } from '../../../src/inventory/parse-row.ts';
import { emptyPlan, type Plan } from '../../../src/inventory/plan.ts';
import { planEvent, planTicketType } from '../../../src/inventory/plan-event.ts';
import { planTicket } from '../../../src/inventory/plan-ticket.ts';
import type { EventState, StoredState, TicketState } from '../../../src/inventory/stored-state.ts';
import { newId, type Uuid, uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { eventRow, PRODUCTION_PROGRAM_ID, ticketRow, typeRow } from './stage.ts';

/** Plans over things in memory: what a row means, without a database. */

export const NOW = new Date('2026-06-01T00:00:00Z');
export const PHONE = '+12025550101';

export const newFan = (): Uuid => uuidOf('usr', newId('usr'));

/** Outcome of a row in a plan, or why it failed. */
export function planned(plan: Plan, value: unknown): string {
  const { row, fault } = parseRow(value);
  if (row === undefined) throw new Error(fault?.message);
  const told =
    row.kind === 'event'
      ? planEvent(plan, row)
      : row.kind === 'ticket_type'
        ? planTicketType(plan, row)
        : planTicket(plan, row);
  return typeof told === 'string' ? told : [told.reason, told.field].filter(Boolean).join(' ');
}

/**
 * An event `e` with the type `t` and the ticket `k` of a fan, all stored.
 * @param rows changes of their rows before they are stored
 */
export function storedTicket(rows: { event?: object; type?: object; ticket?: object } = {}) {
  const holder = newFan();
  const stored: StoredState = {
    events: new Map(),
    types: [],
    tickets: new Map(),
    fans: { byPhone: new Map([[PHONE, holder]]), ids: new Set([holder]) },
  };
  const accounts = { away: false, events: new Map(), permits: new Map(), fans: new Map(), taken: new Set<string>() };
  const basis = { stored, accounts, programId: PRODUCTION_PROGRAM_ID, now: NOW };
  const first = emptyPlan(basis);
  for (const row of [eventRow('e', rows.event), typeRow('e', 't', rows.type), ticketRow('e', 't', 'k', rows.ticket)]) {
    if (planned(first, row) !== 'created') throw new Error('the set-up was not created');
  }
  const event = stored.events.get('e') as EventState;
  const ticket = stored.tickets.get('k') as TicketState;
  for (const state of [event, ticket, ...stored.types]) state.version = '1';
  return { plan: emptyPlan(basis), stored, event, ticket, holder };
}

/** What a plan writes. */
export function writes({ events, types, tickets, newFans, transfers, withdrawn, effects }: Plan) {
  return {
    things: events.size + types.size + tickets.size,
    fans: newFans.size,
    transfers: transfers.size,
    withdrawn: withdrawn.size,
    effects: effects.map(({ action }) => action),
  };
}

export const NOTHING = { things: 0, fans: 0, transfers: 0, withdrawn: 0, effects: [] };
