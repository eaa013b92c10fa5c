import type { ActionText, Texts } from '../../../page-kit/texts/texts.ts';
import type { HistoryEntry } from '../api.ts';
import type { Because, PortalTexts, Tried } from '../texts/texts.ts';

/** One thing that happened as a sentence in the fan's language. @param shared the catalogue of the login pages, for the actions */
export function tellEntry({ clientName, fact }: HistoryEntry, { history }: PortalTexts, shared: Texts): string {
  switch (fact.kind) {
    case 'granted':
      return history.granted(clientName, fact);
    case 'action_taken_back': {
      const known: Record<string, ActionText | undefined> = shared.actions;
      return history.takenBack(clientName, fact.actions.map((action) => known[action]?.title ?? action).join(', '));
    }
    case 'tickets_chosen':
      return history.chosen(clientName, fact);
    case 'tickets_left':
      return history.left(clientName, fact);
    case 'ended':
      return history.ended[fact.by](clientName);
    case 'listing_signed':
      return (fact.action === 'list' ? history.listed : history.unlisted)(clientName, ticketOf(fact));
    case 'claim':
      return history.claims[fact.state](clientName, ticketOf(fact));
    case 'refused': {
      const told = [history.tried[fact.operation as Tried](clientName), history.refused[becauseOf(fact.outcome)]];
      return (fact.times > 1 ? [...told, history.times(fact.times)] : told).join(' ');
    }
  }
}

function ticketOf({ eventName, ticketTypeName }: { eventName: string; ticketTypeName: string }): string {
  return `${eventName} · ${ticketTypeName}`;
}

const REASONS: Record<string, Because | undefined> = {
  grant_revoked: 'ended',
  invalid_grant: 'ended',
  action_not_granted: 'notAllowed',
  scope_missing: 'notAllowed',
  not_found: 'notFound',
};

function becauseOf(outcome: string): Because {
  return REASONS[outcome] ?? 'rule';
}
