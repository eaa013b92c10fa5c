import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from './mode.ts';

/** The Solana cluster of a mode: which one it was when we last spoke to it, and how far its history has been read. */
const ChainClusterSchema = defineEntity({
  name: 'ChainCluster',
  properties: {
    mode: p.enum(MODES).primary(),
    genesisHash: p.string().length(44),
    /** The newest transaction of our program that reconciling has taken in, base58; null before the first. */
    lastSignature: p.string().length(88).nullable(),
    /** The slot of that transaction. */
    lastSlot: p.bigint().nullable(),
  },
});

export class ChainCluster extends ChainClusterSchema.class {}
ChainClusterSchema.setClass(ChainCluster);
