import autocannon from 'autocannon';

type Options = Parameters<typeof autocannon>[0];

/** What a stretch of requests came to. */
export interface Driven {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Sends requests over real HTTP.
 * @throws Error where any answer was not a 2xx: a fast refusal is no result
 */
export async function drive(options: Options): Promise<Driven> {
  const run = autocannon(options);
  let started = performance.now();
  let ended = started;
  run.on('start', () => {
    started = performance.now();
  });
  run.on('response', () => {
    ended = performance.now();
  });
  const result = await run;
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${options.url}: ${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  }
  return {
    // autocannon's own duration ends with its next full second
    perSecond: (result['2xx'] * 1000) / (ended - started),
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

/** The middle one, by operations per second. */
export function median(results: Driven[]): Driven {
  const sorted = [...results].sort((a, b) => a.perSecond - b.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}
