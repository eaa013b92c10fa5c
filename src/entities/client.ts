import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { LOGO_KINDS } from '../platform/image/logo-image.ts';
import { MODES } from '../platform/mode.ts';
import { Partner } from './partner.ts';
import type { Simulation } from './simulation.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';
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
  indexes: [
    { properties: ['corsOrigins'], type: 'gin' },
    { properties: ['updatedAt', 'id'] },
    sqlIndex('client_by_name', 'on client (lower(name), id)'),
    sqlIndex('client_simulated', 'on client (id) where simulation is not null'),
    uniqueSqlIndex('client_sandbox_key', 'on client (sandbox_key_hash) where sandbox_key_hash is not null'),
  ],
  checks: [
    {
      name: 'client_simulated_in_sandbox',
      expression: "mode = 'sandbox' or simulation is null and sandbox_key_hash is null",
    },
  ],
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
    /** Address of the company's privacy page, which fans see when they consent; empty where there is none. */
    privacyUrl: p.string().length(2000).default(''),
    /** Addresses of the marketplaces that it sells on, base58; empty: on any (a sandbox client, or one from before there was the list). */
    marketplaces: p.array().default([]),
    /** Of a sandbox client: what the sandbox simulates for it. Null where nothing is. */
    simulation: p.json<Simulation>().nullable(),
    /** Seconds by which its clock for events is ahead (D-305). */
    eventsAhead: p.integer().generated("(coalesce(((simulation ->> 'advanced'::text))::integer, 0)) stored").nullable(),
    /** Of a sandbox client: hash of the key with which its developers arm failures. */
    sandboxKeyHash: p.string().length(43).nullable().hidden(),
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

/** The registration under review. Approval freezes a part of it (`client/describe-changes.ts`). */
export interface ReviewedRegistration {
  name: string;
  redirectUris: string[];
  scopes: string[];
  loopbackAnyPort: boolean;
  refreshRetryWindow: number;
  privacyUrl: string;
  marketplaces: string[];
}

export const REVIEW_DECISIONS = ['approved', 'rejected', 'withdrawn'] as const;

/** A review of a production client. One may be open per client. */
const ClientReviewSchema = defineEntity({
  name: 'ClientReview',
  indexes: [uniqueSqlIndex('client_review_one_open', 'on client_review (client_id) where decision is null')],
  properties: {
    id: primaryId('rev'),
    client: () => p.manyToOne(Client).index(),
    /** `staff:…`; may not decide. */
    submittedBy: p.string().length(120),
    submittedAt: p.datetime(),
    note: p.text(),
    /** As submitted or edited since. */
    registration: p.json<ReviewedRegistration>(),
    /** Actors who edited it since; they may not approve. */
    editors: p.array().default([]),
    decision: p.enum(REVIEW_DECISIONS).nullable(),
    decidedBy: p.string().length(120).nullable(),
    decidedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
  },
});

export class ClientReview extends ClientReviewSchema.class {}
ClientReviewSchema.setClass(ClientReview);

/** The logo that fans see with a client's name. Not in the client's row, which many calls read. */
const ClientLogoSchema = defineEntity({
  name: 'ClientLogo',
  properties: {
    client: () => p.oneToOne(Client).primary(),
    kind: p.enum(LOGO_KINDS),
    /** Pixels. */
    width: p.smallint(),
    height: p.smallint(),
    /** Bytes of the image. */
    size: p.integer(),
    /** SHA-256 of the image in base64url. */
    hash: p.string().length(43),
    image: p.blob().lazy(),
    setAt: p.datetime(),
  },
});

export class ClientLogo extends ClientLogoSchema.class {}
ClientLogoSchema.setClass(ClientLogo);
