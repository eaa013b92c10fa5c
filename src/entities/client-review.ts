import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Client } from './client.ts';
import { uniqueSqlIndex } from './sql-index.ts';

/** The registration under review. Approval freezes a part of it (`client/describe-changes.ts`). */
export interface ReviewedRegistration {
  name: string;
  redirectUris: string[];
  scopes: string[];
  loopbackAnyPort: boolean;
  refreshRetryWindow: number;
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
    /** Who edited it since; may not approve. */
    editors: p.array().default([]),
    decision: p.enum(REVIEW_DECISIONS).nullable(),
    decidedBy: p.string().length(120).nullable(),
    decidedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
  },
});

export class ClientReview extends ClientReviewSchema.class {}
ClientReviewSchema.setClass(ClientReview);
