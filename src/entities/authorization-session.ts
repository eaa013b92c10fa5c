import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Fan } from './fan.ts';

/**
 * Steps of the hosted login, each by one conditional update: forwards only, but for "Not you?" from consent to phone. At
 * `continuity` the number is proved, but not that its account is this fan's.
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
    /** Set when the fan is known: the phone is verified, or a passkey. */
    fan: () => p.manyToOne(Fan).nullable().index(),
    authenticatedAt: p.datetime().nullable(),
    /** How: values of RFC 8176 with spaces between them. */
    amr: p.string().length(40).nullable(),
    /** The code that the fan's consent made. */
    codeHash: p.string().length(43).nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});

export class AuthorizationSession extends AuthorizationSessionSchema.class {}
AuthorizationSessionSchema.setClass(AuthorizationSession);
