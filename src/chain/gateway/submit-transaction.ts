import { z } from 'zod';
import type { JsonRpc } from './json-rpc.ts';
import type { RpcReply } from './rpc-message.ts';

/** The outcome of sending a transaction. */
export type Submission =
  /** Forwarded, or landed already. */
  | { outcome: 'accepted' }
  /** The cluster will not run it. */
  | { outcome: 'refused'; reason: string }
  /** It may or may not have been forwarded. */
  | { outcome: 'unknown' };

const ErrorData = z.object({ err: z.unknown() });

/** JSON-RPC errors about the transaction itself: preflight failed, invalid signature, malformed. All others are about the node. */
const REFUSALS = new Set([-32002, -32003, -32602]);

/** Sends a signed transaction, once. @param notBefore the slot that the node's preflight must have reached */
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
  if (!REFUSALS.has(code)) return { outcome: 'unknown' };
  const { err } = ErrorData.safeParse(data).data ?? {};
  if (err === 'AlreadyProcessed') return { outcome: 'accepted' };
  // expired, or too new for this node
  if (err === 'BlockhashNotFound') return { outcome: 'unknown' };
  return { outcome: 'refused', reason: message };
}
