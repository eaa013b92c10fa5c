import { describe, expect, test } from 'vitest';
import { createSlotClock, type Genesis } from '../src/slot-clock.ts';

const genesis: Genesis = { genesisHash: 'x', startedAt: 1_000_000, slotDuration: 400, seed: 'c2VlZA==' };

describe('slots and blockhashes of the local network', () => {
  test('after a restart the same blockhashes are valid, and time that passed meanwhile counts', () => {
    const before = createSlotClock(genesis, 0, () => 1_000_000 + 400 * 100);
    const after = createSlotClock(genesis, before.slot(), () => 1_000_000 + 400 * 200);
    expect(after.validSlotOf(before.blockhashAt(101))).toBe(101);
    expect(after.validSlotOf(before.blockhashAt(50))).toBeUndefined();
  });

  test('a wall clock that is set back does not take the chain back', () => {
    let now = 1_000_000 + 400 * 10;
    const clock = createSlotClock(genesis, 0, () => now);
    expect(clock.slot()).toBe(11);
    now -= 4000;
    expect(clock.slot()).toBe(11);
    expect(createSlotClock(genesis, 500, () => now).slot()).toBe(500);
  });

  test('as of an earlier slot, a blockhash that has expired since is valid and a younger one is not known', () => {
    const clock = createSlotClock(genesis, 0, () => 1_000_000 + 400 * 999);
    expect(clock.validSlotOf(clock.blockhashAt(830), 970)).toBe(830);
    expect(clock.validSlotOf(clock.blockhashAt(971), 970)).toBeUndefined();
    expect(clock.validSlotOf(clock.blockhashAt(819), 970)).toBeUndefined();
  });

  test('the next slot is never further away than a slot lasts', () => {
    let now = 1_000_000 + 400 * 7 + 150;
    const clock = createSlotClock(genesis, 0, () => now);
    expect(clock.untilNext()).toBe(250);
    now = 0;
    expect(clock.untilNext()).toBe(400);
  });

  test('two folders have no blockhash in common', () => {
    const other = createSlotClock({ ...genesis, seed: 'b3RoZXI=' }, 0, () => 1_000_000);
    const clock = createSlotClock(genesis, 0, () => 1_000_000);
    expect(other.validSlotOf(clock.blockhashAt(1))).toBeUndefined();
  });
});
