import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Partner } from './partner.ts';
import { sealedWith } from './sealed-with.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/** What a member may do; each role includes the one before. An administrator invites and removes people without us. */
export const MEMBER_ROLES = ['developer', 'administrator'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** A person of a partner, who uses the partner workspace. Joined with the first sign-in. */
const PartnerMemberSchema = defineEntity({
  name: 'PartnerMember',
  indexes: [
    // an address signs in to one partner
    uniqueSqlIndex('partner_member_email', 'on partner_member (email) where revoked_at is null'),
  ],
  properties: {
    id: primaryId('mem'),
    partner: () => p.manyToOne(Partner).index(),
    name: p.string().length(120),
    /** In lower case. */
    email: p.string().length(254),
    role: p.enum(MEMBER_ROLES).default('developer'),
    /** `staff:…` or `member:…` */
    invitedBy: p.string().length(120),
    invitedAt: p.datetime(),
    /** From the commit of an invitation until a mail server accepted its e-mail. */
    invitationUnsent: p.boolean().default(false),
    /** The first sign-in; null until then. */
    joinedAt: p.datetime().nullable(),
    lastSignInAt: p.datetime().nullable(),
    /** Set by staff or an administrator: links and sessions are rejected from then on. */
    revokedAt: p.datetime().nullable(),
    /** Their identity at the partner's own provider, set by the first sign-in through it. */
    issuer: p.string().length(300).nullable(),
    subject: p.string().length(300).nullable(),
  },
});

export class PartnerMember extends PartnerMemberSchema.class {}
PartnerMemberSchema.setClass(PartnerMember);

export const MEMBER_STATES = ['invited', 'joined', 'revoked'] as const;

/** The state of a member of a partner. */
export function memberState({ revokedAt, joinedAt }: PartnerMember): (typeof MEMBER_STATES)[number] {
  if (revokedAt) return 'revoked';
  return joinedAt ? 'joined' : 'invited';
}

/** A partner's own OIDC provider, through which its members sign in. */
const PartnerProviderSchema = defineEntity({
  name: 'PartnerProvider',
  indexes: [
    sqlIndex(
      'partner_provider_sealed',
      'on partner_provider (sealed_with, secret_owner) where sealed_secret is not null',
    ),
  ],
  properties: {
    partner: () => p.oneToOne(Partner).primary(),
    /** As its discovery document names it. */
    issuer: p.string().length(300),
    clientId: p.string().length(300),
    /** The partner's id, as the sealed secret names it. */
    secretOwner: p.string().length(60).unique(),
    /** Null: we are a public client there. */
    sealedSecret: p.text().nullable().hidden(),
    sealedWith: sealedWith(),
    setAt: p.datetime(),
    /** `staff:…` */
    setBy: p.string().length(120),
  },
});

export class PartnerProvider extends PartnerProviderSchema.class {}
PartnerProviderSchema.setClass(PartnerProvider);
