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

/** Hands a signed transaction to a node, once. */
export async function submitTransaction(rpc: JsonRpc, transaction: Uint8Array): Promise<Submission> {
  const text = Buffer.from(transaction).toString('base64');
  try {
    return submissionOf(await rpc('sendTransaction', [text, { encoding: 'base64', preflightCommitment: 'confirmed' }]));
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
