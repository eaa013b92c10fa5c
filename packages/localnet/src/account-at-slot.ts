import type { Account, LiteSvm } from 'litesvm/dist/internal.js';
import type { Key } from './key.ts';
import type { Store } from './store.ts';
import { accountAt } from './vm.ts';

/** The account at `key` as of `slot`; undefined where there was none. */
export function accountAtSlot(
  { vm, store }: { vm: LiteSvm; store: Store },
  key: Key,
  slot: number,
): Account | undefined {
  const earlier = store.earlierAt(key, slot);
  return earlier === undefined ? accountAt(vm, key) : (earlier ?? undefined);
}
