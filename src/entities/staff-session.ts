import { defineEntity, p } from '@mikro-orm/core';
import { Staff } from './staff.ts';

/** A staff session in a browser: ends 30 minutes after its last use, and 12 hours after its start. */
const StaffSessionSchema = defineEntity({
  name: 'StaffSession',
  properties: {
    /** Hash of the secret in the browser's cookie. */
    secretHash: p.string().length(43).primary(),
    staff: () => p.manyToOne(Staff).index(),
    /** The last authentication, for step-up checks. Null where the provider sent no `auth_time`. */
    authenticatedAt: p.datetime().nullable(),
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime().index(),
    createdAt: p.datetime(),
    /** The provider's ID token, sealed, as the hint of its logout. Null for one-time links. */
    sealedIdToken: p.text().nullable().hidden(),
  },
});

export class StaffSession extends StaffSessionSchema.class {}
StaffSessionSchema.setClass(StaffSession);
