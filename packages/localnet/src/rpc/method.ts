import bs58 from 'bs58';
import { z } from 'zod';
import { type Key, keyAt } from '../key.ts';
import { type Commitment, type Ledger, slotOf } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';

/** A JSON-RPC method: checks its positional parameters and answers its `result`. */
export type RpcMethod = (ledger: Ledger, params: unknown) => unknown;

/** Binds a method to the shape of its parameters. @throws RpcError invalidParams, naming the parameter. */
export function method<P>(shape: z.ZodType<P>, run: (ledger: Ledger, params: P) => unknown): RpcMethod {
  return (ledger, params) => run(ledger, parseParams(shape, params));
}

/** @throws RpcError invalidParams */
export function parseParams<P>(shape: z.ZodType<P>, params: unknown): P {
  const given = params ?? [];
  if (!Array.isArray(given)) throw new RpcError('invalidParams', '`params` should be an array');
  checkCount(shape, given);
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const ownWords = issue?.code === 'custom' || issue?.code === 'too_big' || issue?.code === 'too_small';
  if (issue && ownWords) throw new RpcError('invalidParams', issue.message);
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw new RpcError('invalidParams', `Invalid params${place}: ${issue?.message ?? 'not as the method wants them'}`);
}

/** A wrong number of parameters gets the message of a cluster. */
function checkCount(shape: z.ZodType, given: unknown[]): void {
  if (!(shape instanceof z.ZodTuple)) return;
  const { items } = shape.def;
  if (given.length > items.length) {
    if (items.length === 0) throw new RpcError('invalidParams', 'Invalid parameters: No parameters were expected');
    const required = requiredCount(items);
    const expected = `Expected from ${required} to ${items.length} parameters.`;
    throw new RpcError('invalidParams', `Invalid parameters: ${expected}`, `"Got: ${given.length}"`);
  }
  const required = requiredCount(items);
  if (given.length < required) {
    throw new RpcError('invalidParams', `\`params\` should have at least ${given.length + 1} argument(s)`);
  }
}

function requiredCount(items: readonly z.core.SomeType[]): number {
  return items.filter((item) => item instanceof z.ZodType && !item.safeParse(undefined).success).length;
}

/** A base58 text of `length` bytes. */
function base58Bytes(length: number, longestText: number) {
  return z.string().transform((text, context) => {
    const bytes = text.length > longestText ? undefined : bs58.decodeUnsafe(text);
    if (bytes?.length === length) return { text, bytes };
    const isBase58 = text.length > longestText || bytes !== undefined;
    context.addIssue({ code: 'custom', message: `Invalid param: ${isBase58 ? 'WrongSize' : 'Invalid'}` });
    return z.NEVER;
  });
}

/** A base58 address of 32 bytes. */
export const Address = base58Bytes(32, 44).transform(({ bytes }): Key => keyAt(bytes));

/** The base58 of a signature, 64 bytes. */
export const Signature = base58Bytes(64, 88).transform(({ text }) => text);

/** A slot number or a count. */
export const Unsigned = z.int().nonnegative();

/** A slot, or how many. */
export const Slots = z.tuple([Unsigned]);

/** The commitment that a request names. As on a cluster, none and any unknown name mean `finalized`. */
function commitmentNamed(value: unknown): Commitment {
  return value === 'processed' || value === 'confirmed' ? value : 'finalized';
}

/** The fields every configuration may have. */
export const contextFields = {
  commitment: z.unknown().optional().transform(commitmentNamed),
  minContextSlot: Unsigned.nullish(),
};

/** A configuration with these fields only. */
export const ContextConfig = z.object(contextFields).nullish();

/** Which state a caller wants to see. */
export type ContextChoice = { commitment?: Commitment; minContextSlot?: number | null | undefined } | null | undefined;

/** The slot of an answer. @throws RpcError minContextSlotNotReached */
export function slotFor(ledger: Ledger, config: ContextChoice): number {
  const slot = slotOf(ledger, config?.commitment ?? 'finalized');
  if ((config?.minContextSlot ?? 0) <= slot) return slot;
  throw new RpcError('minContextSlotNotReached', 'Minimum context slot has not been reached', { contextSlot: slot });
}

/** As `slotFor`, for methods about blocks, which exist from `confirmed` on. @throws RpcError invalidParams */
export function blockSlotFor(ledger: Ledger, config: ContextChoice): number {
  if (config?.commitment === 'processed') {
    throw new RpcError('invalidParams', 'Method does not support commitment below `confirmed`');
  }
  return slotFor(ledger, config);
}

/** An answer in the `{ context, value }` envelope; `value` gets the slot. */
export function withContext(ledger: Ledger, config: ContextChoice, value: (slot: number) => unknown): unknown {
  const slot = slotFor(ledger, config);
  return { context: { slot, apiVersion: CORE_VERSION }, value: value(slot) };
}

/** The Agave release whose run time LiteSVM 1.4.1 embeds. */
const CORE_VERSION = '4.2.1';
