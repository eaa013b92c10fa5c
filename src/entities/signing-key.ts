import { defineEntity, p } from '@mikro-orm/core';
import type { JWK } from 'jose';
import { Client } from './client.ts';
import { sealedWith } from './sealed-with.ts';
import { uniqueSqlIndex } from './sql-index.ts';

/** `next` is published but does not sign yet; `retiring` is published but signs no more; `gone` is history. */
export const SIGNING_KEY_STATES = ['next', 'current', 'retiring', 'gone'] as const;

/** An RS256 key of the issuer. */
const SigningKeySchema = defineEntity({
  name: 'SigningKey',
  indexes: [uniqueSqlIndex('signing_key_one_current', "on signing_key (state) where state in ('current', 'next')")],
  properties: {
    /** RFC 7638 thumbprint. */
    kid: p.string().length(43).primary(),
    publicJwk: p.json<JWK>(),
    /** The private key, sealed (`keys/seal.ts`); null once the key is gone. */
    sealedKey: p.text().nullable().hidden(),
    sealedWith: sealedWith(),
    state: p.enum(SIGNING_KEY_STATES),
    createdAt: p.datetime(),
    activatedAt: p.datetime().nullable(),
    retiredAt: p.datetime().nullable(),
    /** The sandbox client whose tokens alone it signs and verifies (D-303); null: those of all. */
    client: () => p.manyToOne(Client).nullable().deleteRule('cascade'),
    /** Before this it is not in the JWKS; null: from its creation on. */
    publishedAt: p.datetime().nullable(),
  },
});

export class SigningKey extends SigningKeySchema.class {}
SigningKeySchema.setClass(SigningKey);
