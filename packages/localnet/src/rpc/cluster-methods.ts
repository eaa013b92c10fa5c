import { z } from 'zod';
import { usableNonce } from '../admission.ts';
import { base58Of } from '../key.ts';
import { type Ledger, slotOf } from '../ledger.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { transactionFee } from '../transaction-fee.ts';
import { u64 } from '../u64.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';
import { readMessage } from '../wire-transaction.ts';
import { Address, ContextConfig, method, type RpcMethod, slotFor, withContext } from './method.ts';
import { decodeBase64 } from './transaction-bytes.ts';

const OnlyConfig = z.tuple([ContextConfig.optional()]);

/** Slots, blockhashes and fees. Every slot has a block, so the block height is the slot. */
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

  getFeeForMessage: method(z.tuple([z.string(), ContextConfig.optional()]), (ledger, [text, config]) => {
    const message = readMessage(decodeBase64(text));
    return withContext(ledger, config, (slot) => {
      const isUsable =
        ledger.clock.validSlotOf(message.blockhash, slot) !== undefined ||
        usableNonce(ledger, message, slot) !== undefined;
      return isUsable ? u64(transactionFee(message)) : null;
    });
  }),

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
