import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from '../platform/mode.ts';

/** What a number is proved for: a sign-in to an app, a visit to the portal, a fan's new number. */
export const CHALLENGE_PURPOSES = ['login', 'portal', 'number_change'] as const;
export type ChallengePurpose = (typeof CHALLENGE_PURPOSES)[number];

/**
 * At `phone` no code was sent yet, at `code` one may be entered. The right one leads to `done`, or to `continuity` where the number's
 * account may be another person's.
 */
export const CHALLENGE_STEPS = ['phone', 'code', 'continuity', 'done'] as const;

/** The phone number under verification, replaced by a resend or another number, and its counters. */
const PhoneChallengeSchema = defineEntity({
  name: 'PhoneChallenge',
  properties: {
    purpose: p.enum(CHALLENGE_PURPOSES).primary(),
    /** The `uuid` of the authorization session, or the hash of the secret in the portal's cookie. */
    owner: p.string().length(43).primary(),
    step: p.enum(CHALLENGE_STEPS).default('phone'),
    /** Sandbox for a test user's number, otherwise production. */
    mode: p.enum(MODES),
    /** E.164. Null until a code was sent. */
    phone: p.string().length(16).nullable(),
    /** The reference of the verification provider; null in sandbox, and where nothing was sent because no fan has the number. */
    reference: p.text().nullable(),
    resendAt: p.datetime().nullable(),
    /** End of the code; at `continuity` of the portal, end of the visit. */
    expiresAt: p.datetime().index(),
    /** The counts that the code has added to limits (`givePlacesBack`). */
    places: p.json<Record<string, string>>().nullable(),
    /** Wrong codes and passkeys across resends and changes of number, including those being checked. */
    wrongTries: p.integer().default(0),
    /** Codes being checked. */
    triesUnderWay: p.integer().default(0),
    /** Codes asked for, across changes of number. */
    codesSent: p.integer().default(0),
    /** The number (E.164) of the last request for a code, and its time, for the resend pause. */
    askedPhone: p.string().length(16).nullable(),
    askedAt: p.datetime().nullable(),
  },
});

export class PhoneChallenge extends PhoneChallengeSchema.class {}
PhoneChallengeSchema.setClass(PhoneChallenge);

/** The last code for a number, for the development inbox. Not written in production. */
const InboxMessageSchema = defineEntity({
  name: 'InboxMessage',
  properties: {
    /** E.164. */
    phone: p.string().length(16).primary(),
    code: p.string().length(10),
    sentAt: p.datetime(),
  },
});

export class InboxMessage extends InboxMessageSchema.class {}
InboxMessageSchema.setClass(InboxMessage);
