import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';

/** The custodial Solana wallet of a fan. */
const WalletSchema = defineEntity({
  name: 'Wallet',
  properties: {
    /** Ed25519 public key in base58. */
    address: p.string().length(44).primary(),
    fan: () => p.oneToOne(Fan).owner(),
    /** The private key, sealed (`keys/seal.ts`). */
    sealedKey: p.text().hidden(),
    createdAt: p.datetime(),
  },
});

export class Wallet extends WalletSchema.class {}
WalletSchema.setClass(Wallet);
