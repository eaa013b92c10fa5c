import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from '../platform/mode.ts';
import { sealedWith } from './sealed-with.ts';

/** The Solana cluster of a mode, and how far its history has been read. */
const ChainClusterSchema = defineEntity({
  name: 'ChainCluster',
  properties: {
    mode: p.enum(MODES).primary(),
    genesisHash: p.string().length(44),
    /** The newest reconciled transaction of our program, base58; null before the first. */
    lastSignature: p.string().length(88).nullable(),
    /** The slot of that transaction. */
    lastSlot: p.bigint().nullable(),
  },
});

export class ChainCluster extends ChainClusterSchema.class {}
ChainClusterSchema.setClass(ChainCluster);

/**
 * `authority` co-signs listings and provisions; `payer` only pays the fees of our own transactions. During a rotation `next_authority`
 * waits until the program names it. Then it becomes `authority`, and the previous one `former_authority`.
 */
export const CHAIN_KEY_ROLES = ['authority', 'payer', 'next_authority', 'former_authority'] as const;
export type ChainKeyRole = (typeof CHAIN_KEY_ROLES)[number];

/** A Solana key of the service itself, one per mode and role. */
const ChainKeySchema = defineEntity({
  name: 'ChainKey',
  properties: {
    mode: p.enum(MODES).primary(),
    role: p.enum(CHAIN_KEY_ROLES).primary(),
    /** Ed25519 public key in base58. */
    address: p.string().length(44).unique(),
    /** The 32-byte seed, sealed (`keys/seal.ts`). */
    sealedKey: p.text().hidden(),
    sealedWith: sealedWith(),
    createdAt: p.datetime(),
  },
});

export class ChainKey extends ChainKeySchema.class {}
ChainKeySchema.setClass(ChainKey);
