import type { JudgedClaim } from './judge-claim-transactions.ts';
import type { StateRule } from './listing-rules.ts';

/** The Permit account of a claim on the chain. */
export interface ClaimedPermit {
  readonly owner: string;
  /** Who may transfer it while listed, base58; null while held. */
  readonly marketplace: string | null;
}

/** The owner moves a held permit, the marketplace a listed one. */
export function mayTransfer(
  permit: ClaimedPermit | undefined,
  { transferAuthority }: Pick<JudgedClaim, 'transferAuthority'>,
): boolean {
  return permit !== undefined && transferAuthority === (permit.marketplace ?? permit.owner);
}

/** A transfer, with the facts that are not in its transaction. */
export interface ClaimCase {
  readonly claim: JudgedClaim;
  readonly permit: ClaimedPermit | undefined;
  /** Whether the permit is in the token's mode, visible to the partner, for a future event. */
  readonly isKnown: boolean;
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
  {
    rules: ['listing_gone'],
    find: ({ claim, permit, landed }) => {
      const stands = landed ? permit?.owner === claim.destination : mayTransfer(permit, claim);
      return stands ? undefined : { rule: 'listing_gone' };
    },
  },
  {
    rules: ['claim_under_way'],
    find: ({ isClaimed }) => (isClaimed ? { rule: 'claim_under_way' } : undefined),
  },
];
