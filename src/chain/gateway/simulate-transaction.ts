import { z } from 'zod';
import { ask, at, CONFIRMED } from './ask.ts';
import type { JsonRpc } from './json-rpc.ts';

const Simulation = at(z.object({ err: z.unknown(), logs: z.array(z.string()).nullish() }));

/** About a blockhash or a transaction that is known already: told by other reads. */
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
  const reason = typeof err === 'string' ? err : JSON.stringify(err);
  const last = logs?.at(-1);
  return last === undefined ? reason : `${reason}; ${last}`;
}
