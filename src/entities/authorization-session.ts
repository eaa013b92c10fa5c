import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Fan } from './fan.ts';

/**
 * Steps of the hosted login, each taken by one conditional update. Only "Not you?" goes back, from consent to phone. At `continuity` the
 * fan has proved the number, but not that its account is theirs.
 */
export const SESSION_STEPS = ['phone', 'code', 'continuity', 'consent', 'done'] as const;

/** An authorization request and the fan's progress in the hosted login. */
const AuthorizationSessionSchema = defineEntity({
  name: 'AuthorizationSession',
  indexes: [{ properties: ['browserHash', 'createdAt'] }],
  properties: {
    id: primaryId('sess'),
    client: () => p.manyToOne(Client).index(),
    /** Hash of the secret in the cookie of the browser that started it. */
    browserHash: p.string().length(43),
    redirectUri: p.text(),
    scope: p.text(),
    state: p.text(),
    codeChallenge: p.string().length(43),
    nonce: p.text().nullable(),
    loginHint: p.text().nullable(),
    uiLocales: p.text().nullable(),
    step: p.enum(SESSION_STEPS).default('phone'),
    /** Set once a phone number or a passkey was verified. */
    fan: () => p.manyToOne(Fan).nullable().index(),
    authenticatedAt: p.datetime().nullable(),
    /** The authentication methods: values of RFC 8176, separated by spaces. */
    amr: p.string().length(40).nullable(),
    /** Hash of the authorization code that the consent issued. */
    codeHash: p.string().length(43).nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});

export class AuthorizationSession extends AuthorizationSessionSchema.class {}
AuthorizationSessionSchema.setClass(AuthorizationSession);
