import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';
import { sealedWith } from './sealed-with.ts';

/** The custodial Solana wallet of a fan. */
const WalletSchema = defineEntity({
  name: 'Wallet',
  // so that re-encryption finds the remaining rows, however many are done
  indexes: [{ properties: ['sealedWith', 'address'] }],
  properties: {
    /** Ed25519 public key in base58. */
    address: p.string().length(44).primary(),
    fan: () => p.oneToOne(Fan).owner(),
    /** The private key, sealed (`keys/seal.ts`). */
    sealedKey: p.text().hidden(),
    sealedWith: sealedWith(),
    createdAt: p.datetime(),
  },
});

export class Wallet extends WalletSchema.class {}
WalletSchema.setClass(Wallet);
