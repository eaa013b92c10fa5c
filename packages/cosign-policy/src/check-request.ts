import { ChainError } from './chain-error.ts';

/** @param where the request's field @throws ChainError `transaction_count` */
export function checkCount(transactions: readonly unknown[], most: number, where: string): void {
  if (transactions.length < 1 || transactions.length > most) {
    throw new ChainError('transaction_count', { where, detail: `${transactions.length} instead of 1 to ${most}` });
  }
}

/**
 * Checks that no two transactions of a request have the same key.
 * @param detailOf the refusal's detail, from the repeated key and the place where it occurs first
 * @throws ChainError `code` at the place where a key occurs again
 */
export function checkDistinct(
  keys: readonly string[],
  code: 'repeated_transaction' | 'repeated_permit',
  placeOf: (index: number) => string,
  detailOf: (key: string, first: string) => string = (_, first) => `as ${first}`,
): void {
  const seen = new Map<string, number>();
  for (const [index, key] of keys.entries()) {
    const first = seen.get(key);
    if (first !== undefined) {
      throw new ChainError(code, { where: placeOf(index), detail: detailOf(key, placeOf(first)) });
    }
    seen.set(key, index);
  }
}
