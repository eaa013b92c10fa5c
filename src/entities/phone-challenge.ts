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
  },
});

export class PhoneChallenge extends PhoneChallengeSchema.class {}
PhoneChallengeSchema.setClass(PhoneChallenge);
