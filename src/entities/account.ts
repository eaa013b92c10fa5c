import { defineEntity, p } from '@mikro-orm/core';
import type { Id, Uuid } from '../platform/identifier/type-id.ts';
import { TypeIdColumn } from '../platform/identifier/type-id-column.ts';
import { sealedWith } from './sealed-with.ts';
import { sqlIndex } from './sql-index.ts';

/** Who signs in to a console: staff, and members of partners. */
export const AUDIENCES = ['staff', 'member'] as const;
export type Audience = (typeof AUDIENCES)[number];

/** A member of staff or of a partner: the `uuid` under its identifier, which is unique only together with the audience. */
const account = () => ({ audience: p.enum(AUDIENCES), accountId: p.uuid().$type<Uuid>() });

export const LINK_KINDS = ['invitation', 'sign_in'] as const;

/** A one-time link: it signs in the person who opens it. */
const AccountLinkSchema = defineEntity({
  name: 'AccountLink',
  indexes: [{ properties: ['accountId'] }],
  properties: {
    secretHash: p.string().length(43).primary(),
    ...account(),
    kind: p.enum(LINK_KINDS),
    /** Hash of the secret in the cookie of the browser that asked for it; null where any browser may use it. */
    browserHash: p.string().length(43).nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
    usedAt: p.datetime().nullable(),
  },
});

export class AccountLink extends AccountLinkSchema.class {}
AccountLinkSchema.setClass(AccountLink);

/** A session in a browser: ends some time after its last use, and at the latest 12 hours after its start. */
const AccountSessionSchema = defineEntity({
  name: 'AccountSession',
  indexes: [
    { properties: ['accountId'] },
    sqlIndex(
      'account_session_sealed',
      'on account_session (sealed_with, secret_hash) where sealed_id_token is not null',
    ),
  ],
  properties: {
    /** Hash of the secret in the browser's cookie. */
    secretHash: p.string().length(43).primary(),
    ...account(),
    /** The last authentication, for step-up checks. Null where the provider sent no `auth_time`. */
    authenticatedAt: p.datetime().nullable(),
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime().index(),
    createdAt: p.datetime(),
    /** The network address of its last use. */
    address: p.string().length(45).nullable(),
    /** The `User-Agent` of that use. */
    userAgent: p.string().length(300).nullable(),
    /** The IANA time zone that the browser named. */
    timeZone: p.string().length(60).nullable(),
    /** The provider's ID token, sealed, for the `id_token_hint` of its logout. Null without one. */
    sealedIdToken: p.text().nullable().hidden(),
    sealedWith: sealedWith(),
  },
});

export class AccountSession extends AccountSessionSchema.class {}
AccountSessionSchema.setClass(AccountSession);

/** A sign-in in progress at an OIDC provider, of the company or of a partner. One use. */
const ProviderSignInSchema = defineEntity({
  name: 'ProviderSignIn',
  properties: {
    stateHash: p.string().length(43).primary(),
    audience: p.enum(AUDIENCES),
    /** The provider's partner; null for the company's provider. */
    partnerId: p.type(new TypeIdColumn('ptn')).$type<Id<'ptn'>>().nullable().index(),
    /** Hash of the secret in the cookie of the browser that started it. */
    browserHash: p.string().length(43),
    /** The provider's issuer at the start: a change of provider ends the sign-in. */
    issuer: p.string().length(300),
    nonce: p.string().length(64),
    codeVerifier: p.string().length(128).hidden(),
    /** Path in the console to return to. */
    returnTo: p.text(),
    /** The member of staff who must authenticate again, for a step-up; null for an ordinary sign-in. */
    stepUpOf: p.type(new TypeIdColumn('stf')).$type<Id<'stf'>>().nullable(),
    startedAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});

export class ProviderSignIn extends ProviderSignInSchema.class {}
ProviderSignInSchema.setClass(ProviderSignIn);
