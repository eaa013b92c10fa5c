import { z } from 'zod';
import { GRANT_MODES } from '../entities/consent-grant.ts';

/** What happened, without the words: the page has those in each language. */
export type HistoryFact =
  | { kind: 'granted'; actions: string[]; grantMode: (typeof GRANT_MODES)[number]; tickets: number }
  | { kind: 'action_taken_back'; actions: string[] }
  | { kind: 'tickets_chosen'; grantMode: (typeof GRANT_MODES)[number]; tickets: number }
  | { kind: 'tickets_left'; reason: 'ticket_moved' | 'event_ended'; tickets: number }
  | { kind: 'ended'; by: 'fan' | 'app' | 'service' }
  | { kind: 'listing_signed'; action: 'list' | 'cancel'; sentence: string; eventName: string; ticketTypeName: string }
  | {
      kind: 'claim';
      state: 'pending' | 'submitted' | 'confirmed' | 'failed';
      eventName: string;
      ticketTypeName: string;
    }
  | { kind: 'refused'; operation: string; outcome: string; times: number };

const Given = z.object({ actions: z.array(z.string()), mode: z.enum(GRANT_MODES), tickets: z.array(z.string()) });
const TakenBack = z.object({ actions: z.array(z.string()) });
const Left = z.object({ reason: z.enum(['ticket_moved', 'event_ended']), tickets: z.array(z.string()) });
const Chosen = z.object({ after: z.object({ mode: z.enum(GRANT_MODES), tickets: z.array(z.string()) }) });

/** An audit entry of a grant as the fan may read it; undefined where it is of a kind that is not for the fan. */
export function tellAudit(action: string, actor: string, details: unknown): HistoryFact | undefined {
  switch (action) {
    case 'grant.given': {
      const { actions, mode, tickets } = Given.parse(details);
      return { kind: 'granted', actions, grantMode: mode, tickets: tickets.length };
    }
    case 'grant.narrowed': {
      const left = Left.safeParse(details);
      if (left.success) return { kind: 'tickets_left', reason: left.data.reason, tickets: left.data.tickets.length };
      return { kind: 'action_taken_back', actions: TakenBack.parse(details).actions };
    }
    case 'grant.tickets_chosen': {
      const { mode, tickets } = Chosen.parse(details).after;
      return { kind: 'tickets_chosen', grantMode: mode, tickets: tickets.length };
    }
    case 'grant.revoked':
      return { kind: 'ended', by: actor.startsWith('fan:') ? 'fan' : endedByApp(details) ? 'app' : 'service' };
    default:
      return undefined;
  }
}

/** Reuse of a code or token is named after the client in the audit log, but it was this service that ended the access. */
function endedByApp(details: unknown): boolean {
  return z.object({ reason: z.literal('revoked_by_client') }).safeParse(details).success;
}
