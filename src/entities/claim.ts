import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { ConsentGrant } from './consent-grant.ts';
import { Permit } from './permit.ts';

/** `pending` is written before anything is submitted; `submitted` means it may be on its way; the others are final. */
export const CLAIM_STATES = ['pending', 'submitted', 'confirmed', 'failed'] as const;

/** The claim of a ticket by a signed transfer. The transfer's first signature is its identity. */
const ClaimSchema = defineEntity({
  name: 'Claim',
  indexes: [
    {
      name: 'claim_one_open',
      expression: "create unique index claim_one_open on claim (permit_id) where state in ('pending', 'submitted')",
    },
    { properties: ['state', 'updatedAt'] },
    {
      name: 'claim_to_settle',
      expression:
        "create index claim_to_settle on claim (updated_at) where state in ('pending', 'submitted') or next_attempt_at is not null",
    },
  ],
  properties: {
    id: primaryId('clm'),
    /** Base58: the `transfer_id` of the Fan API. */
    signature: p.string().length(88).unique(),
    grant: () => p.manyToOne(ConsentGrant).index(),
    permit: () => p.manyToOne(Permit).index(),
    signerWallet: p.string().length(44),
    destinationWallet: p.string().length(44),
    /** The signed transaction as received, hex: what is submitted, and submitted again. */
    transaction: p.text(),
    recentBlockhash: p.string().length(44),
    /** Slot of the onchain state by which it was judged: the blockhash was valid there. 0 for claims of before this was kept. */
    judgedSlot: p.bigint().default(0),
    state: p.enum(CLAIM_STATES).default('pending'),
    /** Why it failed, for the partner. */
    failure: p.text().nullable(),
    /** Why the last attempt to settle it came to nothing; null where it did not, or once it has ended. */
    setAside: p.text().nullable(),
    /** While open: attempts that came to nothing. Failed: how often it was looked whether it landed after all. */
    attempts: p.integer().default(0),
    /** When the job looks at it next. Null for one that has ended for good, and for a new one that its request settles. */
    nextAttemptAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class Claim extends ClaimSchema.class {}
ClaimSchema.setClass(Claim);
