import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchCalls, type HttpAnswer, Reply, type RpcCall, type RpcReply } from './batch-calls.ts';

export interface JsonRpcOptions {
  /** Milliseconds for one attempt. */
  timeout: number;
  /** Attempts of a read. */
  attempts: number;
}

/**
 * Calls a node. A read is retried with growing pauses after a network error, a time-out or a busy answer. `Retry-After` is honoured up
 * to `LONGEST_PAUSE_MS`. `sendTransaction` and `requestAirdrop` are sent once; a retry is the caller's decision. The transactions of
 * one turn of the event loop go in batches.
 * @throws Error where no JSON-RPC answer came
 */
export type JsonRpc = (method: string, params: readonly unknown[]) => Promise<RpcReply>;

const FIRST_PAUSE_MS = 150;
const LONGEST_PAUSE_MS = 5_000;
const REPEATABLE = new Set([408, 429, 500, 502, 503, 504]);
const SENT_ONCE = new Set(['sendTransaction', 'requestAirdrop']);

/**
 * A client of the node at `rpcUrl`, over persistent connections. Where a request waits for a dozen answers, web3.js's `Connection` and
 * `fetch` would cost more time than all other work.
 */
export function createJsonRpc(rpcUrl: string, { timeout, attempts }: JsonRpcOptions): JsonRpc {
  const url = new URL(rpcUrl);
  const secure = url.protocol === 'https:';
  const options = { agent: secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true }) };
  const request = secure ? requestHttps : requestHttp;
  let lastId = 0;

  /** One attempt. */
  function post(body: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const outgoing = request(url, { ...options, method: 'POST', headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const { statusCode: status = 0, headers } = incoming;
          resolve({ status, retryAfter: retryAfter(headers['retry-after']), text: Buffer.concat(chunks).toString() });
        });
      });
      const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeout} ms`)), timeout);
      outgoing.on('error', reject);
      outgoing.on('close', () => clearTimeout(timer));
      outgoing.end(body);
    });
  }

  async function callOne(call: RpcCall): Promise<RpcReply> {
    const { status, text } = await postRepeatedly(JSON.stringify(call), SENT_ONCE.has(call.method) ? 1 : attempts);
    try {
      return Reply.parse(JSON.parse(text));
    } catch (cause) {
      throw new Error(`${call.method}: the node answered ${status} without JSON-RPC`, { cause });
    }
  }

  async function postRepeatedly(body: string, tries: number): Promise<HttpAnswer> {
    for (let attempt = 1; ; attempt++) {
      const last = attempt === tries;
      let pause = pauseBefore(attempt);
      try {
        const answer = await post(body);
        if (last || !REPEATABLE.has(answer.status)) return answer;
        pause = Math.max(pause, answer.retryAfter);
        if (pause > LONGEST_PAUSE_MS) return answer;
      } catch (error) {
        if (last) throw error;
      }
      await sleep(pause);
    }
  }

  const sendTogether = batchCalls(callOne, post);
  return (method, params) => {
    lastId += 1;
    const call = { jsonrpc: '2.0', id: lastId, method, params } as const;
    return method === 'sendTransaction' ? sendTogether(call) : callOne(call);
  };
}

/** Doubles after each attempt, with jitter against synchronised retries. */
function pauseBefore(attempt: number): number {
  return FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
}

function retryAfter(header: string | undefined): number {
  const seconds = Number(header);
  return Number.isFinite(seconds) ? seconds * 1000 : 0;
}
