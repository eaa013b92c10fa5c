/** SQL of a relation `address`: those of the given ones whose key this service holds, for fans or for itself, in any mode. */
export function ourKeysAmong(addresses: string): string {
  return `select address from wallet where address = any(${addresses})
    union all select address from chain_key where address = any(${addresses})`;
}
