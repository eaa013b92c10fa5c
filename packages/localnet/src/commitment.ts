import type { CommitmentDelays } from '@fan-api/solana-wire/local-network';

/** How sure a reader wants to be that a state stays: it has run, it is voted for, or it can no longer be undone. */
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
 * The commitment that a request names. A cluster takes the absence of one, and any unknown name, as `finalized`.
 */
export function commitmentNamed(value: unknown): Commitment {
  return value === 'processed' || value === 'confirmed' ? value : 'finalized';
}
