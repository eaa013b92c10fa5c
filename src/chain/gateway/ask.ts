import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DomainError } from '../../errors.ts';
import { BadAnswer } from './bad-answer.ts';
import type { JsonRpc, RpcReply } from './json-rpc.ts';

const RETRY_AFTER_SECONDS = 5;
/** JSON-RPC error of a node that has not come to the slot asked for. */
const NODE_LAGS = -32016;
/** JSON-RPC error of a node that has fallen behind the cluster: it would say so whatever it was asked. */
const NODE_UNHEALTHY = -32005;
const LAG_PAUSE_MS = 400;
const LAG_ATTEMPTS = 5;

export const CONFIRMED = { commitment: 'confirmed' } as const;

/** JSON carries no larger whole number exactly, and no cluster reaches 2^53 slots. */
export const Slot = z.int().nonnegative();

/** An answer that holds for a slot. */
export const at = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: Slot }), value });

/** @throws DomainError `unavailable` for whatever goes wrong between us and the cluster (`isBadAnswer` where the node has answered) */
export async function ask<T>(
  rpc: JsonRpc,
  shape: z.ZodType<T>,
  method: string,
  params: readonly unknown[],
): Promise<T> {
  const reply = await replyOf(rpc, method, params);
  if ('error' in reply) {
    const { code, message } = reply.error;
    const fault = `${method}: ${code} ${message}`;
    throw unavailable(code === NODE_UNHEALTHY ? new Error(fault) : new BadAnswer(fault));
  }
  const parsed = shape.safeParse(reply.result);
  if (!parsed.success) throw unavailable(new BadAnswer(`${method}: ${parsed.error.message}`));
  return parsed.data;
}

/**
 * As `ask`, for what a node may refuse or not have.
 * @returns undefined for an error of JSON-RPC and for a result of another shape: the node has spoken
 * @throws DomainError `unavailable` where no answer came
 */
export async function askIfGiven<T>(
  rpc: JsonRpc,
  shape: z.ZodType<T>,
  method: string,
  params: readonly unknown[],
): Promise<T | undefined> {
  const reply = await replyOf(rpc, method, params);
  return 'error' in reply ? undefined : shape.safeParse(reply.result).data;
}

export function unavailable(cause: unknown): DomainError {
  return new DomainError('unavailable', 'The Solana cluster can not be reached for the moment; try again.', {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** @throws DomainError `unavailable` where no answer came */
async function replyOf(rpc: JsonRpc, method: string, params: readonly unknown[]): Promise<RpcReply> {
  try {
    return await whileLagging(() => rpc(method, params));
  } catch (cause) {
    throw unavailable(cause);
  }
}

async function whileLagging(question: () => Promise<RpcReply>): Promise<RpcReply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await question();
    if (!('error' in reply) || reply.error.code !== NODE_LAGS || attempt === LAG_ATTEMPTS) return reply;
    await sleep(LAG_PAUSE_MS);
  }
}
