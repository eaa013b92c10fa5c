import type { JudgedClaim } from './judge-claim-transactions.ts';
import type { BrokenRule, StateRule } from './listing-rules.ts';

/** The Permit account of a claim on the chain. */
export interface ClaimedPermit {
  readonly owner: string;
  /** Who may transfer it while listed, base58; null while held. */
  readonly marketplace: string | null;
  /** The number of its newest listing; 0 before the first. */
  readonly listing: bigint;
  /** Lamports; 0 while held. */
  readonly price: bigint;
}

const GONE: BrokenRule = { rule: 'listing_gone' };

/**
 * Why the program would refuse a transfer, checked in its order. The owner moves a held permit, the marketplace a listed one. A number
 * is never used twice, so another number than that of the permit's listing is a listing that is gone. So is one of a ticket that may
 * no longer be resold, which the service takes off sale.
 */
export function findTransferFault(
  permit: ClaimedPermit | undefined,
  { transferAuthority, listing, price }: Pick<JudgedClaim, 'transferAuthority' | 'listing' | 'price'>,
  mayBeResold: boolean,
): BrokenRule | undefined {
  if (permit === undefined || transferAuthority !== (permit.marketplace ?? permit.owner)) return GONE;
  if (permit.marketplace !== null && (listing !== permit.listing || !mayBeResold)) return GONE;
  if (permit.marketplace === null && listing !== 0n) return wrongTerms(`listing ${listing}, not 0`);
  if (price !== permit.price) return wrongTerms(`price ${price}, not ${permit.price}`);
  return undefined;
}

function wrongTerms(detail: string): BrokenRule {
  return { rule: 'wrong_terms', detail };
}

/** A transfer, with the facts that are not in its transaction. */
export interface ClaimCase {
  readonly claim: JudgedClaim;
  readonly permit: ClaimedPermit | undefined;
  /** Whether the permit is in the token's mode, visible to the partner, for a future event. */
  readonly isKnown: boolean;
  /** Whether the company lets the ticket be resold now. */
  readonly mayBeResold: boolean;
  /** Whether another claim of the permit is under way. */
  readonly isClaimed: boolean;
  /** Whether the transaction has landed; it is not judged again then. */
  readonly landed: boolean;
}

/** Rules of a claim that need more than its transaction. */
export const CLAIM_RULES: readonly StateRule<ClaimCase>[] = [
  {
    rules: ['ticket_not_found'],
    find: ({ isKnown }) => (isKnown ? undefined : { rule: 'ticket_not_found' }),
  },
  { rules: ['listing_gone', 'wrong_terms'], find: findFault },
  {
    rules: ['claim_under_way'],
    find: ({ isClaimed }) => (isClaimed ? { rule: 'claim_under_way' } : undefined),
  },
];

function findFault({ claim, permit, landed, mayBeResold }: ClaimCase): BrokenRule | undefined {
  if (!landed) return findTransferFault(permit, claim, mayBeResold);
  return permit?.owner === claim.destination ? undefined : GONE;
}
