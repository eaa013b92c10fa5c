import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** A call on its way to the node. */
export interface RpcCall {
  method: string;
  params: unknown[];
}

/** A call with the id that its answer must have. */
type Sent = RpcCall & { id: unknown };

/** The JSON-RPC answer of the node, which a rule may bend. */
export interface RpcReply {
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** What becomes of a call: it passes, the connection breaks, nothing comes back, its answer gets lost, or another answer. */
export type Fate =
  | 'pass'
  | 'away'
  | 'hang'
  | 'lose answer'
  | { status: number; headers?: Record<string, string> }
  | { reply: RpcReply }
  /** Another call is sent in its place, and perhaps its answer bent. */
  | { call: RpcCall; bend?: (reply: RpcReply) => RpcReply }
  | ((reply: RpcReply) => RpcReply | Promise<RpcReply>);

export type Rule = (call: RpcCall) => Fate | Promise<Fate>;

/** A proxy between the service and its node, which breaks what a test tells it to break and counts the calls. */
export interface RpcProxy {
  url: string;
  /** Every call that arrived since the last `reset`, in order. */
  calls: RpcCall[];
  /** Those of `calls` that arrived together, batch by batch. */
  batches: RpcCall[][];
  /** How many of `calls` had this method. */
  count(method: string): number;
  setRule(rule: Rule): void;
  /** Bends the answer to a batch as a whole. @param unread the node does none of its calls */
  setBatchAnswer(bend: (replies: RpcReply[]) => unknown, options?: { status?: number; unread?: boolean }): void;
  /** Everything passes again, and counting starts anew. */
  reset(): void;
  stop(): Promise<void>;
}

const PASS: Rule = () => 'pass';

/** As nodes answer browsers. */
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/** @param target URL of the node */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  let rule = PASS;
  let bendBatch: Parameters<RpcProxy['setBatchAnswer']> | undefined;
  const calls: RpcCall[] = [];
  const batches: RpcCall[][] = [];

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as Sent | Sent[];
    const sent = Array.isArray(body) ? body : [body];
    if (Array.isArray(body)) batches.push(body);
    calls.push(...sent);
    const fates = await Promise.all(sent.map(async (call) => ({ call, fate: await rule(call) })));
    const [bend, { status = 200, unread = false } = {}] = (Array.isArray(body) && bendBatch) || [];
    // what happens to the connection happens to all calls of a batch
    if (fates.some(({ fate }) => fate === 'hang')) return;
    if (fates.some(({ fate }) => fate === 'away')) return void request.socket.destroy();
    for (const { fate } of fates) {
      if (typeof fate === 'object' && 'status' in fate) return void response.writeHead(fate.status, fate.headers).end();
    }
    const replies = unread ? [] : await Promise.all(fates.map(({ call, fate }) => replyTo(call, fate)));
    if (fates.some(({ fate }) => fate === 'lose answer')) return void request.socket.destroy();
    const answer = bend ? bend(replies) : Array.isArray(body) ? replies : replies[0];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  async function replyTo(call: Sent, fate: Fate): Promise<RpcReply> {
    const envelope = { jsonrpc: '2.0', id: call.id };
    let reply: RpcReply;
    if (typeof fate === 'object' && 'reply' in fate) reply = fate.reply;
    else if (typeof fate === 'object' && 'call' in fate) {
      reply = await forward(JSON.stringify({ ...envelope, ...fate.call }));
      reply = fate.bend?.(reply) ?? reply;
    } else {
      reply = await forward(JSON.stringify(call));
      if (typeof fate === 'function') reply = await fate(reply);
    }
    return { ...envelope, ...reply };
  }

  async function forward(body: string): Promise<RpcReply> {
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(target, { method: 'POST', headers, body })).json()) as RpcReply;
  }

  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    handle(request, response).catch(() => request.socket.destroy());
  });
  const { url, stop } = await listen(server);
  return {
    url,
    calls,
    batches,
    count: (method) => calls.filter((call) => call.method === method).length,
    setRule: (next) => {
      rule = next;
    },
    setBatchAnswer: (...given) => {
      bendBatch = given;
    },
    reset: () => {
      rule = PASS;
      bendBatch = undefined;
      calls.length = 0;
      batches.length = 0;
    },
    stop,
  };
}

/** One fate for the calls of some methods, or of all; the others pass. */
export function only(fate: Fate, ...methods: string[]): Rule {
  return ({ method }) => (methods.length === 0 || methods.includes(method) ? fate : 'pass');
}

/** The node refuses each transaction that has some bytes, such as an address. */
export function refuseWith(bytes: Uint8Array): Rule {
  return ({ method, params }) =>
    method === 'sendTransaction' && Buffer.from(String(params[0]), 'base64').includes(Buffer.from(bytes))
      ? { reply: { error: { code: -32002, message: 'refused for a test' } } }
      : 'pass';
}

/** Calls of a method wait until some work of the test, which the first of them begins, is done. */
export function passAfter(method: string, work: () => Promise<unknown>): Rule {
  let done: Promise<unknown> | undefined;
  return async (call) => {
    if (call.method === method) {
      done ??= work();
      await done;
    }
    return 'pass' as const;
  };
}

/** Bends each item of the value that a reply gives. */
export const bendEach =
  <Item = object>(bend: (item: Item, at: number) => unknown) =>
  ({ result }: RpcReply): RpcReply => {
    const { value, ...rest } = result as { value: Item[] };
    return { result: { ...rest, value: value.map(bend) } };
  };

/** Bends what a method gives about one of the addresses or signatures that it is asked about, where it gives something. */
export function bendOne(method: string, asked: string, changes: object): Rule {
  return (call) => {
    if (call.method !== method) return 'pass';
    const place = (call.params[0] as string[]).indexOf(asked);
    return bendEach<object | null>((each, at) => (each && at === place ? { ...each, ...changes } : each));
  };
}

/** The answer of a node that is at a slot. */
export const answerAt = (slot: number, value: unknown): { reply: RpcReply } => ({
  reply: { result: { context: { slot }, value } },
});
