/** The most that a partner's transaction may ask of the Compute Budget program. A listing or transfer takes about 5,000 units. */
export const COMPUTE_UNIT_LIMIT_CAP = 400_000;
/** Micro-lamports per unit. */
export const COMPUTE_UNIT_PRICE_CAP = 5_000_000n;
