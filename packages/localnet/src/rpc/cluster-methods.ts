import { z } from 'zod';
import { base58Of } from '../key.ts';
import { type Ledger, slotOf } from '../ledger.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';
import { Address, ContextConfig, method, type RpcMethod, slotFor, withContext } from './method.ts';

const OnlyConfig = z.tuple([ContextConfig.optional()]);

/** The chain as a whole: its slots, blockhashes and prices. Every slot has a block, so the block height is the slot. */
export const clusterMethods: Record<string, RpcMethod> = {
  getGenesisHash: method(z.tuple([]), ({ genesis }) => genesis.genesisHash),
  getSlot: method(OnlyConfig, (ledger, [config]) => slotFor(ledger, config)),
  getBlockHeight: method(OnlyConfig, (ledger, [config]) => slotFor(ledger, config)),

  getEpochInfo: method(OnlyConfig, (ledger, [config]) => {
    const slot = slotFor(ledger, config);
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: transactionsUpTo(ledger, slot),
    };
  }),

  getLatestBlockhash: method(OnlyConfig, (ledger, [config]) =>
    withContext(ledger, config, (slot) => ({
      blockhash: base58Of(ledger.clock.blockhashAt(slot)),
      lastValidBlockHeight: lastValidHeight(slot),
    })),
  ),

  isBlockhashValid: method(z.tuple([Address, ContextConfig.optional()]), (ledger, [blockhash, config]) =>
    withContext(ledger, config, (slot) => ledger.clock.validSlotOf(blockhash, slot) !== undefined),
  ),

  getRecentPrioritizationFees: method(
    z.tuple([z.array(Address).max(128, 'Too many inputs provided; max 128').nullish().optional()]),
    (ledger, [accounts]) => ledger.priorityFees.recent(accounts ?? [], slotOf(ledger, 'processed')),
  ),
};

/** How many transactions have landed up to and with a slot. */
function transactionsUpTo(ledger: Ledger, slot: number): number {
  let count = ledger.transactionCount;
  for (let later = slotOf(ledger, 'processed'); later > slot; later--) count -= ledger.history.ofSlot(later).length;
  return count;
}
