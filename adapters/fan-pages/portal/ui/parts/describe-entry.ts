import { describeAction } from '../../../page-kit/texts/describe-action.ts';
import type { HistoryEntry } from '../api.ts';
import type { PortalTexts, PortalWords } from '../texts/portal-words.ts';
import { inSol } from './in-sol.ts';

type History = PortalTexts['history'];

/** A history entry as a sentence in the fan's language. */
export function describeEntry({ clientName, fact, signIns }: HistoryEntry, words: PortalWords): string {
  const client = clientName ?? '';
  const { format, texts } = words;
  const { history } = words.portal;
  switch (fact.kind) {
    case 'granted':
      return format(history.granted, { client, grantMode: fact.grantMode, tickets: fact.tickets });
    case 'action_turned_off':
    case 'action_turned_on': {
      const actions = fact.actions.map((action) => describeAction(texts, action).title).join(', ');
      return format(fact.kind === 'action_turned_on' ? history.turnedOn : history.turnedOff, { client, actions });
    }
    case 'tickets_chosen':
      return format(history.chosen, { client, grantMode: fact.grantMode, tickets: fact.tickets });
    case 'tickets_left':
      return format(history.left, { client, reason: fact.reason, tickets: fact.tickets });
    case 'ended':
      return format(history.ended[fact.by], { client, signIns });
    case 'listing_signed': {
      if (fact.price === null) return format(history.unlisted, { client, ticket: ticketOf(fact) });
      const price = inSol(fact.price, words.locale);
      return format(fact.landed ? history.onSale : history.listed, { client, ticket: ticketOf(fact), price });
    }
    case 'sale_ended': {
      const [ticket, price, cause] = [ticketOf(fact), inSol(fact.price, words.locale), fact.cause ?? 'none'];
      return format(fact.outcome === 'sold' ? history.sold : history.offSale, { client, ticket, price, cause });
    }
    case 'claim':
      return format(history.claims[fact.state], { client, ticket: ticketOf(fact) });
    case 'moved':
      return format(history.moved[fact.way], { ticket: ticketOf(fact), wallet: fact.wallet });
    case 'refused': {
      const attempt = format(history.tried[fact.operation as keyof History['tried']], { client });
      const sentences = [attempt, history.refused[REASONS[fact.outcome] ?? 'rule']];
      return (fact.times > 1 ? [...sentences, format(history.times, { times: fact.times })] : sentences).join(' ');
    }
  }
}

/** A ticket in few words: `City Derby · Standard`. */
export function ticketOf({ eventName, ticketTypeName }: { eventName: string; ticketTypeName: string }): string {
  return `${eventName} · ${ticketTypeName}`;
}

const REASONS: Record<string, keyof History['refused'] | undefined> = {
  grant_revoked: 'ended',
  invalid_grant: 'ended',
  action_not_granted: 'notAllowed',
  scope_missing: 'notAllowed',
  not_found: 'notFound',
};
