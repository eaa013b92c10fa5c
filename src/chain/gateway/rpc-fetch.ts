import { setTimeout as sleep } from 'node:timers/promises';

/** How the gateway reaches an RPC node: a time limit on each request, and repeats where repeating is safe. */
export interface RpcFetchOptions {
  /** Milliseconds for one attempt. */
  timeout: number;
  /** Attempts of a read. Sending is attempted once: whether to repeat it is the caller's decision. */
  attempts: number;
}

const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 5_000;
const REPEATABLE = new Set([408, 429, 500, 502, 503, 504]);

/**
 * A `fetch` for web3.js. A read is repeated with growing pauses after a network fault, a time-out or a busy answer; an
 * RPC node's `Retry-After` is honoured, and where it asks for more patience than a request has, its answer stands.
 * `sendTransaction` and `requestAirdrop` are never repeated here.
 */
export function createRpcFetch({ timeout, attempts }: RpcFetchOptions): typeof fetch {
  return async (input, init) => {
    const tries = isRead(init?.body) ? attempts : 1;
    for (let attempt = 1; ; attempt++) {
      const last = attempt === tries;
      let pause = pauseBefore(attempt);
      try {
        const answer = await fetch(input, { ...init, signal: AbortSignal.timeout(timeout) });
        if (last || !REPEATABLE.has(answer.status)) return answer;
        pause = Math.max(pause, retryAfter(answer));
        if (pause > LONGEST_PAUSE_MS) return answer;
        await answer.body?.cancel();
      } catch (error) {
        if (last) throw error;
      }
      await sleep(pause);
    }
  };
}

function isRead(body: unknown): boolean {
  return typeof body === 'string' && !/"method":"(sendTransaction|requestAirdrop)"/.test(body);
}

/** Doubles from attempt to attempt, with jitter, so that many callers do not come back together. */
function pauseBefore(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
}

function retryAfter(answer: Response): number {
  const seconds = Number(answer.headers.get('retry-after'));
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}
