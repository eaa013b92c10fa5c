import type { Key } from './key.ts';
import { priorityPrice } from './transaction-fee.ts';
import type { WireMessage } from './wire-transaction.ts';

/** For how many slots a node keeps the prices paid. */
const REMEMBERED_SLOTS = 150;

interface SlotFees {
  /** The lowest price in the slot, in micro-lamports per compute unit. */
  lowest: number;
  /** The lowest price of a transaction that wrote the account. */
  byAccount: Map<Key, number>;
}

/** What transactions of the last 150 slots paid for priority, for `getRecentPrioritizationFees`. */
export interface PriorityFees {
  add(slot: number, message: WireMessage, writable: Key[]): void;
  /** Oldest slot first; each with the highest of the block's lowest price and those of the accounts. */
  recent(accounts: Key[], newest: number): { slot: number; prioritizationFee: number }[];
}

/** Nothing paid yet. */
export function createPriorityFees(): PriorityFees {
  const slots = new Map<number, SlotFees>();
  return {
    add(slot, message, writable) {
      for (const old of slots.keys()) {
        if (old > slot - REMEMBERED_SLOTS) break;
        slots.delete(old);
      }
      const price = Number(priorityPrice(message));
      const fees = slots.get(slot) ?? { lowest: price, byAccount: new Map<Key, number>() };
      fees.lowest = Math.min(fees.lowest, price);
      for (const key of writable) fees.byAccount.set(key, Math.min(fees.byAccount.get(key) ?? price, price));
      slots.set(slot, fees);
    },
    recent: (accounts, newest) =>
      [...slots]
        .filter(([slot]) => slot > newest - REMEMBERED_SLOTS)
        .map(([slot, { lowest, byAccount }]) => ({
          slot,
          prioritizationFee: Math.max(lowest, ...accounts.map((key) => byAccount.get(key) ?? 0)),
        })),
  };
}
