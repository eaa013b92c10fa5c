import { defineEntity, p } from '@mikro-orm/core';
import { Fan } from './fan.ts';

/** A fan's visit to the portal, from the right code or passkey on. */
const PortalSessionSchema = defineEntity({
  name: 'PortalSession',
  properties: {
    /** Of the cookie's secret, which is new after the sign-in. */
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
