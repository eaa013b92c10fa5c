/**
 * Events, ticket types and tickets of production arrive from the company's own systems as rows, each of which describes a state, not a
 * command. This file has the result of each row.
 *
 * @module
 */

export const ROW_KINDS = ['event', 'ticket_type', 'ticket'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** `stale`: a newer version of the row is stored. */
export const ROW_OUTCOMES = ['created', 'updated', 'unchanged', 'stale', 'failed'] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** Why a row failed, with an explanation. Codes are stable: the company's systems see them. */
export const ROW_REASONS = {
  invalid_row: 'A member of the row is missing, unknown or malformed.',
  unknown_event: 'No event has this reference yet.',
  unknown_ticket_type: 'No ticket type of the event has this reference yet.',
  unknown_fan: 'There is no such fan in production.',
  name_taken: 'Another ticket type of the event has this name.',
  another_event: 'A ticket can’t move to another event: the address of its permit contains the event.',
  transfer_under_way: 'The permit is moving to another wallet.',
  sold_on:
    'The ticket no longer belongs to the holder that was named: the fan sold or gave it away. A row without a holder means the ticket, whoever has it.',
  number_changed_hands:
    'The number is another fan’s now, and somebody used the account that had it before: the ticket stays there.',
  held_elsewhere: 'The permit is in a wallet outside this service.',
  held_by_another: 'The permit is in the wallet of another fan.',
  needs_confirmation:
    'An import by a person takes no ticket from its holder or off sale, and cancels no event. Do it in the console, or let the service account of the company’s system send the row.',
  no_account: 'There is no account at this address at commitment finalized.',
  wrong_account: 'This is not an account that the ticket program created for this event or ticket.',
  wrong_event: 'The permit belongs to another event.',
  another_account: 'The event or ticket already has another onchain account.',
  event_closed:
    'The event is closed onchain: no permit of it can be issued, moved or restored, and it can’t be moved to the future.',
  account_taken: 'Another event or ticket has this account, or its onchain ID.',
  cluster_away: 'The Solana cluster can’t be reached at the moment.',
  not_stored: 'The database refused the row.',
} as const;
export type RowReason = keyof typeof ROW_REASONS;

/** Reasons that another row may mend, or a little time: the same row again, after the others, may succeed. */
export const RETRIABLE_REASONS: ReadonlySet<RowReason> = new Set([
  'unknown_event',
  'unknown_ticket_type',
  'cluster_away',
]);

/** The result of a row. `reference` and `kind` are null where the row has none that can be read. */
export interface RowResult {
  /** Position in the batch, from 0. */
  index: number;
  kind: RowKind | null;
  reference: string | null;
  outcome: RowOutcome;
  /** Only of a failed row, as `message`: what is wrong, for people. */
  reason?: RowReason;
  message?: string;
  /** The member that is wrong. */
  field?: string;
}

/** What is wrong with a row. */
export interface RowFault {
  reason: RowReason;
  message: string;
  field?: string;
}

/** @param message what is wrong, where the reason alone does not say it */
export function rowFault(reason: RowReason, field?: string, message: string = ROW_REASONS[reason]): RowFault {
  return { reason, message, ...(field !== undefined && { field }) };
}
