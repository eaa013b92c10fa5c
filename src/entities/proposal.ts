import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/** Each may be proposed by one member of staff and approved by another (`proposal/kinds.ts`). */
export const PROPOSAL_KIND_NAMES = [
  'permit.move_out',
  'fan.reopen',
  'fan.number_change',
  'fan.copy',
  'fan.deletion',
  'inventory.rows',
] as const;
export type ProposalKindName = (typeof PROPOSAL_KIND_NAMES)[number];

/** `proposed -> approved -> done | failed`; `proposed -> declined | withdrawn | expired`. */
export const PROPOSAL_STATES = ['proposed', 'approved', 'done', 'failed', 'declined', 'withdrawn', 'expired'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** What one member of staff proposes and another one decides. Of a kind, one may be open per subject. */
const ProposalSchema = defineEntity({
  name: 'Proposal',
  indexes: [
    uniqueSqlIndex('proposal_one_open', `on proposal (kind, subject) where state in ('proposed', 'approved')`),
    sqlIndex('proposal_open', `on proposal (expires_at) where state in ('proposed', 'approved')`),
    { properties: ['subject', 'id'] },
    { properties: ['state', 'id'] },
    { properties: ['kind', 'id'] },
  ],
  properties: {
    id: primaryId('prop'),
    kind: p.string().length(60).$type<ProposalKindName>(),
    /** The identifier of what it concerns. */
    subject: p.string().length(120),
    /** As its kind describes them; read only through the kind. */
    details: p.json<unknown>(),
    reason: p.text(),
    /** `staff:…`; may not approve. */
    proposedBy: p.string().length(120),
    proposedAt: p.datetime(),
    /** Until then it can be decided. */
    expiresAt: p.datetime(),
    state: p.enum(PROPOSAL_STATES).default('proposed'),
    decidedBy: p.string().length(120).nullable(),
    decidedAt: p.datetime().nullable(),
    /** The note of the person who decided. */
    note: p.text().nullable(),
    /** The outcome: why it failed, or a text of its kind. */
    outcome: p.text().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

export class Proposal extends ProposalSchema.class {}
ProposalSchema.setClass(Proposal);
