import { defineEntity, p } from '@mikro-orm/core';
import { ConsentGrant } from './consent-grant.ts';
import { Permit } from './permit.ts';

/** A listing transaction that we co-signed. Signing the same message again adds no row. */
const ListingSignatureSchema = defineEntity({
  name: 'ListingSignature',
  properties: {
    /** SHA-256 of the message, base64url. */
    messageHash: p.string().length(43).primary(),
    permit: () => p.manyToOne(Permit).index(),
    grant: () => p.manyToOne(ConsentGrant).index(),
    action: p.enum(['list', 'cancel'] as const),
    /** A description of what was signed. */
    sentence: p.text(),
    signedAt: p.datetime().index(),
  },
});

export class ListingSignature extends ListingSignatureSchema.class {}
ListingSignatureSchema.setClass(ListingSignature);
