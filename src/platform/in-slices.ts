import { setImmediate as nextTurn } from 'node:timers/promises';

/** A request crosses the event loop several times, and may find a slice in its way each time. */
const SLICE_MS = 3;
/** A longer turn of the event loop did other work. */
const QUIET_TURN_MS = 0.5;
/** The work continues after this, however busy the event loop is. */
const MOST_PATIENCE_MS = 50;

/** Does `work` for each item in slices of a few milliseconds, between which the event loop serves others. */
export async function inSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let startedAt = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - startedAt < SLICE_MS) continue;
    await giveWay();
    startedAt = performance.now();
  }
}

/** Yields the event loop until it is quiet, or for `MOST_PATIENCE_MS`. */
export async function giveWay(): Promise<void> {
  const startedAt = performance.now();
  // the first turn finishes work under way, and may accept no new work
  await nextTurn();
  for (;;) {
    const turnAt = performance.now();
    await nextTurn();
    const now = performance.now();
    if (now - turnAt < QUIET_TURN_MS || now - startedAt > MOST_PATIENCE_MS) return;
  }
}
