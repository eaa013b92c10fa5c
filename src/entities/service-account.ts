import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';

/** A machine that uses the console's API: the company's own systems. It is no person, and signs in nowhere. */
const ServiceAccountSchema = defineEntity({
  name: 'ServiceAccount',
  properties: {
    id: primaryId('sva'),
    name: p.string().length(120),
    /** Names of rights, of `SERVICE_RIGHTS` (`partners/rights.ts`). */
    scopes: p.array(),
    /** Calls per minute and process. */
    callsPerMinute: p.integer(),
    createdAt: p.datetime(),
    /** Disabled for good: its tokens are refused. */
    disabledAt: p.datetime().nullable(),
    tokens: () => p.oneToMany(ServiceToken).mappedBy('account'),
  },
});

export class ServiceAccount extends ServiceAccountSchema.class {}
ServiceAccountSchema.setClass(ServiceAccount);

/** A token of a service account: shown once, stored as its hash. Two are valid while the account changes from one to the other. */
const ServiceTokenSchema = defineEntity({
  name: 'ServiceToken',
  properties: {
    id: primaryId('svt'),
    account: () => p.manyToOne(ServiceAccount).index(),
    secretHash: p.string().length(43).unique(),
    createdAt: p.datetime(),
    /** Brought forward by a rotation, or by disabling the account. */
    expiresAt: p.datetime(),
    /** To the minute. */
    lastUsedAt: p.datetime().nullable(),
  },
});

export class ServiceToken extends ServiceTokenSchema.class {}
ServiceTokenSchema.setClass(ServiceToken);
