import { defineEntity, p } from '@mikro-orm/core';
import { AuthorizationSession } from './authorization-session.ts';

/** The phone number under verification in a session, replaced by a resend or another number. */
const PhoneChallengeSchema = defineEntity({
  name: 'PhoneChallenge',
  properties: {
    session: () => p.oneToOne(AuthorizationSession).primary().deleteRule('cascade'),
    /** E.164. */
    phone: p.string().length(16),
    /** The verification provider's reference; null in sandbox, where the test user's code decides. */
    reference: p.text().nullable(),
    resendAt: p.datetime(),
    expiresAt: p.datetime(),
    /** The limits' places that the code has taken (`give-places-back.ts`). */
    places: p.json<Record<string, string>>().nullable(),
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
