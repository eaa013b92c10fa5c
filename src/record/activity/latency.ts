/**
 * Histograms of answering times. A slot is one millisecond up to 15 ms; above, eight slots of equal width divide each
 * doubling, so a slot is at most an eighth as wide as its times are long. A quantile that is read from the counts is
 * therefore within 12.5 % of the exact one, and exact below 16 ms. Times above 65 s count as 65 s.
 *
 * @module
 */

/** Each millisecond below is a slot of its own. */
const EXACT_BELOW = 16;
const EXACT_BITS = 4;
/** Slots of each doubling. */
const PER_DOUBLING = 8;
const LONGEST_MS = 2 ** 16 - 1;

/** The slot of a time in whole milliseconds. */
export function latencySlot(ms: number): number {
  const time = Math.min(Math.max(0, Math.round(ms)), LONGEST_MS);
  if (time < EXACT_BELOW) return time;
  const doubling = Math.floor(Math.log2(time));
  const within = Math.floor(((time - 2 ** doubling) / 2 ** doubling) * PER_DOUBLING);
  return EXACT_BELOW + (doubling - EXACT_BITS) * PER_DOUBLING + within;
}

/** The shortest and the longest time of a slot, in whole milliseconds. */
function timesOf(slot: number): { shortest: number; longest: number } {
  if (slot < EXACT_BELOW) return { shortest: slot, longest: slot };
  const doubling = Math.floor((slot - EXACT_BELOW) / PER_DOUBLING) + EXACT_BITS;
  const width = 2 ** doubling / PER_DOUBLING;
  const shortest = 2 ** doubling + ((slot - EXACT_BELOW) % PER_DOUBLING) * width;
  return { shortest, longest: shortest + width - 1 };
}

/**
 * The time within which a share of the requests was answered, in milliseconds: of rank ⌈share × n⌉, as if the times of a
 * slot were spread evenly over it. Undefined without requests.
 * @param counts by slot
 * @param share above 0, at most 1
 */
export function latencyQuantile(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const rank = Math.max(1, Math.ceil(share * total));
  let below = 0;
  for (const [slot, count] of counts.entries()) {
    if (below + count < rank) {
      below += count;
      continue;
    }
    const { shortest, longest } = timesOf(slot);
    return Math.round(shortest + ((longest - shortest) * (rank - below - 0.5)) / count);
  }
  return undefined;
}
