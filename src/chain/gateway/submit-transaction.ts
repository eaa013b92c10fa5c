import { z } from 'zod';
import type { JsonRpc, RpcReply } from './json-rpc.ts';

/** What became of handing a transaction over. */
export type Submission =
  /** It is on its way, or has landed already. */
  | { outcome: 'accepted' }
  /** The cluster judged it and will not run it. */
  | { outcome: 'refused'; reason: string }
  /** No judgement: it may or may not be on its way. */
  | { outcome: 'unknown' };

const ErrorData = z.object({ err: z.unknown() });

/**
 * The JSON-RPC errors that are a judgement of the transaction: preflight failed, signature wrong, bytes malformed. All
 * others (a node that lags, is unhealthy or busy) say nothing about it.
 */
const JUDGEMENTS = new Set([-32002, -32003, -32602]);

/**
 * Hands a signed transaction to a node, once.
 * @param notBefore the slot that the node's preflight must have reached; a node that has not says nothing about the transaction
 */
export async function submitTransaction(rpc: JsonRpc, transaction: Uint8Array, notBefore = 0): Promise<Submission> {
  const text = Buffer.from(transaction).toString('base64');
  const options = { encoding: 'base64', preflightCommitment: 'confirmed', minContextSlot: notBefore };
  try {
    return submissionOf(await rpc('sendTransaction', [text, options]));
  } catch {
    return { outcome: 'unknown' };
  }
}

function submissionOf(answer: RpcReply): Submission {
  if ('result' in answer) return { outcome: typeof answer.result === 'string' ? 'accepted' : 'unknown' };
  const { code, message, data } = answer.error;
  if (!JUDGEMENTS.has(code)) return { outcome: 'unknown' };
  const { err } = ErrorData.safeParse(data).data ?? {};
  if (err === 'AlreadyProcessed') return { outcome: 'accepted' };
  // too old, or too new for this node: the caller finds out which
  if (err === 'BlockhashNotFound') return { outcome: 'unknown' };
  return { outcome: 'refused', reason: message };
}
