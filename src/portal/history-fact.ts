import { z } from 'zod';
import { GRANT_DETAILS, type NarrowingReason } from '../audit/audit-actions.ts';
import type { GrantMode } from '../entities/consent-grant.ts';

/** What happened, without the words: the page has those in each language. */
export type HistoryFact =
  | { kind: 'granted'; actions: string[]; grantMode: GrantMode; tickets: number }
  | { kind: 'action_taken_back'; actions: string[] }
  | { kind: 'tickets_chosen'; grantMode: GrantMode; tickets: number }
  | { kind: 'tickets_left'; reason: NarrowingReason; tickets: number }
  | { kind: 'ended'; by: 'fan' | 'app' | 'service' }
  | { kind: 'listing_signed'; action: 'list' | 'cancel'; sentence: string; eventName: string; ticketTypeName: string }
  | {
      kind: 'claim';
      state: 'pending' | 'submitted' | 'confirmed' | 'failed';
      eventName: string;
      ticketTypeName: string;
    }
  | { kind: 'refused'; operation: string; outcome: string; times: number };

/** What an audit entry means to the fan; undefined for an entry that is not for the fan. */
export function historyFactOf(action: string, actor: string, details: unknown): HistoryFact | undefined {
  switch (action) {
    case 'grant.given': {
      const { actions, mode, tickets } = GRANT_DETAILS[action].parse(details);
      return { kind: 'granted', actions, grantMode: mode, tickets: tickets.length };
    }
    case 'grant.narrowed': {
      const narrowed = GRANT_DETAILS[action].parse(details);
      if ('reason' in narrowed)
        return { kind: 'tickets_left', reason: narrowed.reason, tickets: narrowed.tickets.length };
      return { kind: 'action_taken_back', actions: narrowed.actions };
    }
    case 'grant.tickets_chosen': {
      const { mode, tickets } = GRANT_DETAILS[action].parse(details).after;
      return { kind: 'tickets_chosen', grantMode: mode, tickets: tickets.length };
    }
    case 'grant.revoked':
      return { kind: 'ended', by: actor.startsWith('fan:') ? 'fan' : endedByApp(details) ? 'app' : 'service' };
    default:
      return undefined;
  }
}

/** The audit log names the client where a code or token was reused, but it was this service that ended the access then. */
function endedByApp(details: unknown): boolean {
  return z.object({ reason: z.literal('revoked_by_client') }).safeParse(details).success;
}
