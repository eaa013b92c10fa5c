import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from '../platform/mode.ts';
import { Fan } from './fan.ts';

/**
 * Forwards only, each step by one conditional update. The row is created with the first request for a code, or by a passkey.
 * At `continuity` the number is proved, but not that its account is this fan's.
 */
export const PORTAL_STEPS = ['code', 'continuity', 'open'] as const;

/** A fan's portal session: the phone under verification, then the verified fan. The cookie's secret changes when the phone is verified. */
const PortalSessionSchema = defineEntity({
  name: 'PortalSession',
  properties: {
    secretHash: p.string().length(43).primary(),
    step: p.enum(PORTAL_STEPS).default('code'),
    /** E.164, under verification; null where a passkey opened the portal. */
    phone: p.string().length(16).nullable(),
    /** Sandbox for a test user's number, else production. */
    mode: p.enum(MODES),
    /** The verification provider's; null in sandbox, and where nothing was sent because no fan has the number. */
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
    /** Set when the fan is known: the phone is verified, or a passkey. */
    fan: () => p.manyToOne(Fan).nullable().index(),
    authenticatedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Extended by every call once the phone is verified. */
    expiresAt: p.datetime().index(),
  },
});

export class PortalSession extends PortalSessionSchema.class {}
PortalSessionSchema.setClass(PortalSession);
