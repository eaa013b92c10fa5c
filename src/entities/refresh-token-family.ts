import { defineEntity, p } from '@mikro-orm/core';
import { Client } from './client.ts';
import { ConsentGrant } from './consent-grant.ts';

/**
 * A refresh token and its rotations, which update the row in place. The handle in the token identifies the row and stays; the secret
 * changes, so a known handle with another secret is a rotated token.
 */
const RefreshTokenFamilySchema = defineEntity({
  name: 'RefreshTokenFamily',
  properties: {
    handleHash: p.string().length(43).primary(),
    secretHash: p.string().length(43),
    previousSecretHash: p.string().length(43).nullable(),
    rotatedAt: p.datetime().nullable(),
    /** The request that made the last rotation; null for a job or a command. */
    rotatedIn: p.uuid().nullable(),
    client: () => p.manyToOne(Client),
    grant: () => p.manyToOne(ConsentGrant).index(),
    authenticatedAt: p.datetime(),
    /** Counted from consent, never extended. */
    expiresAt: p.datetime().index(),
    revokedAt: p.datetime().nullable(),
  },
});

export class RefreshTokenFamily extends RefreshTokenFamilySchema.class {}
RefreshTokenFamilySchema.setClass(RefreshTokenFamily);
