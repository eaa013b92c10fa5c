import { z } from 'zod';

/** What became of handing a transaction over. */
export type Submission =
  /** It is on its way, or has landed already. */
  | { outcome: 'accepted' }
  /** The cluster judged it and will not run it. */
  | { outcome: 'refused'; reason: string }
  /** No judgement: it may or may not be on its way. */
  | { outcome: 'unknown' };

const Answer = z.union([
  z.object({ result: z.string() }),
  z.object({
    error: z.object({
      code: z.number(),
      message: z.string(),
      data: z.object({ err: z.unknown() }).nullish().catch(undefined),
    }),
  }),
]);

/**
 * The JSON-RPC errors that are a judgement of the transaction: preflight failed, signature wrong, bytes malformed. All
 * others (a node that lags, is unhealthy or busy) say nothing about it.
 */
const JUDGEMENTS = new Set([-32002, -32003, -32602]);

/**
 * Hands a signed transaction to a node, once. Not by web3.js, which tells a node's judgement and a node's trouble by the
 * same error.
 * @param rpcFetch makes one attempt
 */
export async function submitTransaction(
  rpcUrl: string,
  rpcFetch: typeof fetch,
  transaction: Uint8Array,
): Promise<Submission> {
  const params = [
    Buffer.from(transaction).toString('base64'),
    { encoding: 'base64', preflightCommitment: 'confirmed' },
  ];
  try {
    const answer = await rpcFetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
    });
    const parsed = Answer.safeParse(await answer.json());
    return parsed.success ? submissionOf(parsed.data) : { outcome: 'unknown' };
  } catch {
    return { outcome: 'unknown' };
  }
}

function submissionOf(answer: z.infer<typeof Answer>): Submission {
  if ('result' in answer) return { outcome: 'accepted' };
  const { code, message, data } = answer.error;
  if (!JUDGEMENTS.has(code)) return { outcome: 'unknown' };
  if (data?.err === 'AlreadyProcessed') return { outcome: 'accepted' };
  // too old, or too new for this node: the caller finds out which
  if (data?.err === 'BlockhashNotFound') return { outcome: 'unknown' };
  return { outcome: 'refused', reason: message };
}
