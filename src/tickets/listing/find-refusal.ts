import type { ListingAction } from '@fan-api/cosign-policy/actions';
import { ChainError } from '@fan-api/cosign-policy/chain-error';
import { type JudgedListing, placeOf } from '@fan-api/cosign-policy/judge-listing-transactions';
import { type BrokenRule, LISTING_RULES, type ListingState } from '@fan-api/cosign-policy/listing-rules';
import { isStateRule, refusalOf } from '@fan-api/cosign-policy/rules';
import type { SigningState } from '../../chain/gateway/read-signing-state.ts';
import { DomainError } from '../../platform/errors.ts';

/** What the database has on the addresses of a request. */
export interface KnownAddresses {
  /** The permits within the grant. */
  readonly reached: readonly string[];
  /** Wallets and keys of this service that the transactions name besides the fan's wallet and the authority. */
  readonly ours: readonly string[];
  /** Marketplaces that are accounts of the ticket program. */
  readonly cannotSign: readonly string[];
  /** The marketplaces that the client has registered; empty where it may list on any. */
  readonly registered: readonly string[];
  /** Of each permit whose ticket may not be resold: until when it could be, RFC 3339; null where none of its type may. */
  readonly notForResale: Readonly<Record<string, string | null>>;
}

/** Why a request cannot be signed. */
export interface Refusal {
  readonly error: ChainError | DomainError;
  /** Whether the ticket's state refuses it: a newer reading of the chain may allow it. */
  readonly isOfState: boolean;
}

/** As if the database had no objection to the `permits`. */
export function withoutObjection(permits: readonly string[]): KnownAddresses {
  return { reached: permits, ours: [], cannotSign: [], registered: [], notForResale: {} };
}

/** The first refusal of a request that passed the policy; undefined where it can be signed. @param wallet of the fan, base58 */
export function findRefusal(
  action: ListingAction,
  wallet: string,
  judged: readonly JudgedListing[],
  state: SigningState,
  known: KnownAddresses,
): Refusal | undefined {
  const cases = judged.map((listing, index) => {
    return { where: placeOf(index), found: { action, wallet, listing, state: stateOf(listing, index, state, known) } };
  });
  for (const { find } of LISTING_RULES) {
    for (const { where, found } of cases) {
      const broken = find(found);
      if (broken !== undefined) return { error: errorOf(broken, where), isOfState: isStateRule(broken.rule) };
    }
  }
  return undefined;
}

/** The state of a listing on the chain and in the database. @param index of its permit in `state` */
export function stateOf(
  { permit, marketplace }: JudgedListing,
  index: number,
  { permits, cannotSign }: SigningState,
  known: KnownAddresses,
): ListingState {
  return {
    account: permits[index],
    isReached: known.reached.includes(permit),
    ours: known.ours,
    cannotSign: marketplace !== null && (cannotSign.has(marketplace) || known.cannotSign.includes(marketplace)),
    otherMarketplaces: marketplace !== null && isForeign(marketplace, known) ? known.registered : undefined,
    notForResale: endOfResale(known.notForResale[permit]),
  };
}

function isForeign(marketplace: string, { registered }: KnownAddresses): boolean {
  return registered.length > 0 && !registered.includes(marketplace);
}

/** @param until see `KnownAddresses.notForResale`; undefined where the ticket may be resold */
function endOfResale(until: string | null | undefined): string | undefined {
  if (until === undefined) return undefined;
  return until === null ? 'no ticket of its type may' : `only until ${until}`;
}

/** The refusal of a transaction by a broken rule. @param where its place in the request */
export function errorOf({ rule, detail }: BrokenRule, where: string): ChainError | DomainError {
  if (isStateRule(rule)) return new DomainError('not_found', `${where}: ${refusalOf(rule)}`);
  return new ChainError(rule, detail === undefined ? { where } : { where, detail });
}
