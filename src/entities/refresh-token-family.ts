import { defineEntity, p } from '@mikro-orm/core';
import { Client } from './client.ts';
import { ConsentGrant } from './consent-grant.ts';

/**
 * A refresh token and all its rotations: one row that each rotation updates in place. The token is a handle, which
 * stays and finds the row, and a secret, which changes: a right handle with a secret that is not the current one can
 * only be a token that was rotated away.
 */
const RefreshTokenFamilySchema = defineEntity({
  name: 'RefreshTokenFamily',
  properties: {
    handleHash: p.string().length(43).primary(),
    secretHash: p.string().length(43),
    previousSecretHash: p.string().length(43).nullable(),
    rotatedAt: p.datetime().nullable(),
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
