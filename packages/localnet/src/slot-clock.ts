import { createHash } from 'node:crypto';
import { type Key, keyAt } from './key.ts';

/** How many slots after its own a blockhash stays valid. */
export const BLOCKHASH_LIFETIME = 150;

/** The last block height at which the blockhash of `slot` is valid. Every slot has a block, so heights are slots. */
export function lastValidHeight(slot: number): number {
  return slot + BLOCKHASH_LIFETIME;
}

/** The identity of the chain in a data folder, fixed when the folder is created. */
export interface Genesis {
  /** Base58 of 32 bytes. */
  genesisHash: string;
  /** Unix milliseconds. */
  startedAt: number;
  /** Milliseconds per slot. */
  slotDuration: number;
  /** Base64 of 32 secret bytes from which blockhashes derive. */
  seed: string;
}

export interface SlotClock {
  /** The slot of this moment; never goes back, even when the wall clock does. */
  slot(): number;
  /** The blockhash of a slot. */
  blockhashAt(slot: number): Key;
  /** The slot of a blockhash that was valid at slot `at`, by default at the newest; undefined for any other. */
  validSlotOf(blockhash: Key, at?: number): number | undefined;
  /** Milliseconds until the next slot begins; at most one slot's duration. */
  untilNext(): number;
  /** For tests: that many slots pass immediately. */
  skip(slots: number): void;
}

/**
 * Slots and blockhashes are functions of the wall clock and the folder's seed. They need no timer and no storage: after a
 * restart or a kill, the recent blockhashes are the same, and those whose time has passed are expired, as on a cluster.
 *
 * `floor` is the highest slot known to have been used.
 */
export function createSlotClock(genesis: Genesis, floor: number, now: () => number = Date.now): SlotClock {
  const seed = Buffer.from(genesis.seed, 'base64');
  const slots = new Map<Key, number>();
  let highest = Math.max(floor, 1);
  let filled = -1;
  let skipped = 0;

  function blockhashAt(slot: number): Key {
    const number = Buffer.alloc(8);
    number.writeBigUInt64LE(BigInt(slot));
    return keyAt(createHash('sha256').update(seed).update(number).digest());
  }

  const passed = () => Math.floor((now() - genesis.startedAt) / genesis.slotDuration);

  function slot(): number {
    highest = Math.max(highest, 1 + skipped + passed());
    return highest;
  }

  function fillWindow(): void {
    const current = slot();
    // Reads at an older slot ask for blockhashes that have expired since.
    const oldest = Math.max(0, current - 2 * BLOCKHASH_LIFETIME);
    for (const [hash, at] of slots) {
      if (at >= oldest) break;
      slots.delete(hash);
    }
    for (let at = Math.max(oldest, filled + 1); at <= current; at++) slots.set(blockhashAt(at), at);
    filled = current;
  }

  return {
    slot,
    blockhashAt,
    validSlotOf(blockhash, at = slot()) {
      fillWindow();
      const own = slots.get(blockhash);
      return own === undefined || own > at || own < at - BLOCKHASH_LIFETIME ? undefined : own;
    },
    untilNext() {
      const begun = (now() - genesis.startedAt) % genesis.slotDuration;
      return begun < 0 ? genesis.slotDuration : genesis.slotDuration - begun;
    },
    skip(slots) {
      // from the floor on, where the wall clock has not reached it
      skipped = slot() + slots - 1 - passed();
    },
  };
}
