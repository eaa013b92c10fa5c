import type { ListingAction } from './actions.ts';
import { wrongAccountDetail } from './candidate.ts';
import type { JudgedListing } from './judge-listing-transactions.ts';
import type { RuleName } from './rules.ts';

/** The facts about a listing that are not in its transaction. */
export interface ListingState {
  /** The Permit account on the chain; undefined where there is none. */
  readonly account: { readonly owner: string; readonly state: 'held' | 'listed' } | undefined;
  /** Whether the permit is within the grant, in the token's mode and, if it is to be listed, for a future event. */
  readonly isReached: boolean;
  /** Wallets and keys of the service that the request names besides the fan's wallet and the authority. */
  readonly ours: readonly string[];
  /** Whether the marketplace is a program, or an account of one. */
  readonly cannotSign: boolean;
  /** The marketplaces that the client has registered, where that of the listing is none of them. */
  readonly otherMarketplaces: readonly string[] | undefined;
  /** Why the ticket may not be resold; undefined where it may. */
  readonly notForResale: string | undefined;
}

/** A transaction with its state. */
export interface ListingCase {
  readonly action: ListingAction;
  /** The fan's, base58. */
  readonly wallet: string;
  readonly listing: JudgedListing;
  readonly state: ListingState;
}

/** A rule that a transaction breaks, and how. */
export interface BrokenRule {
  readonly rule: RuleName;
  readonly detail?: string;
}

/** A check of one or more rules; it finds the first of them that is broken. */
export interface StateRule<Case> {
  readonly rules: readonly RuleName[];
  readonly find: (found: Case) => BrokenRule | undefined;
}

/**
 * Rules of a listing that need more than its transaction. The order matters: a ticket that the partner cannot see is refused first,
 * with one wording, so that neither its state nor its owner leaks, nor whether an address is a wallet of the service.
 */
export const LISTING_RULES: readonly StateRule<ListingCase>[] = [
  { rules: ['ticket_not_found'], find: findMissingTicket },
  { rules: ['wrong_owner'], find: findWrongOwner },
  { rules: ['service_key'], find: findKeyOfOurs },
  { rules: ['marketplace_cannot_sign'], find: findMarketplaceThatCannotSign },
  { rules: ['foreign_marketplace'], find: findForeignMarketplace },
  { rules: ['not_for_resale'], find: findEndOfResale },
  { rules: ['already_listed', 'not_listed'], find: findWrongState },
];

/** Unknown, another owner's, not granted, and ended tickets get the same refusal. */
function findMissingTicket({ wallet, state: { account, isReached } }: ListingCase): BrokenRule | undefined {
  return account?.owner === wallet && isReached ? undefined : { rule: 'ticket_not_found' };
}

function findWrongOwner({ wallet, listing }: ListingCase): BrokenRule | undefined {
  if (listing.owner === wallet) return undefined;
  return { rule: 'wrong_owner', detail: wrongAccountDetail('owner', listing.owner, wallet) };
}

function findKeyOfOurs({ listing: { addresses }, state: { ours } }: ListingCase): BrokenRule | undefined {
  const address = addresses.find((each) => ours.includes(each));
  return address === undefined ? undefined : { rule: 'service_key', detail: address };
}

/** Such a listing could not be sold, only cancelled. */
function findMarketplaceThatCannotSign({ listing: { marketplace }, state }: ListingCase): BrokenRule | undefined {
  if (marketplace === null || !state.cannotSign) return undefined;
  return { rule: 'marketplace_cannot_sign', detail: marketplace };
}

function findForeignMarketplace({ listing: { marketplace }, state }: ListingCase): BrokenRule | undefined {
  if (marketplace === null || state.otherMarketplaces === undefined) return undefined;
  return { rule: 'foreign_marketplace', detail: `${marketplace}, not ${state.otherMarketplaces.join(' or ')}` };
}

function findEndOfResale({ action, state: { notForResale } }: ListingCase): BrokenRule | undefined {
  if (action !== 'list' || notForResale === undefined) return undefined;
  return { rule: 'not_for_resale', detail: notForResale };
}

function findWrongState({ action, state: { account } }: ListingCase): BrokenRule | undefined {
  if (action === 'list' && account?.state !== 'held') return { rule: 'already_listed' };
  if (action === 'cancel' && account?.state !== 'listed') return { rule: 'not_listed' };
  return undefined;
}
