import type { CommitmentDelays } from '@fan-api/solana-wire/local-network';

/** How final a state must be for a reader: executed, confirmed by votes, or irreversible. */
export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** The newest slot that has reached a commitment while `slot` is being processed. */
export function slotAtCommitment(slot: number, delays: CommitmentDelays, commitment: Commitment): number {
  return commitment === 'processed' ? slot : Math.max(0, slot - delays[commitment]);
}

/** The highest commitment that `slot` has reached while `newest` is being processed. */
export function commitmentOf(slot: number, newest: number, delays: CommitmentDelays): Commitment {
  if (slot <= newest - delays.finalized) return 'finalized';
  return slot <= newest - delays.confirmed ? 'confirmed' : 'processed';
}

/**
 * The commitment that a request names. As on a cluster, none and any unknown name mean `finalized`.
 */
export function commitmentNamed(value: unknown): Commitment {
  return value === 'processed' || value === 'confirmed' ? value : 'finalized';
}
