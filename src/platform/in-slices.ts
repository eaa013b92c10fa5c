import { setImmediate as nextTurn } from 'node:timers/promises';

/** A request crosses the event loop several times, and may find a slice in its way each time. */
const SLICE_MS = 3;
/** A turn of the event loop that takes longer had work of others in it. */
const QUIET_TURN_MS = 0.5;
/** The work goes on after this, however much the others have to do. */
const MOST_PATIENCE_MS = 50;

/** Does `work` for each item, a few milliseconds at a time: between these slices everybody else has the event loop. */
export async function inSlices<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  let startedAt = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - startedAt < SLICE_MS) continue;
    await giveWay();
    startedAt = performance.now();
  }
}

/** Lets everybody else have the event loop until they have nothing to do at the moment. */
export async function giveWay(): Promise<void> {
  const startedAt = performance.now();
  // the first turn ends what is under way, and may take in nothing new
  await nextTurn();
  for (;;) {
    const turnAt = performance.now();
    await nextTurn();
    const now = performance.now();
    if (now - turnAt < QUIET_TURN_MS || now - startedAt > MOST_PATIENCE_MS) return;
  }
}
