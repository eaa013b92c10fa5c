/** The most that a partner's transaction may request of the Compute Budget program. */
export interface ComputeCaps {
  readonly computeUnitLimitCap: number;
  /** In micro-lamports per compute unit. */
  readonly computeUnitPriceCap: bigint;
}

/** A listing or transfer needs about 5,000 units. */
export const COMPUTE_CAPS: ComputeCaps = { computeUnitLimitCap: 400_000, computeUnitPriceCap: 5_000_000n };
