const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/**
 * An unsigned 64-bit integer as JSON writes it. Clusters send it as a bare number even beyond 2^53 (`rentEpoch` is
 * 2^64 - 1), so a JavaScript number would change its digits.
 */
export function u64(value: bigint): unknown {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : rawJson(String(value));
}
