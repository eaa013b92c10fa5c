import { defineEntity, p } from '@mikro-orm/core';

/** `custody`: the keys of wallets, authorities and payers; `secrets`: everything else that is sealed. */
export const KEY_PURPOSES = ['secrets', 'custody'] as const;
export type KeyPurpose = (typeof KEY_PURPOSES)[number];

/** A key that seals secrets here, `KEY_ENCRYPTION_KEY` or one of a key service: its id and its history, never the key. */
const EncryptionKeySchema = defineEntity({
  name: 'EncryptionKey',
  properties: {
    purpose: p.enum(KEY_PURPOSES).primary(),
    /** As in `sealed_with`. */
    id: p.string().length(32).primary(),
    /** When a process first sealed with it. Rows are re-encrypted for the newest of the purpose. */
    since: p.datetime(),
    /** Set once no row needs it and no process has it as fallback. It seals nothing from then on. */
    retiredAt: p.datetime().nullable(),
  },
});

export class EncryptionKey extends EncryptionKeySchema.class {}
EncryptionKeySchema.setClass(EncryptionKey);
