import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Fan } from './fan.ts';

/** A WebAuthn credential with which a fan signs in without a code. */
const PasskeySchema = defineEntity({
  name: 'Passkey',
  properties: {
    id: primaryId('pky'),
    fan: () => p.manyToOne(Fan).deleteRule('cascade').index(),
    /** The authenticator's, base64url. */
    credentialId: p.string().length(1400).unique(),
    /** COSE, base64url. */
    publicKey: p.text(),
    /** The authenticator's count of signatures; always 0 for passkeys that several devices share. */
    counter: p.bigint('number'),
    /** How browsers reach it, such as `internal`. */
    transports: p.array(),
    /** The RP ID: the host of the login pages when it was made. */
    rpId: p.string().length(253),
    /** The browser and system in which it was made, as people read them. */
    name: p.string().length(80),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  },
});

export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);

export const PASSKEY_PURPOSES = ['sign_in', 'continuity', 'register'] as const;
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number];

/** The last challenge of each sign-in or visit that a browser is to sign. The call that uses it deletes the row. */
const PasskeyChallengeSchema = defineEntity({
  name: 'PasskeyChallenge',
  properties: {
    /** The sign-in or portal visit that it was given to. */
    owner: p.string().length(64).primary(),
    purpose: p.enum(PASSKEY_PURPOSES),
    /** Base64url. */
    challenge: p.string().length(43),
    expiresAt: p.datetime().index(),
  },
});

export class PasskeyChallenge extends PasskeyChallengeSchema.class {}
PasskeyChallengeSchema.setClass(PasskeyChallenge);
