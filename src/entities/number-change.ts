import { defineEntity, p } from '@mikro-orm/core';
import { PortalSession } from './portal-session.ts';

/** As the steps of a portal session: forwards only, by one conditional update. */
export const NUMBER_CHANGE_STEPS = ['code', 'done'] as const;

/** The new number that a fan is proving at the portal. */
const NumberChangeSchema = defineEntity({
  name: 'NumberChange',
  properties: {
    session: () => p.oneToOne(PortalSession).primary().deleteRule('cascade'),
    step: p.enum(NUMBER_CHANGE_STEPS).default('code'),
    /** E.164. */
    phone: p.string().length(16),
    /** The verification provider's. */
    reference: p.text().nullable(),
    resendAt: p.datetime(),
    codeExpiresAt: p.datetime(),
    /** The limits' places that the code has taken (`give-places-back.ts`). */
    places: p.json<Record<string, string>>().nullable(),
    /** Wrong codes across resends and changes of number, including codes being checked. */
    wrongTries: p.integer().default(0),
    /** Codes being checked. */
    triesUnderWay: p.integer().default(0),
    /** Codes requested, across changes of number. */
    codesSent: p.integer().default(0),
  },
});

export class NumberChange extends NumberChangeSchema.class {}
NumberChangeSchema.setClass(NumberChange);
