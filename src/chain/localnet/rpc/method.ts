import { z } from 'zod';
import { keyFromBase58 } from '../key.ts';
import type { Ledger } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';

/** A JSON-RPC method: checks its positional parameters and answers its `result`. */
export type RpcMethod = (ledger: Ledger, params: unknown) => unknown;

/** Binds a method to the shape of its parameters. @throws RpcError invalidParams, naming the parameter. */
export function method<P>(shape: z.ZodType<P>, run: (ledger: Ledger, params: P) => unknown): RpcMethod {
  return (ledger, params) => run(ledger, parseParams(shape, params));
}

/** @throws RpcError invalidParams */
export function parseParams<P>(shape: z.ZodType<P>, params: unknown): P {
  const parsed = shape.safeParse(params ?? []);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw new RpcError('invalidParams', `Invalid params${place}: ${issue?.message ?? 'not as the method wants them'}`);
}

/** A base58 address of 32 bytes. */
export const Address = z.string().transform((text, context) => {
  const key = keyFromBase58(text);
  if (key) return key;
  context.addIssue('not a base58 address of 32 bytes');
  return z.NEVER;
});

/** The fields every configuration may have. One node is its own cluster, so all commitments see the same state. */
export const contextFields = {
  commitment: z
    .enum(['processed', 'confirmed', 'finalized', 'recent', 'single', 'singleGossip', 'root', 'max'])
    .nullish(),
  minContextSlot: z.int().nonnegative().nullish(),
};

/** A configuration with nothing else in it. */
export const ContextConfig = z.object(contextFields).nullish();

/** The slot an answer speaks of. @throws RpcError minContextSlotNotReached */
export function slotFor(
  { clock }: Ledger,
  config: { minContextSlot?: number | null | undefined } | null | undefined,
): number {
  const slot = clock.slot();
  const wanted = config?.minContextSlot ?? 0;
  if (wanted <= slot) return slot;
  throw new RpcError('minContextSlotNotReached', 'Minimum context slot has not been reached', { contextSlot: slot });
}

/** An answer in the `{ context, value }` envelope. */
export function withContext(
  ledger: Ledger,
  config: { minContextSlot?: number | null | undefined } | null | undefined,
  value: () => unknown,
): unknown {
  const slot = slotFor(ledger, config);
  return { context: { slot, apiVersion: CORE_VERSION }, value: value() };
}

/** The Agave release whose run time LiteSVM 1.4.1 embeds. */
export const CORE_VERSION = '4.2.1';
