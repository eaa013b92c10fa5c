/** SQL of those among `addresses` whose key this service holds, for a fan or for itself, in any mode. */
export function ourKeysAmong(addresses: string): string {
  return `select address from wallet where address = any(${addresses})
    union all select address from chain_key where address = any(${addresses})`;
}
