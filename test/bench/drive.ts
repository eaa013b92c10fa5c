import autocannon from 'autocannon';
import type { Load } from './load.ts';

/** What a stretch of requests came to. */
export interface Driven {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/**
 * Sends requests over real HTTP.
 * @param origin of the server
 * @param requests how many in all
 * @param connections how many are in flight
 * @throws Error where any answer was not a 2xx: a fast refusal is no result
 */
export async function drive(origin: string, load: Load, requests: number, connections: number): Promise<Driven> {
  let next = 0;
  const run = autocannon({
    url: origin,
    connections,
    amount: requests,
    requests: [
      {
        method: load.method,
        path: load.path,
        setupRequest(request) {
          const given = load.requests[next++ % load.requests.length];
          return { ...request, ...given };
        },
      },
    ],
  });
  let started = performance.now();
  let ended = started;
  run.on('start', () => {
    started = performance.now();
  });
  // autocannon's own percentiles are whole milliseconds
  const times: number[] = [];
  run.on('response', (_connection, _status, _bytes, milliseconds) => {
    ended = performance.now();
    times.push(milliseconds);
  });
  const result = await run;
  if (result.errors > 0 || result.non2xx > 0) {
    throw new Error(`${load.path}: ${result.non2xx} answers were no 2xx, ${result.errors} requests failed`);
  }
  return {
    requests: result['2xx'],
    // autocannon's own duration ends with its next full second
    perSecond: (result['2xx'] * 1000) / (ended - started),
    p50: percentile(times, 50),
    p99: percentile(times, 99),
  };
}

/**
 * How many requests to prepare for a stretch where each may be sent once: a connection makes its next one ready before it knows that
 * it was the last.
 */
export function withSpares(requests: number, connections: number): number {
  return requests + 2 * connections;
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
