import { defineEntity, p } from '@mikro-orm/core';
import { Staff } from './staff.ts';

/** A signed-in browser of a member of staff: ends 30 minutes after its last use and 12 hours after its beginning. */
const StaffSessionSchema = defineEntity({
  name: 'StaffSession',
  properties: {
    /** Hash of the secret in the browser's cookie. */
    secretHash: p.string().length(43).primary(),
    staff: () => p.manyToOne(Staff).index(),
    /**
     * The last time the person proved who they are: steps up what asks for a fresh sign-in. Null where the provider did
     * not say when that was.
     */
    authenticatedAt: p.datetime().nullable(),
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime().index(),
    createdAt: p.datetime(),
    /** The provider's ID token, sealed: its logout wants it as a hint. Null for one-time links. */
    sealedIdToken: p.text().nullable().hidden(),
  },
});

export class StaffSession extends StaffSessionSchema.class {}
StaffSessionSchema.setClass(StaffSession);
