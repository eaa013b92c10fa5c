import { z } from 'zod';
import { base58Of } from '../key.ts';
import { type Ledger, slotOf } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import { blockSlotFor, contextFields, method, type RpcMethod, Unsigned } from './method.ts';
import { firstBlock } from './node-methods.ts';
import { landedTransactionJson, TransactionEncoding, transactionAccountsJson } from './transaction-json.ts';

/** The most slots that `getBlocks` looks through. */
const MAX_RANGE = 500_000;

const BlockConfig = z.union([
  TransactionEncoding,
  z.object({
    ...contextFields,
    encoding: TransactionEncoding.nullish(),
    transactionDetails: z.enum(['full', 'accounts', 'signatures', 'none']).nullish(),
    rewards: z.boolean().nullish(),
    maxSupportedTransactionVersion: z.int().min(0).max(255).nullish(),
  }),
]);

const RangeConfig = z.object(contextFields).nullish().optional();

/** Blocks: every slot has one, and its blockhash is the slot's. */
export const blockMethods: Record<string, RpcMethod> = {
  getBlock: method(z.tuple([Unsigned, BlockConfig.nullish().optional()]), (ledger, [slot, options]) => {
    const config = typeof options === 'string' ? { encoding: options } : options;
    const reads = config && 'commitment' in config ? config : undefined;
    requireBlock(ledger, slot, blockSlotFor(ledger, reads));
    const { clock } = ledger;
    const parentSlot = Math.max(0, slot - 1);
    return {
      blockhash: base58Of(clock.blockhashAt(slot)),
      previousBlockhash: base58Of(clock.blockhashAt(parentSlot)),
      parentSlot,
      blockHeight: slot,
      blockTime: blockTime(ledger, slot),
      ...contentOf(ledger, slot, config?.encoding ?? 'json', reads),
      // No validator earns fees here.
      ...(reads?.rewards === false ? {} : { rewards: [] }),
    };
  }),

  getBlockTime: method(z.tuple([Unsigned]), (ledger, [slot]) => {
    requireBlock(ledger, slot, slotOf(ledger, 'processed'));
    return blockTime(ledger, slot);
  }),

  getBlocks: method(
    z.tuple([Unsigned, z.union([Unsigned, RangeConfig]).optional(), RangeConfig]),
    (ledger, [first, lastOrConfig, given]) => {
      const config = typeof lastOrConfig === 'number' ? given : (lastOrConfig ?? given);
      const newest = blockSlotFor(ledger, config);
      const last = Math.min(newest, typeof lastOrConfig === 'number' ? lastOrConfig : newest);
      if (last - first > MAX_RANGE) throw new RpcError('invalidParams', `Slot range too large; max ${MAX_RANGE}`);
      return slotsBetween(ledger, first, last);
    },
  ),

  getBlocksWithLimit: method(z.tuple([Unsigned, Unsigned, RangeConfig]), (ledger, [first, limit, config]) => {
    if (limit > MAX_RANGE) throw new RpcError('invalidParams', `Limit too large; max ${MAX_RANGE}`);
    const newest = blockSlotFor(ledger, config);
    return slotsBetween(ledger, first, Math.min(newest, Math.max(first, firstBlock(ledger)) + limit - 1));
  }),
};

type Details = Exclude<z.infer<typeof BlockConfig>, string>;

function contentOf(
  { history, journal }: Ledger,
  slot: number,
  encoding: TransactionEncoding,
  config: Details | undefined,
): object {
  const details = config?.transactionDetails ?? 'full';
  const entries = history.ofSlot(slot);
  if (details === 'none') return {};
  if (details === 'signatures') return { signatures: entries.map(({ signature }) => signature) };
  const maxVersion = config?.maxSupportedTransactionVersion;
  const transactions = entries.map(({ place }) => {
    const landed = journal.read(place);
    return details === 'accounts'
      ? transactionAccountsJson(landed, maxVersion)
      : landedTransactionJson(landed, encoding, maxVersion, config?.rewards !== false);
  });
  return { transactions };
}

/** @throws RpcError blockNotAvailable for a slot that is not reached, blockCleanedUp for one that is forgotten */
function requireBlock(ledger: Ledger, slot: number, newest: number): void {
  if (slot > newest) throw new RpcError('blockNotAvailable', `Block not available for slot ${slot}`);
  const first = firstBlock(ledger);
  if (slot >= first) return;
  const message = `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`;
  throw new RpcError('blockCleanedUp', message);
}

function blockTime({ history, clock }: Ledger, slot: number): number {
  return history.ofSlot(slot)[0]?.blockTime ?? clock.timeOf(slot);
}

function slotsBetween(ledger: Ledger, first: number, last: number): number[] {
  const from = Math.max(first, firstBlock(ledger));
  return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index);
}
