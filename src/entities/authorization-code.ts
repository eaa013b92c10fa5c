import { defineEntity, p } from '@mikro-orm/core';
import { Client } from './client.ts';
import { ConsentGrant } from './consent-grant.ts';

/** An authorization code: valid for 60 seconds and one use. */
const AuthorizationCodeSchema = defineEntity({
  name: 'AuthorizationCode',
  properties: {
    hash: p.string().length(43).primary(),
    client: () => p.manyToOne(Client),
    grant: () => p.manyToOne(ConsentGrant).index(),
    redirectUri: p.text(),
    codeChallenge: p.string().length(43),
    nonce: p.text().nullable(),
    authenticatedAt: p.datetime(),
    expiresAt: p.datetime().index(),
    usedAt: p.datetime().nullable(),
    /** The request that used it; null for a job or a command. */
    usedIn: p.uuid().nullable(),
  },
});

export class AuthorizationCode extends AuthorizationCodeSchema.class {}
AuthorizationCodeSchema.setClass(AuthorizationCode);
