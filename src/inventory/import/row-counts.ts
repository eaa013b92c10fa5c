import type { RowOutcome } from '../row-result.ts';

/** Rows of a run by how they went. */
export type Counts = Record<RowOutcome, number>;

export const NO_ROWS: Readonly<Counts> = { created: 0, updated: 0, unchanged: 0, stale: 0, failed: 0 };

/** Adds rows to counts, in place. */
export function countRows(counts: Counts, outcomes: Iterable<RowOutcome>): void {
  for (const outcome of outcomes) counts[outcome] += 1;
}
