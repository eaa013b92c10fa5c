import { z } from 'zod';
import { base58Of } from '../key.ts';
import { lastValidHeight } from '../slot-clock.ts';
import { transactionFee } from '../transaction-fee.ts';
import { u64 } from '../u64.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';
import { readMessage } from '../wire-transaction.ts';
import { Address, CORE_VERSION, ContextConfig, method, type RpcMethod, slotFor, withContext } from './method.ts';
import { decodeBase64 } from './transaction-bytes.ts';

const NoParams = z.tuple([]);
const OnlyConfig = z.tuple([ContextConfig.optional()]);

/** Every slot has a block, so the block height is the slot. */
export const clusterMethods: Record<string, RpcMethod> = {
  getHealth: method(NoParams, () => 'ok'),
  getVersion: method(NoParams, () => ({ 'solana-core': CORE_VERSION })),
  getGenesisHash: method(NoParams, ({ genesis }) => genesis.genesisHash),
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
      transactionCount: null,
    };
  }),

  getLatestBlockhash: method(OnlyConfig, (ledger, [config]) =>
    withContext(ledger, config, () => {
      const slot = ledger.clock.slot();
      return { blockhash: base58Of(ledger.clock.blockhashAt(slot)), lastValidBlockHeight: lastValidHeight(slot) };
    }),
  ),

  isBlockhashValid: method(z.tuple([Address, ContextConfig.optional()]), (ledger, [blockhash, config]) =>
    withContext(ledger, config, () => ledger.clock.validSlotOf(blockhash) !== undefined),
  ),

  getFeeForMessage: method(z.tuple([z.string(), ContextConfig.optional()]), (ledger, [text, config]) => {
    const message = readMessage(decodeBase64(text));
    return withContext(ledger, config, () =>
      ledger.clock.validSlotOf(message.blockhash) === undefined ? null : u64(transactionFee(message)),
    );
  }),
};
