import { defineEntity, p } from '@mikro-orm/core';
import type { Uuid } from '../platform/identifier/type-id.ts';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Fan } from './fan.ts';
import { sqlIndex } from './sql-index.ts';

export const GRANT_MODES = ['all_current_future', 'selected'] as const;
export type GrantMode = (typeof GRANT_MODES)[number];

/** Why a grant ended. */
export const REVOCATION_REASONS = [
  'code_reuse',
  'refresh_token_reuse',
  'revoked_by_client',
  'revoked_by_staff',
  'revoked_by_fan',
  'sandbox_reset',
  /** Its last token had expired. */
  'expired',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** What a fan allowed a client in one login. Tokens refer to their grant and end with it. */
const ConsentGrantSchema = defineEntity({
  name: 'ConsentGrant',
  indexes: [
    { properties: ['client', 'id'] },
    sqlIndex(
      'consent_grant_selected',
      "on consent_grant (id) where mode = 'selected' and revoked_at is null and ticket_ids <> '{}'",
    ),
    sqlIndex('consent_grant_ends_after', 'on consent_grant (ends_after) where revoked_at is null'),
    sqlIndex('consent_grant_live', 'on consent_grant (id) where revoked_at is null'),
    sqlIndex('consent_grant_revoked', 'on consent_grant (revoked_at, id) where revoked_at is not null'),
  ],
  properties: {
    id: primaryId('grant'),
    fan: () => p.manyToOne(Fan).index(),
    client: () => p.manyToOne(Client),
    scope: p.text(),
    /** Allowed at the moment, in the order of `consentedActions`. */
    actions: p.array(),
    /** Allowed at consent: the fan may turn these off and on, and no others. */
    consentedActions: p.array(),
    mode: p.enum(GRANT_MODES),
    /** `uuid`s of the tickets of a `selected` grant; empty otherwise. */
    ticketIds: p.array().columnType('uuid[]').$type<Uuid[]>(),
    /** How the fan was authenticated, as in the session; null for grants made before this was stored. */
    amr: p.string().length(40).nullable(),
    createdAt: p.datetime(),
    /** Its last token expires at this time or later; from then on `end-expired-grants.ts` checks. */
    endsAfter: p.datetime(),
    revokedAt: p.datetime().nullable(),
    revokedReason: p.string().length(60).nullable(),
    /** When access was last taken away without its sales: a change that sets it ends none (`ended-access.ts`). */
    salesKeptAt: p.datetime().nullable(),
  },
});

export class ConsentGrant extends ConsentGrantSchema.class {}
ConsentGrantSchema.setClass(ConsentGrant);
