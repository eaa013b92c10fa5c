import { setTimeout as sleep } from 'node:timers/promises';
import type { Load, LoadRequest } from './load.ts';

/** What became of requests so far. */
export interface Seen {
  /** Milliseconds. */
  latencies: number[];
  errors: number;
}

/** So much of an error answer is printed. */
const ERROR_LENGTH = 300;

/**
 * Sends requests at a steady pace. One that waits holds up no other one.
 * @param origin of the server
 * @param count how many in all
 * @param rate per second
 */
export async function sendSteadily(origin: string, load: Load, count: number, rate: number, into: Seen): Promise<void> {
  const startedAt = performance.now();
  const underWay: Promise<void>[] = [];
  for (let at = 0; at < count; at += 1) {
    await sleep(Math.max(0, startedAt + (at * 1000) / rate - performance.now()));
    const request = load.requests[at % load.requests.length];
    if (request) underWay.push(send(load.method, `${origin}${load.path}`, request, into));
  }
  await Promise.all(underWay);
}

async function send(method: string, url: string, { headers, body }: LoadRequest, into: Seen): Promise<void> {
  const startedAt = performance.now();
  try {
    const answer = await fetch(url, { method, headers, body: body ?? null });
    const text = await answer.text();
    if (!answer.ok) countError(into, url, `${answer.status} ${text}`);
  } catch (error) {
    countError(into, url, String(error));
  }
  into.latencies.push(performance.now() - startedAt);
}

function countError(into: Seen, url: string, what: string): void {
  into.errors += 1;
  console.error(`${new Date().toISOString()}  ${url}  ${what.slice(0, ERROR_LENGTH)}`);
}
