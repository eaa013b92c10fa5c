import type { Claim } from '../../entities/claim.ts';
import type { Uuid } from '../../platform/identifier/type-id.ts';

/** A claim's row while it is settled. Hashes, signatures and addresses are in base58. */
export interface StoredClaim {
  id: Uuid;
  signature: string;
  /** Hex. */
  transaction: string;
  recent_blockhash: string;
  /** Slot of the onchain state that the claim was judged by: the blockhash was valid there. */
  judged_slot: number;
  /** Address of the Permit account. */
  tix_permit_id: string;
  /** The buyer's wallet. */
  destination_wallet: string;
  state: Claim['state'];
  failure: string | null;
  /** Failed, but not by the cluster's decision: it is checked again for a while, because it may land after all. */
  may_land: boolean;
}

/** A claim whose transaction landed without an error. */
export interface LandedClaim {
  claim: StoredClaim;
  slot: number;
}

export function isOpen({ state }: Pick<StoredClaim, 'state'>): boolean {
  return state === 'pending' || state === 'submitted';
}
