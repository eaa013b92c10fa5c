import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './drive.ts';
import type { Figures, Quarter } from './judge.ts';
import type { LoadRequest } from './load.ts';
import type { PathName } from './paths.ts';
import { watchMemory } from './process-figures.ts';
import { openServer } from './server.ts';

/** Requests are made ready for so long: a code and a blockhash live a minute. */
const TURN_SECONDS = 20;
/** Requests per second of each path, at a steady pace. */
const RATES: Partial<Record<PathName, number>> = {
  exchange: 5,
  refresh: 10,
  userinfo: 20,
  tickets: 20,
  listings: 2,
  claims: 1,
};

/** So much of an error answer is printed. */
const ERROR_LENGTH = 300;

/** What happened in a quarter so far. */
interface Seen {
  latencies: number[];
  errors: number;
}

/** All paths at a steady pace for some time. @param done called after each quarter */
export async function measureMixed(
  seconds: number,
  done: (quarter: Quarter) => void,
): Promise<Required<Figures>['mixed']> {
  const server = await openServer();
  const memory = watchMemory(server.pid);
  const quarters: Quarter[] = [];
  let seen: Seen = { latencies: [], errors: 0 };
  try {
    const turns = Math.max(4, Math.round(seconds / TURN_SECONDS));
    for (let turn = 0; turn < turns; turn += 1) {
      const into = seen;
      await Promise.all(Object.entries(RATES).map(([name, rate]) => sendSteadily(name as PathName, rate, into)));
      if (Math.floor(((turn + 1) * 4) / turns) === quarters.length) continue;
      const quarter = {
        memory: memory.peak(),
        requests: seen.latencies.length,
        errors: seen.errors,
        p50: percentile(seen.latencies, 50),
        p99: percentile(seen.latencies, 99),
      };
      quarters.push(quarter);
      done(quarter);
      seen = { latencies: [], errors: 0 };
    }
    return { seconds: turns * TURN_SECONDS, quarters };
  } finally {
    memory.stop();
    await server.stop();
  }

  /** One turn of one path. A request that waits holds up no other one. */
  async function sendSteadily(name: PathName, rate: number, into: Seen): Promise<void> {
    const count = rate * TURN_SECONDS;
    const load = await server.stage.prepare(name, count);
    const startedAt = performance.now();
    const underWay: Promise<void>[] = [];
    for (let at = 0; at < count; at += 1) {
      await sleep(Math.max(0, startedAt + (at * 1000) / rate - performance.now()));
      const request = load.requests[at % load.requests.length];
      if (request) underWay.push(send(load.method, `${server.origin}${load.path}`, request, into));
    }
    await Promise.all(underWay);
  }
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
