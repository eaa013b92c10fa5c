import { z } from 'zod';

/** A request has up to ten claims; nodes limit the calls of a batch. */
const MOST_AT_ONCE = 10;
/** Statuses of a node that is busy, not of one that refuses batches. */
const OVERLOADED = new Set([408, 429]);

const Answers = z.array(z.looseObject({ id: z.unknown() }));

interface Waiting {
  readonly call: RpcCall;
  readonly answer: PromiseWithResolvers<RpcReply>;
}

/**
 * Sends the calls of one turn of the event loop together, up to ten in one HTTP request: a JSON-RPC batch. A node that has refused a
 * batch gets its calls one by one from then on. A batch is sent once.
 * @param callOne sends a call alone
 * @param post sends a batch
 * @returns sends a call with the others of its turn; throws an Error where no JSON-RPC answer came
 */
export function batchCalls(
  callOne: (call: RpcCall) => Promise<RpcReply>,
  post: (body: string) => Promise<HttpAnswer>,
): (call: RpcCall) => Promise<RpcReply> {
  let waiting: Waiting[] = [];
  let takesBatches = true;

  function sendAll(): void {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += MOST_AT_ONCE) void send(all.slice(at, at + MOST_AT_ONCE));
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    try {
      const replies = takesBatches && batch.length > 1 ? await askTogether(batch) : undefined;
      for (const { call, answer } of batch)
        answer.resolve(replies === undefined ? callOne(call) : replyTo(call, replies));
    } catch (error) {
      for (const { answer } of batch) answer.reject(error);
    }
  }

  /** @returns the replies by id; undefined where the node refused the batch as a whole, and so did none of it */
  async function askTogether(batch: readonly Waiting[]): Promise<Map<unknown, unknown> | undefined> {
    const { status, text } = await post(JSON.stringify(batch.map(({ call }) => call)));
    const given = jsonOf(text);
    const replies = new Map((Answers.safeParse(given).data ?? []).map((reply) => [reply.id, reply]));
    if (batch.some(({ call }) => replies.has(call.id))) return replies;
    const isRefusal = given !== undefined || (status >= 400 && status < 500);
    if (!isRefusal || status >= 500 || OVERLOADED.has(status)) {
      throw new Error(`the node answered ${status} without JSON-RPC`);
    }
    takesBatches = false;
    return undefined;
  }

  return (call) => {
    if (!takesBatches) return callOne(call);
    const answer = Promise.withResolvers<RpcReply>();
    if (waiting.length === 0) setImmediate(sendAll);
    waiting.push({ call, answer });
    return answer.promise;
  };
}

async function replyTo({ id, method }: RpcCall, replies: ReadonlyMap<unknown, unknown>): Promise<RpcReply> {
  const reply = Reply.safeParse(replies.get(id));
  if (!reply.success) throw new Error(`${method}: the node did not answer it with the rest of its batch`);
  return reply.data;
}

/** Undefined where it is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A call as it is sent. */
export interface RpcCall {
  readonly jsonrpc: '2.0';
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The HTTP response of a node. */
export interface HttpAnswer {
  readonly status: number;
  /** Milliseconds; 0 where the node does not say. */
  readonly retryAfter: number;
  readonly text: string;
}

const Fault = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() });
export const Reply = z.union([z.object({ error: Fault }), z.object({ result: z.unknown() })]);

/** A node's answer. */
export type RpcReply = { result: unknown } | { error: z.infer<typeof Fault> };
