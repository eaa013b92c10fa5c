import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';
import { MODES } from './mode.ts';

/** Forwards only, each step by one conditional update. There is no row before the first code is asked for. */
export const PORTAL_STEPS = ['code', 'open'] as const;

/**
 * A fan's visit to the portal: the phone under verification, then the verified fan. No partner and no authorization belong to
 * it. The browser knows it by a secret in its cookie, which changes when the phone is verified.
 */
const PortalSessionSchema = defineEntity({
  name: 'PortalSession',
  properties: {
    secretHash: p.string().length(43).primary(),
    step: p.enum(PORTAL_STEPS).default('code'),
    /** E.164. */
    phone: p.string().length(16),
    /** Of the fan whom the number would belong to: sandbox for a test user's, else production. */
    mode: p.enum(MODES),
    /** The verification provider's; null in sandbox, and where nothing was sent because the number is nobody's. */
    reference: p.text().nullable(),
    resendAt: p.datetime(),
    codeExpiresAt: p.datetime(),
    /** Wrong codes so far, across resends and changes of number, with those that are being looked at. */
    wrongTries: p.integer().default(0),
    /** Codes that are being looked at. */
    triesUnderWay: p.integer().default(0),
    /** Codes asked for so far, across changes of number. */
    codesSent: p.integer().default(0),
    /** Set when the phone is verified. */
    fan: () => p.manyToOne(Fan).nullable().index(),
    authenticatedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Moves on with every call once the phone is verified. */
    expiresAt: p.datetime().index(),
  },
});

export class PortalSession extends PortalSessionSchema.class {}
PortalSessionSchema.setClass(PortalSession);
