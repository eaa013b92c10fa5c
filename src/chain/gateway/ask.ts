import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DomainError } from '../../platform/errors.ts';
import type { RpcReply } from './batch-calls.ts';
import type { JsonRpc } from './json-rpc.ts';

const RETRY_AFTER_SECONDS = 5;
/** JSON-RPC error of a node that has not reached `minContextSlot`. */
const NODE_LAGS = -32016;
/** JSON-RPC error of a node that is behind the cluster, whatever the call. */
const NODE_UNHEALTHY = -32005;
const LAG_PAUSE_MS = 400;
const LAG_ATTEMPTS = 5;

export const CONFIRMED = { commitment: 'confirmed' } as const;
export const FINALIZED = { commitment: 'finalized' } as const;

export const Slot = z.int().nonnegative();

/** A result with its slot. */
export const at = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: Slot }), value });

/**
 * The node answered with an error or an unknown shape. The arguments may be the reason, so a caller with several items goes on with
 * the others.
 */
class BadAnswer extends Error {
  override readonly name = 'BadAnswer';
}

/** @param fault what is wrong with what the node answered, for staff */
function badAnswer(fault: string): DomainError {
  return unavailable(new BadAnswer(fault));
}

/** Whether a call of the gateway failed although the node answered. */
export function isBadAnswer(error: unknown): boolean {
  return error instanceof DomainError && error.cause instanceof BadAnswer;
}

/**
 * @param shape made once for all calls: making one takes longer than a call
 * @throws DomainError `unavailable` for every failure (`isBadAnswer` where the node answered)
 */
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
    throw code === NODE_UNHEALTHY ? unavailable(new Error(fault)) : badAnswer(fault);
  }
  const parsed = shape.safeParse(reply.result);
  if (!parsed.success) throw badAnswer(`${method}: ${parsed.error.message}`);
  return parsed.data;
}

/**
 * As `ask`, for a list with one entry for each item of the first parameter. A list of another length is refused.
 * @throws DomainError `unavailable` for every failure (`isBadAnswer` where the node answered)
 */
export async function askForEach<T>(
  rpc: JsonRpc,
  shape: z.ZodType<{ context: { slot: number }; value: T[] }>,
  method: string,
  params: readonly [items: readonly string[], options: object],
): Promise<{ values: T[]; slot: number }> {
  const { context, value } = await ask(rpc, shape, method, params);
  const [items] = params;
  if (value.length !== items.length) throw badAnswer(`${method}: ${value.length} entries for ${items.length}`);
  return { values: value, slot: context.slot };
}

/**
 * As `ask`, for data that a node may refuse or not have.
 * @returns undefined for a JSON-RPC error and for a result of another shape
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

export function unavailable(cause?: unknown): DomainError {
  return new DomainError('unavailable', 'The Solana cluster can not be reached for the moment; try again.', {
    retryAfter: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** Whether a call of the gateway failed because no node answered it. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'unavailable' && !isBadAnswer(error);
}

/** @throws DomainError `unavailable` where no answer came */
async function replyOf(rpc: JsonRpc, method: string, params: readonly unknown[]): Promise<RpcReply> {
  try {
    return await retryWhileLagging(() => rpc(method, params));
  } catch (cause) {
    throw unavailable(cause);
  }
}

async function retryWhileLagging(call: () => Promise<RpcReply>): Promise<RpcReply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await call();
    if (!('error' in reply) || reply.error.code !== NODE_LAGS || attempt === LAG_ATTEMPTS) return reply;
    await sleep(LAG_PAUSE_MS);
  }
}
