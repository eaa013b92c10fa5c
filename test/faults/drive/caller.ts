import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Ledger, Operation } from './ledger.ts';

/** A final answer. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
  /** Whether an earlier try of the same call was not answered, or with 5xx: it may have been carried out. */
  repeated: boolean;
}

/** Sends calls as a partner behind a load balancer does, and writes down each. */
export interface Caller {
  /** One call to one process. */
  send(operation: Call['operation'], path: string, init?: RequestInit, port?: number): Promise<Answer | undefined>;
  /** The same call until it has a final answer. @throws GivenUp where none comes before the end */
  insist(operation: Operation, path: string, init?: RequestInit): Promise<Answer>;
  ledger: Ledger;
  /** Nothing new is begun after this. */
  stopped: AbortSignal;
}

/** The traffic has ended before the answer came. */
export class GivenUp extends Error {}

/** Longer than any time limit of the service. */
const PATIENCE_MS = 40_000;
/** A partner that heeds `Retry-After` waits for longer; this one is to see soon when things work again. */
const PAUSE_MS = 300;

/**
 * @param ports of the processes, which take turns
 * @param stopped nothing new is begun after this
 * @param over calls that are open then are given up
 */
export function createCaller(
  ledger: Ledger,
  ports: readonly number[],
  stopped: AbortSignal,
  over: AbortSignal,
): Caller {
  let turn = 0;

  async function send(operation: Call['operation'], path: string, init: RequestInit = {}, only?: number) {
    const began = performance.now();
    turn += 1;
    const first = turn;
    for (let tries = 0; ; tries++) {
      const port = only ?? ports[(first + tries) % ports.length] ?? 0;
      const note = (call: Pick<Call, 'status' | 'saysWhen' | 'said'>) =>
        void ledger.calls.push({ operation, at: began, ms: performance.now() - began, port, ...call });
      try {
        const signal = AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), over]);
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init, signal });
        const text = await answer.text();
        const body = parse(text);
        const saysWhen = answer.headers.has('retry-after') || /"retryAfter":\d/.test(text);
        note({ status: answer.status, saysWhen, said: answer.status < 400 ? '' : describe(body, text) });
        return { status: answer.status, headers: answer.headers, body };
      } catch (error) {
        const reason = reasonOf(error);
        // nothing was sent: a load balancer takes the next process
        if (reason === 'ECONNREFUSED' && only === undefined && tries + 1 < ports.length) continue;
        if (!over.aborted) note({ status: undefined, saysWhen: false, said: reason });
        return undefined;
      }
    }
  }

  return {
    ledger,
    stopped,
    async send(operation, path, init, port) {
      const answer = await send(operation, path, init, port);
      return answer && { ...answer, repeated: false };
    },
    async insist(operation, path, init) {
      for (let repeated = false; !over.aborted; repeated = true) {
        const answer = await send(operation, path, init);
        if (answer && answer.status < 500) return { ...answer, repeated };
        await sleep(PAUSE_MS);
      }
      throw new GivenUp(operation);
    },
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What an answer says is wrong, in the shapes of all surfaces. */
function describe(body: Record<string, unknown>, text: string): string {
  const { message, error, error_description: description } = body;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  return (
    [error, description, message].filter((part) => typeof part === 'string').join(': ') ||
    (/<title>(.*?)<\/title>/.exec(text)?.[1] ?? text).slice(0, 80)
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
