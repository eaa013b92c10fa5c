import { wrongAccount } from '@fan-api/cosign-policy/check-ticket-instruction';
import { type JudgedListing, type ListingAction, placeOf } from '@fan-api/cosign-policy/judge-listing-transactions';
import type { SigningState } from '../chain/gateway/read-signing-state.ts';
import { ChainError } from '../chain-error.ts';
import { DomainError } from '../errors.ts';

/** What the database says about a request's addresses. */
export interface KnownAddresses {
  /** The permits within the grant. */
  readonly reached: readonly string[];
  /** Wallets and keys of this service in undeclared places. */
  readonly ours: readonly string[];
  /** Marketplaces that are accounts of the ticket program. */
  readonly cannotSign: readonly string[];
}

/** A transaction with what the chain and the database say about it. */
interface Case {
  readonly where: string;
  readonly action: ListingAction;
  readonly wallet: string;
  readonly listing: JudgedListing;
  readonly account: SigningState['permits'][number];
  readonly state: SigningState;
  readonly known: KnownAddresses;
}

/**
 * The order matters: a ticket that the partner cannot see is refused first, with one wording, so that neither its state nor its
 * owner leaks, nor whether an address is a wallet of this service.
 */
const CHECKS: readonly ((found: Case) => ChainError | DomainError | undefined)[] = [
  findMissingTicket,
  findWrongOwner,
  findKeyOfOurs,
  findMarketplaceThatCannotSign,
  findWrongState,
];

/** Why a request that passed the policy cannot be signed; undefined where it can. @param wallet of the fan, base58 */
export function findRefusal(
  action: ListingAction,
  wallet: string,
  judged: readonly JudgedListing[],
  state: SigningState,
  known: KnownAddresses,
): ChainError | DomainError | undefined {
  const cases = judged.map((listing, index) => {
    return { where: placeOf(index), action, wallet, listing, account: state.permits[index], state, known };
  });
  for (const check of CHECKS) {
    for (const each of cases) {
      const refusal = check(each);
      if (refusal !== undefined) return refusal;
    }
  }
  return undefined;
}

/** Unknown, another owner's, not granted, and ended tickets get the same refusal. */
function findMissingTicket({ where, wallet, listing, account, known }: Case): DomainError | undefined {
  if (account?.owner === wallet && known.reached.includes(listing.permit)) return undefined;
  return new DomainError('not_found', `${where}: the ticket was not found.`);
}

function findWrongOwner({ where, wallet, listing }: Case): ChainError | undefined {
  return listing.owner === wallet ? undefined : wrongAccount('owner', listing.owner, wallet, where);
}

function findKeyOfOurs({ where, listing: { addresses, feePayer }, known }: Case): ChainError | undefined {
  const address = addresses.find((each) => known.ours.includes(each));
  if (address === undefined) return undefined;
  return new ChainError(address === feePayer ? 'our_key_pays' : 'our_key_misplaced', { where, detail: address });
}

/** Such a listing could not be sold, only cancelled. */
function findMarketplaceThatCannotSign({ where, listing, state, known }: Case): ChainError | undefined {
  const { marketplace } = listing;
  if (marketplace === null) return undefined;
  if (!state.cannotSign.has(marketplace) && !known.cannotSign.includes(marketplace)) return undefined;
  return new ChainError('marketplace_cannot_sign', { where, detail: marketplace });
}

function findWrongState({ where, action, account }: Case): DomainError | undefined {
  if (action === 'list' && account?.state !== 'held') {
    return new DomainError('not_found', `${where}: the ticket is listed already.`);
  }
  if (action === 'cancel' && account?.state !== 'listed') {
    return new DomainError('not_found', `${where}: the ticket has no listing.`);
  }
  return undefined;
}
