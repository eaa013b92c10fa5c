/**
 * The most that a partner's transaction may request of the Compute Budget program: units, and micro-lamports per unit. A listing or
 * transfer needs about 5,000 units.
 */
export const COMPUTE_CAPS = { computeUnitLimitCap: 400_000, computeUnitPriceCap: 5_000_000n } as const;

/** Compute Budget instructions: a byte of kind, then a number. */
export const SET_COMPUTE_UNIT_LIMIT = { kind: 2, length: 5 } as const;
export const SET_COMPUTE_UNIT_PRICE = { kind: 3, length: 9 } as const;

/** Whether the data of a Compute Budget instruction is of a kind, in its exact length. */
export function isKind(
  data: Uint8Array,
  { kind, length }: { readonly kind: number; readonly length: number },
): boolean {
  return data[0] === kind && data.length === length;
}
