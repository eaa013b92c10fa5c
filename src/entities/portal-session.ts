import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';

/** A fan's visit to the portal, which begins with the right code or passkey. */
const PortalSessionSchema = defineEntity({
  name: 'PortalSession',
  properties: {
    /** Hash of the cookie's secret, which the sign-in replaces. */
    secretHash: p.string().length(43).primary(),
    fan: () => p.manyToOne(Fan).deleteRule('cascade').index(),
    authenticatedAt: p.datetime(),
    createdAt: p.datetime(),
    /** Extended by every call. */
    expiresAt: p.datetime().index(),
  },
});

export class PortalSession extends PortalSessionSchema.class {}
PortalSessionSchema.setClass(PortalSession);
