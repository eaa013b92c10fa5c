import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';

/** Each role has the rights of those before it (`staff/rights.ts`). */
export const STAFF_ROLES = ['support', 'reviewer', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

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
