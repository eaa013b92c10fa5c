import type { ListingAction } from '@fan-api/cosign-policy/actions';
import type { ClaimCase, ClaimedPermit } from '@fan-api/cosign-policy/claim-rules';
import type { JudgedClaim } from '@fan-api/cosign-policy/judge-claim-transactions';
import type { JudgedListing } from '@fan-api/cosign-policy/judge-listing-transactions';
import type { ListingCase, ListingState } from '@fan-api/cosign-policy/listing-rules';

/** What rules of the state look at takes few values: here is every combination of them. */
type Choices<Shape> = { readonly [Key in keyof Shape]: readonly Shape[Key][] };

function combinations<Shape extends object>(choices: Choices<Shape>): Shape[] {
  const entries = Object.entries(choices) as [keyof Shape, readonly Shape[keyof Shape][]][];
  return entries.reduce<Shape[]>(
    (made, [key, values]) => made.flatMap((each) => values.map((value) => ({ ...each, [key]: value }))),
    [{} as Shape],
  );
}

const [FAN, OTHER, PAYER, MARKET] = ['fan', 'other', 'payer', 'market'] as const;
const YES_OR_NO = [true, false] as const;

const ACCOUNTS: readonly ListingState['account'][] = [
  undefined,
  ...[FAN, OTHER].flatMap((owner) => (['held', 'listed'] as const).map((state) => ({ owner, state }))),
];

/** As far as rules of the state read it. */
function listing(owner: string, marketplace: string | null): JudgedListing {
  return {
    owner,
    marketplace,
    permit: 'permit',
    feePayer: PAYER,
    addresses: [PAYER, owner, 'permit'],
  } as unknown as JudgedListing;
}

const LISTING = {
  action: ['list', 'cancel'] as readonly ListingAction[],
  owner: [FAN, OTHER],
  marketplace: [MARKET, null],
  account: ACCOUNTS,
  isReached: YES_OR_NO,
  ours: [[], [PAYER], ['permit']] as readonly (readonly string[])[],
  cannotSign: YES_OR_NO,
  otherMarketplaces: [undefined] as readonly (readonly string[] | undefined)[],
  notForResale: [undefined] as readonly (string | undefined)[],
};

/** What the company and the client rule is combined with less: the rules before are judged alike. */
const RULED = {
  ...LISTING,
  ...{ owner: [FAN], isReached: [true], ours: [[]] },
  otherMarketplaces: [undefined, [OTHER]],
  notForResale: [undefined, 'no ticket of its type may'],
};

export const LISTING_CASES: readonly ListingCase[] = [...combinations(LISTING), ...combinations(RULED)].map(
  ({ action, owner, marketplace, ...state }) => {
    return { action, wallet: FAN, listing: listing(owner, marketplace), state };
  },
);

const PERMITS: readonly (ClaimedPermit | undefined)[] = [
  undefined,
  ...[FAN, OTHER].flatMap((owner) => [
    { owner, marketplace: MARKET, listing: 2n, price: 5n },
    { owner, marketplace: null, listing: 2n, price: 0n },
  ]),
];

export const CLAIM_CASES: readonly ClaimCase[] = combinations({
  transferAuthority: [MARKET, OTHER, FAN],
  listing: [0n, 1n, 2n, 3n],
  price: [0n, 5n, 500n],
  permit: PERMITS,
  isKnown: YES_OR_NO,
  mayBeResold: YES_OR_NO,
  isClaimed: YES_OR_NO,
  landed: YES_OR_NO,
}).map(({ transferAuthority, listing, price, ...rest }) => {
  return { claim: { transferAuthority, listing, price, destination: FAN } as unknown as JudgedClaim, ...rest };
});
