import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { MODES } from './mode.ts';
import { Partner } from './partner.ts';
import { clientStopped } from './stopped.ts';

/** `draft -> sandbox-ready` in sandbox; `draft -> in_review -> approved -> enabled -> suspended` (or `rejected`) in production. */
export const CLIENT_STATUSES = [
  'draft',
  'sandbox-ready',
  'in_review',
  'approved',
  'enabled',
  'suspended',
  'rejected',
] as const;

/** A public OAuth client (no secret), whose mode never changes. */
const ClientSchema = defineEntity({
  name: 'Client',
  indexes: [{ properties: ['corsOrigins'], type: 'gin' }],
  properties: {
    id: primaryId('client'),
    partner: () => p.manyToOne(Partner).index(),
    name: p.string().length(120),
    mode: p.enum(MODES),
    status: p.enum(CLIENT_STATUSES),
    redirectUris: p.array(),
    scopes: p.array(),
    /** Origins of the redirect URIs, stored so that one query answers a CORS preflight. */
    corsOrigins: p.array(),
    /** RFC 8252 §7.3: redirect URIs on 127.0.0.1 and [::1] match with any port. */
    loopbackAnyPort: p.boolean().default(false),
    /** Seconds during which a rotated refresh token still gets its successor; 0 turns it off. */
    refreshRetryWindow: p.integer().default(0),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    version: p.integer().version(),
    /** Whether a kill switch stops it; read only with `populate: ['stopped']`. */
    stopped: p
      .boolean()
      .formula((columns) => `exists (${clientStopped(String(columns.id))})`)
      .lazy()
      .nullable(),
  },
});

export class Client extends ClientSchema.class {}
ClientSchema.setClass(Client);
