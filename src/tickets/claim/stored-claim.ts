/**
 * What goes through this room: a request (`execute-claims.ts`) opens claims (`open-claims.ts`), for which the chain is asked first
 * (`check-onchain.ts`). It waits while they are settled (`settle-claims.ts`): submitted, and ended by what the cluster says
 * (`confirm-landed.ts`, `end-claims.ts`). Jobs settle what is left (`settle-due-claims.ts`), put aside what can't be decided
 * (`set-aside.ts`), and look again until the transfer is final (`recheck-confirmed.ts`).
 *
 * @module
 */
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

/** A claim with what the partner's answer needs. */
export interface ClaimRow extends StoredClaim {
  ticket_id: Uuid;
  tix_event_id: string;
  signer_wallet: string;
}

/** A claim before it is stored. */
export interface NewClaim extends ClaimRow {
  permit_id: Uuid;
}

/** A permit that may be claimed. */
export type KnownPermit = Pick<ClaimRow, 'tix_permit_id' | 'ticket_id' | 'tix_event_id'> & {
  id: Uuid;
  /** Whether the company lets the ticket be resold now. */
  may_be_resold: boolean;
};

/** A claim whose transaction landed without an error. */
export interface LandedClaim {
  claim: StoredClaim;
  slot: number;
}

export function isOpen({ state }: Pick<StoredClaim, 'state'>): boolean {
  return state === 'pending' || state === 'submitted';
}
