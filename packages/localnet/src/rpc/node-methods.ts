import { createHash } from 'node:crypto';
import { publicKeyOfSeed } from '@fan-api/solana-wire/ed25519';
import { FeatureSet } from 'litesvm/dist/internal.js';
import { z } from 'zod';
import { base58Of, keyAt } from '../key.ts';
import type { Ledger } from '../ledger.ts';
import { RpcError } from '../rpc-error.ts';
import type { Genesis } from '../slot-clock.ts';
import { SLOTS_PER_EPOCH } from '../vm.ts';
import { CORE_VERSION, ContextConfig, method, type RpcMethod, slotFor, Unsigned } from './method.ts';

const NoParams = z.tuple([]);
const MAX_SLOT_LEADERS = 5_000;

/** Methods about the node: there is one, and it leads every slot. */
export const nodeMethods: Record<string, RpcMethod> = {
  getHealth: method(NoParams, () => 'ok'),
  getVersion: method(NoParams, () => ({ 'feature-set': FEATURE_SET, 'solana-core': CORE_VERSION })),
  getGenesisHash: method(NoParams, ({ genesis }) => genesis.genesisHash),
  getIdentity: method(NoParams, ({ genesis }) => ({ identity: identityOf(genesis) })),
  getFirstAvailableBlock: method(NoParams, (ledger) => firstBlock(ledger)),
  minimumLedgerSlot: method(NoParams, (ledger) => firstBlock(ledger)),

  getEpochSchedule: method(NoParams, () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  })),

  // It has no gossip and no TPU: transactions are sent to this endpoint.
  getClusterNodes: method(NoParams, ({ genesis }) => [
    {
      pubkey: identityOf(genesis),
      gossip: null,
      tvu: null,
      tpu: null,
      tpuQuic: null,
      tpuForwards: null,
      tpuForwardsQuic: null,
      tpuVote: null,
      serveRepair: null,
      rpc: null,
      pubsub: null,
      version: CORE_VERSION,
      featureSet: FEATURE_SET,
      shredVersion: null,
    },
  ]),

  getSlotLeader: method(z.tuple([ContextConfig.optional()]), (ledger, [config]) => {
    slotFor(ledger, config);
    return identityOf(ledger.genesis);
  }),

  getSlotLeaders: method(z.tuple([Unsigned, Unsigned]), ({ genesis }, [, limit]) => {
    if (limit > MAX_SLOT_LEADERS) throw new RpcError('invalidParams', `Invalid limit; max ${MAX_SLOT_LEADERS}`);
    return Array.from({ length: limit }, () => identityOf(genesis));
  }),
};

/** The oldest slot whose block can be asked for. */
export function firstBlock({ journal, history }: Ledger): number {
  return journal.isCut() ? (history.oldestSlot() ?? 0) : 0;
}

/** The node's own address. */
export function identityOf({ seed }: Pick<Genesis, 'seed'>): string {
  return base58Of(keyAt(publicKeyOfSeed(createHash('sha256').update(`identity ${seed}`).digest())));
}

/** As Agave makes it: the first four bytes of the hash over the sorted ids of all features that the release knows. */
const FEATURE_SET = (() => {
  const all = FeatureSet.allEnabled();
  const ids = [...all.getActiveFeatures(), ...all.getInactiveFeatures()].sort(Buffer.compare);
  const hash = createHash('sha256');
  for (const id of ids) hash.update(id);
  return hash.digest().readUInt32LE(0);
})();
