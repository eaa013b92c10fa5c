import type { Uuid } from '../platform/identifier/type-id.ts';
import type { AuditLine } from '../record/audit/record-audit.ts';
import type { NamedAccounts } from './named-accounts.ts';
import type { EventState, StoredState, TicketState, TicketTypeState } from './stored-state.ts';

/** A life-cycle effect of a row, for the audit log. */
export type Effect = AuditLine;

/** The changes of a batch, in memory: the states to be written. */
export interface Plan {
  now: Date;
  programId: string;
  stored: StoredState;
  /** The onchain accounts that rows of new things name. */
  accounts: NamedAccounts;
  /** Those that are new or changed. */
  events: Set<EventState>;
  types: Set<TicketTypeState>;
  tickets: Set<TicketState>;
  /** Events that rows of the batch depend on. */
  usedEvents: Set<EventState>;
  /** Numbers (E.164) without a fan so far, with the `uuid` of the new fan. */
  newFans: Map<string, Uuid>;
  /** Numbers (E.164) of fans that new or changed rows name: the company vouches for them (D-073). */
  vouched: Set<string>;
  /** Tickets whose permit is withdrawn. */
  withdrawn: Set<TicketState>;
  /** Existing tickets that the company gives to another fan: a permit that is onchain, or may be soon, moves there. */
  transfers: Map<TicketState, Transfer>;
  /** Tickets whose permit is onchain already, with the slot at which it was read. */
  adopted: Map<TicketState, number>;
  effects: Effect[];
  /** What fans lose: tickets that get another holder or are withdrawn, and events whose tickets are hidden. */
  takes: {
    tickets: Set<TicketState>;
    events: Set<EventState>;
    /** Events and types whose tickets may be resold no longer, or not for as long. */
    resale: Set<EventState | TicketTypeState>;
  };
  /** Whether rows that would take something from fans fail, because nobody has confirmed them. */
  keepsHolders: boolean;
  /** Of a batch that keeps holders: the events and types of which something is on sale. */
  listed: ReadonlySet<Uuid>;
}

/** The input of a plan. */
export type PlanBasis = Pick<Plan, 'stored' | 'accounts' | 'programId' | 'now'> &
  Partial<Pick<Plan, 'keepsHolders' | 'listed'>>;

export interface Transfer {
  from: Uuid;
  to: Uuid;
  /** Whether the permit is onchain, so that it must move there first. */
  onchain: boolean;
}

export function emptyPlan(basis: PlanBasis): Plan {
  const { stored, accounts, programId, now, keepsHolders = false, listed = new Set() } = basis;
  return {
    now,
    programId,
    stored,
    accounts,
    events: new Set(),
    types: new Set(),
    tickets: new Set(),
    usedEvents: new Set(),
    newFans: new Map(),
    vouched: new Set(),
    withdrawn: new Set(),
    transfers: new Map(),
    adopted: new Map(),
    effects: [],
    takes: { tickets: new Set(), events: new Set(), resale: new Set() },
    keepsHolders,
    listed,
  };
}

/** Whether a row is older than what is stored. Without a version on either side it is not. */
export function isStale(row: { updated_at?: Date | undefined }, stored: { updated_at: Date | null }): boolean {
  return row.updated_at !== undefined && stored.updated_at !== null && row.updated_at < stored.updated_at;
}

/** Copies a row's version. @returns whether it changed */
export function takeVersion(row: { updated_at?: Date | undefined }, stored: { updated_at: Date | null }): boolean {
  if (row.updated_at === undefined || row.updated_at.getTime() === stored.updated_at?.getTime()) return false;
  stored.updated_at = row.updated_at;
  return true;
}
