import { describe, expect, it } from 'vitest';
import { latencyQuantile, latencySlot } from '../../../src/activity/latency.ts';

function countsOf(times: readonly number[]): number[] {
  const counts: number[] = [];
  for (const time of times) counts[latencySlot(time)] = (counts[latencySlot(time)] ?? 0) + 1;
  return Array.from(counts, (count) => count ?? 0);
}

function exactQuantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? Number.NaN;
}

/** Mulberry32: the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe('the slots of latencies', () => {
  it('follow each other without gaps or overlaps, up to a last one for all that is longer', () => {
    let last = 0;
    for (let ms = 1; ms < 70_000; ms++) {
      const slot = latencySlot(ms);
      expect(slot - last === 0 || slot - last === 1, String(ms)).toBe(true);
      last = slot;
    }
    expect(latencySlot(10 ** 9)).toBe(last);
    expect(latencySlot(-1)).toBe(0);
  });

  it('no slot is wider than an eighth of its shortest time', () => {
    let shortest = 0;
    for (let ms = 1; ms < 65_536; ms++) {
      if (latencySlot(ms) !== latencySlot(shortest)) shortest = ms;
      expect(ms - shortest, String(ms)).toBeLessThanOrEqual(shortest / 8);
    }
  });
});

describe('quantiles from slots', () => {
  const spreads: [string, (random: () => number) => number][] = [
    ['even times', (random) => random() * 900],
    ['a long tail', (random) => 4 / (random() + 0.0005)],
    ['two humps', (random) => (random() < 0.9 ? 3 + random() * 4 : 2_000 + random() * 500)],
    ['all alike', () => 250],
    ['minutes', (random) => 20_000 + random() * 40_000],
  ];

  it.each(spreads)('%s: p50, p95 and p99 are within 12.5 %% of the exact ones, and exact below 16 ms', (_, draw) => {
    for (const [seed, size] of [1, 2, 7, 100, 10_000].entries()) {
      const random = randomFrom(seed);
      const times = Array.from({ length: size }, () => Math.round(draw(random)));
      for (const share of [0.5, 0.95, 0.99, 1]) {
        const exact = exactQuantile(times, share);
        const read = latencyQuantile(countsOf(times), share) ?? Number.NaN;
        if (exact < 16) expect(read).toBe(exact);
        expect(Math.abs(read - exact), `${exact} and ${read} of ${size}`).toBeLessThanOrEqual(exact / 8);
      }
    }
  });

  it('of nothing there is none', () => {
    expect(latencyQuantile([], 0.5)).toBeUndefined();
    expect(latencyQuantile([0, 0], 0.99)).toBeUndefined();
  });
});
