import type { CLAIM_STATES } from '../../entities/claim.ts';
import type { GrantMode } from '../../entities/consent-grant.ts';
import { GRANT_DETAILS, type NarrowingReason } from '../../record/audit/audit-actions.ts';

/** What happened, as data: the page has the texts in each language. */
export type HistoryFact =
  | { kind: 'granted'; actions: string[]; grantMode: GrantMode; tickets: number }
  | { kind: 'action_turned_off'; actions: string[] }
  | { kind: 'action_turned_on'; actions: string[] }
  | { kind: 'tickets_chosen'; grantMode: GrantMode; tickets: number }
  | { kind: 'tickets_left'; reason: NarrowingReason; tickets: number }
  | { kind: 'ended'; by: Ending }
  | { kind: 'listing_signed'; action: 'list' | 'cancel'; sentence: string; eventName: string; ticketTypeName: string }
  | { kind: 'claim'; state: (typeof CLAIM_STATES)[number]; eventName: string; ticketTypeName: string }
  /** `out`: to a wallet that is no fan's; `wallet` is its address in base58. */
  | { kind: 'moved'; way: 'out' | 'given' | 'received'; wallet: string; eventName: string; ticketTypeName: string }
  | { kind: 'refused'; operation: string; outcome: string; times: number };

/** `expiry`: the app did not renew its access. */
type Ending = 'fan' | 'app' | 'service' | 'expiry';

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
      return { kind: 'action_turned_off', actions: narrowed.actions };
    }
    case 'grant.widened':
      return { kind: 'action_turned_on', actions: GRANT_DETAILS[action].parse(details).actions };
    case 'grant.tickets_chosen': {
      const { mode, tickets } = GRANT_DETAILS[action].parse(details).after;
      return { kind: 'tickets_chosen', grantMode: mode, tickets: tickets.length };
    }
    case 'grant.revoked':
      return { kind: 'ended', by: endedBy(actor, details) };
    default:
      return undefined;
  }
}

/** After the reuse of a code or token the actor is the client too, but this service ended the access. */
function endedBy(actor: string, details: unknown): Ending {
  if (actor.startsWith('fan:')) return 'fan';
  const reason = GRANT_DETAILS['grant.revoked'].safeParse(details).data?.reason;
  if (reason === 'expired') return 'expiry';
  return reason === 'revoked_by_client' ? 'app' : 'service';
}
