import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Client } from './client.ts';

/** What a review looks at. Approval freezes a part of it (`client/describe-changes.ts`). */
export interface ReviewedRegistration {
  name: string;
  redirectUris: string[];
  scopes: string[];
  loopbackAnyPort: boolean;
  refreshRetryWindow: number;
}

export const REVIEW_DECISIONS = ['approved', 'rejected', 'withdrawn'] as const;

/** A production client's way through review: who asked, with what, and who decided. One may be open per client. */
const ClientReviewSchema = defineEntity({
  name: 'ClientReview',
  indexes: [
    {
      name: 'client_review_one_open',
      expression: 'create unique index client_review_one_open on client_review (client_id) where decision is null',
    },
  ],
  properties: {
    id: primaryId('rev'),
    client: () => p.manyToOne(Client).index(),
    /** `staff:…`; may not be who decides. */
    submittedBy: p.string().length(120),
    submittedAt: p.datetime(),
    note: p.text(),
    /** The registration as it was submitted or edited since: what the decision is about. */
    registration: p.json<ReviewedRegistration>(),
    /** Who edited it since; may not be who approves. */
    editors: p.array().default([]),
    decision: p.enum(REVIEW_DECISIONS).nullable(),
    decidedBy: p.string().length(120).nullable(),
    decidedAt: p.datetime().nullable(),
    reason: p.text().nullable(),
  },
});

export class ClientReview extends ClientReviewSchema.class {}
ClientReviewSchema.setClass(ClientReview);
