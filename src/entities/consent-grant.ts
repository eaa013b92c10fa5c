import { defineEntity, p } from '@mikro-orm/core';
import type { Uuid } from '../identifier/type-id.ts';
import { primaryId } from '../identifier/type-id-column.ts';
import { Client } from './client.ts';
import { Fan } from './fan.ts';
import { sqlIndex } from './sql-index.ts';

export const GRANT_MODES = ['all_current_future', 'selected'] as const;
export type GrantMode = (typeof GRANT_MODES)[number];

/** What a fan allowed a client in one login. Tokens refer to their grant and end with it. */
const ConsentGrantSchema = defineEntity({
  name: 'ConsentGrant',
  indexes: [
    sqlIndex(
      'consent_grant_selected',
      "on consent_grant (id) where mode = 'selected' and revoked_at is null and ticket_ids <> '{}'",
    ),
  ],
  properties: {
    id: primaryId('grant'),
    fan: () => p.manyToOne(Fan).index(),
    client: () => p.manyToOne(Client).index(),
    scope: p.text(),
    actions: p.array(),
    mode: p.enum(GRANT_MODES),
    /** `uuid`s of the tickets of a `selected` grant; empty otherwise. */
    ticketIds: p.array().columnType('uuid[]').$type<Uuid[]>(),
    createdAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
    revokedReason: p.string().length(60).nullable(),
  },
});

export class ConsentGrant extends ConsentGrantSchema.class {}
ConsentGrantSchema.setClass(ConsentGrant);
