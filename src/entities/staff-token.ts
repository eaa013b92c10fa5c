import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Staff } from './staff.ts';

/** A staff member's access token for the GraphQL API: shown once, stored as its hash. */
const StaffTokenSchema = defineEntity({
  name: 'StaffToken',
  properties: {
    id: primaryId('stk'),
    staff: () => p.manyToOne(Staff).index(),
    name: p.string().length(120),
    secretHash: p.string().length(43).unique(),
    /** Names of rights (`staff/rights.ts`); only those that the owner's role still has count. */
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
