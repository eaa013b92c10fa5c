import { defineEntity, p } from '@mikro-orm/core';
import type { Id } from '../platform/identifier/type-id.ts';
import { primaryId, TypeIdColumn } from '../platform/identifier/type-id-column.ts';
import { STAFF_ROLES } from '../platform/staff-role.ts';
import { sealedWith } from './sealed-with.ts';
import { sqlIndex } from './sql-index.ts';

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

/** A one-time sign-in link, valid for fifteen minutes, where no OIDC provider is configured. */
const StaffLinkSchema = defineEntity({
  name: 'StaffLink',
  properties: {
    secretHash: p.string().length(43).primary(),
    staff: () => p.manyToOne(Staff).index(),
    expiresAt: p.datetime().index(),
    usedAt: p.datetime().nullable(),
  },
});

export class StaffLink extends StaffLinkSchema.class {}
StaffLinkSchema.setClass(StaffLink);

/** A staff session in a browser: ends 30 minutes after its last use, and 12 hours after its start. */
const StaffSessionSchema = defineEntity({
  name: 'StaffSession',
  indexes: [
    sqlIndex('staff_session_sealed', 'on staff_session (sealed_with, secret_hash) where sealed_id_token is not null'),
  ],
  properties: {
    /** Hash of the secret in the browser's cookie. */
    secretHash: p.string().length(43).primary(),
    staff: () => p.manyToOne(Staff).index(),
    /** The last authentication, for step-up checks. Null where the provider sent no `auth_time`. */
    authenticatedAt: p.datetime().nullable(),
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime().index(),
    createdAt: p.datetime(),
    /** From where it was used last. */
    address: p.string().length(45).nullable(),
    /** The `User-Agent` of that use. */
    userAgent: p.string().length(300).nullable(),
    /** The IANA time zone that the browser named. */
    timeZone: p.string().length(60).nullable(),
    /** The provider's ID token, sealed, as the hint of its logout. Null for one-time links. */
    sealedIdToken: p.text().nullable().hidden(),
    sealedWith: sealedWith(),
  },
});

export class StaffSession extends StaffSessionSchema.class {}
StaffSessionSchema.setClass(StaffSession);

/** A sign-in in progress at the company's OIDC provider: ten minutes, one use. */
const StaffSignInSchema = defineEntity({
  name: 'StaffSignIn',
  properties: {
    stateHash: p.string().length(43).primary(),
    /** Hash of the secret in the cookie of the browser that started it. */
    browserHash: p.string().length(43),
    nonce: p.string().length(64),
    codeVerifier: p.string().length(128).hidden(),
    /** Path in the console to return to. */
    returnTo: p.text(),
    /** Who must authenticate again, for a step-up; null for an ordinary sign-in. */
    stepUpOf: p.type(new TypeIdColumn('stf')).$type<Id<'stf'>>().nullable(),
    startedAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});

export class StaffSignIn extends StaffSignInSchema.class {}
StaffSignInSchema.setClass(StaffSignIn);

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
