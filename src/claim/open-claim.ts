import type { Claim } from '../entities/claim.ts';
import type { Uuid } from '../identifier/type-id.ts';

/** A claim as those who settle it hold it. */
export interface OpenClaim {
  /** `uuid`. */
  id: Uuid;
  /** Base58. */
  signature: string;
  /** Hex. */
  transaction: string;
  /** Base58. */
  recent_blockhash: string;
  /** The slot of the onchain state by which the claim was judged: the blockhash was valid there. 0 where it is not known. */
  judged_slot: number;
  /** Address of the Permit account, base58. */
  tix_permit_id: string;
  /** The buyer's wallet, base58. */
  destination_wallet: string;
  state: Claim['state'];
  failure: string | null;
  /** Failed, but not by the cluster's decision: for a while it is looked whether it landed after all. */
  may_land: boolean;
}

/** The columns of an `OpenClaim`, from the aliases `cl` of the claim and `p` of its permit. */
export const OPEN_CLAIM = `cl.id, cl.signature, cl.transaction, cl.recent_blockhash, cl.judged_slot::float8 as judged_slot,
  p.tix_permit_id, cl.destination_wallet, cl.state, cl.failure, cl.state = 'failed' and cl.next_attempt_at is not null as may_land`;

/** Whether a claim has not come to its end. */
export function isOpen({ state }: Pick<OpenClaim, 'state'>): boolean {
  return state === 'pending' || state === 'submitted';
}
