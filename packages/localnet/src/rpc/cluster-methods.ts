import { z } from 'zod';
import { base58Of } from '../key.ts';
import { slotOf } from '../ledger.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';
import { Address, ContextConfig, method, type RpcMethod, slotFor, withContext } from './method.ts';

/** For how many slots a node keeps the prices paid. */
const PRICED_SLOTS = 150;

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
      transactionCount: ledger.store.lastId(slot),
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
    (ledger, [accounts]) => ledger.store.pricesAfter(slotOf(ledger, 'processed') - PRICED_SLOTS, accounts ?? []),
  ),
};
