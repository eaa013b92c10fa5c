import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { STAFF_ROLES } from '../platform/staff-role.ts';

/** The issuer of staff who sign in with one-time links. */
export const LOCAL_ISSUER = 'local';

/** A user of the admin console. */
const StaffSchema = defineEntity({
  name: 'Staff',
  uniques: [{ properties: ['issuer', 'subject'] }],
  properties: {
    id: primaryId('stf'),
    /** Issuer of the company's OIDC provider; `local` for staff with one-time links. */
    issuer: p.string().length(300),
    /** `sub` at that issuer. */
    subject: p.string().length(300),
    name: p.string().length(200),
    email: p.string().length(320).nullable(),
    /** From the groups of the last sign-in. */
    role: p.enum(STAFF_ROLES),
    createdAt: p.datetime(),
    lastSignInAt: p.datetime().nullable(),
    /** Set by an admin: sessions and tokens are then rejected. */
    disabledAt: p.datetime().nullable(),
  },
});

export class Staff extends StaffSchema.class {}
StaffSchema.setClass(Staff);

/** A staff member's access token for the GraphQL API: shown once, stored as its hash. */
const StaffTokenSchema = defineEntity({
  name: 'StaffToken',
  properties: {
    id: primaryId('stk'),
    staff: () => p.manyToOne(Staff).index(),
    name: p.string().length(120),
    secretHash: p.string().length(43).unique(),
    /** Names of rights (`partners/rights.ts`); only those that the owner's role still has count. */
    scopes: p.array(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    /** To the minute. */
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
});

export class StaffToken extends StaffTokenSchema.class {}
StaffTokenSchema.setClass(StaffToken);
