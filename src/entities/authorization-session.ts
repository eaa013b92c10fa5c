import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Fan } from './fan.ts';

/** Where a fan stands in the hosted login: forwards only, each step by one conditional update. */
export const SESSION_STEPS = ['phone', 'code', 'consent', 'done'] as const;

/** One run of the authorization endpoint: what the partner asked, and how far the fan has come. */
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
    /** Wrong codes so far, across resends and changes of number, with those that are being looked at. */
    wrongTries: p.integer().default(0),
    /** Codes that are being looked at. */
    triesUnderWay: p.integer().default(0),
    /** Codes sent so far, across changes of number. */
    codesSent: p.integer().default(0),
    /** The number (E.164) that a code was last asked for, and when: the same one has to wait. */
    askedPhone: p.string().length(16).nullable(),
    askedAt: p.datetime().nullable(),
    /** Set when the phone is verified. */
    fan: () => p.manyToOne(Fan).nullable().index(),
    authenticatedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});

export class AuthorizationSession extends AuthorizationSessionSchema.class {}
AuthorizationSessionSchema.setClass(AuthorizationSession);
