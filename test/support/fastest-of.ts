/** Milliseconds within which a page of the console is there: 100 on an idle machine, and more where other tests use its cores too. */
export const AT_ONCE_MS = 300;

const RUNS = 5;

/** Milliseconds of the fastest of five runs: what the work takes where nobody else has the machine. */
export async function fastestOf(work: () => Promise<unknown>): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    await work();
    fastest = Math.min(fastest, performance.now() - started);
  }
  return Math.round(fastest * 10) / 10;
}
