import { programErrorOf, reasonOf } from '@fan-api/cosign-policy/failure-reason';
import { z } from 'zod';
import { ask, at, CONFIRMED } from './ask.ts';
import type { RpcReply } from './batch-calls.ts';
import type { JsonRpc } from './json-rpc.ts';

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
  return { outcome: 'refused', reason: programErrorOf(err) ?? message };
}

const Simulation = at(z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() }));

/** Errors about a blockhash or a transaction that landed already: other reads report these. */
const TOLD_OTHERWISE: readonly unknown[] = ['BlockhashNotFound', 'AlreadyProcessed'];

/**
 * Runs a signed transaction on a node without sending it on.
 * @returns why the cluster would refuse it, with the program's last words; undefined where it would run it
 * @throws DomainError `unavailable` where the cluster is unreachable
 */
export async function simulateTransaction(rpc: JsonRpc, transaction: Uint8Array): Promise<string | undefined> {
  const text = Buffer.from(transaction).toString('base64');
  const options = { ...CONFIRMED, encoding: 'base64', sigVerify: true };
  const { value } = await ask(rpc, Simulation, 'simulateTransaction', [text, options]);
  const { err, logs } = value;
  if (err === null || err === undefined || TOLD_OTHERWISE.includes(err)) return undefined;
  const reason = reasonOf(err);
  const last = logs?.at(-1);
  return last === undefined ? reason : `${reason}; ${last}`;
}
