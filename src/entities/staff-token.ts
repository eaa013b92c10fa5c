import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Staff } from './staff.ts';

/** An access token of a member of staff for automation over the GraphQL API: shown once, stored as its hash. */
const StaffTokenSchema = defineEntity({
  name: 'StaffToken',
  properties: {
    id: primaryId('stk'),
    staff: () => p.manyToOne(Staff).index(),
    name: p.string().length(120),
    secretHash: p.string().length(43).unique(),
    /** Names of rights (`staff/rights.ts`); what the owner's role no longer has does not count. */
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
