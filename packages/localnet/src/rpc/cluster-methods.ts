import { z } from 'zod';
import { base58Of } from '../key.ts';
import { type Ledger, slotOf } from '../ledger.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';
import { Address, ContextConfig, method, type RpcMethod, slotFor, withContext } from './method.ts';

const OnlyConfig = z.tuple([ContextConfig.optional()]);

/** Slots and blockhashes. Every slot has a block, so the block height is the slot. */
export const clusterMethods: Record<string, RpcMethod> = {
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

  getTransactionCount: method(OnlyConfig, (ledger, [config]) => transactionsUpTo(ledger, slotFor(ledger, config))),

  getLatestBlockhash: method(OnlyConfig, (ledger, [config]) =>
    withContext(ledger, config, (slot) => ({
      blockhash: base58Of(ledger.clock.blockhashAt(slot)),
      lastValidBlockHeight: lastValidHeight(slot),
    })),
  ),

  isBlockhashValid: method(z.tuple([Address, ContextConfig.optional()]), (ledger, [blockhash, config]) =>
    withContext(ledger, config, (slot) => ledger.clock.validSlotOf(blockhash, slot) !== undefined),
  ),
};

/** How many transactions have landed up to and with a slot. */
function transactionsUpTo(ledger: Ledger, slot: number): number {
  let count = ledger.transactionCount;
  for (let later = slotOf(ledger, 'processed'); later > slot; later--) count -= ledger.history.ofSlot(later).length;
  return count;
}
