import { z } from 'zod';
import { GRANT_DETAILS, type NarrowingReason } from '../audit/audit-actions.ts';
import type { CLAIM_STATES } from '../entities/claim.ts';
import type { GrantMode } from '../entities/consent-grant.ts';

/** What happened, as data: the page has the texts in each language. */
export type HistoryFact =
  | { kind: 'granted'; actions: string[]; grantMode: GrantMode; tickets: number }
  | { kind: 'action_taken_back'; actions: string[] }
  | { kind: 'tickets_chosen'; grantMode: GrantMode; tickets: number }
  | { kind: 'tickets_left'; reason: NarrowingReason; tickets: number }
  | { kind: 'ended'; by: 'fan' | 'app' | 'service' }
  | { kind: 'listing_signed'; action: 'list' | 'cancel'; sentence: string; eventName: string; ticketTypeName: string }
  | { kind: 'claim'; state: (typeof CLAIM_STATES)[number]; eventName: string; ticketTypeName: string }
  | { kind: 'refused'; operation: string; outcome: string; times: number };

/** The fact of an audit entry; undefined for entries that fans do not see. */
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

/** After the reuse of a code or token the actor is the client too, but this service ended the access. */
function endedByApp(details: unknown): boolean {
  return z.object({ reason: z.literal('revoked_by_client') }).safeParse(details).success;
}
