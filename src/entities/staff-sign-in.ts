import { defineEntity, p } from '@mikro-orm/core';
import type { Id } from '../identifier/type-id.ts';
import { TypeIdColumn } from '../identifier/type-id-column.ts';

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
