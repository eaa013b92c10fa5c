import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { ConsentGrant } from './consent-grant.ts';
import { Permit } from './permit.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/**
 * `submitted` is written before the transaction is sent. `pending` is an open state of the contract that is never written (D-105). A
 * confirmed claim is reopened where a fork dropped its transaction. A failed claim that the cluster did not decide is confirmed where its
 * transaction landed after all.
 */
export const CLAIM_STATES = ['pending', 'submitted', 'confirmed', 'failed'] as const;

/** The claim of a ticket by a signed transfer. The transfer's first signature is its identity. */
const ClaimSchema = defineEntity({
  name: 'Claim',
  indexes: [
    uniqueSqlIndex('claim_one_open', "on claim (permit_id) where state in ('pending', 'submitted')"),
    sqlIndex('claim_by_state', 'on claim (state, updated_at) include (grant_id)'),
    sqlIndex('claim_unfinal', 'on claim (unfinal_slot) where unfinal_slot is not null'),
    sqlIndex(
      'claim_to_settle',
      "on claim (updated_at) where state in ('pending', 'submitted') or next_attempt_at is not null",
    ),
  ],
  properties: {
    id: primaryId('clm'),
    /** Base58: the `transfer_id` of the Fan API. */
    signature: p.string().length(88).unique(),
    grant: () => p.manyToOne(ConsentGrant).index(),
    permit: () => p.manyToOne(Permit).index(),
    signerWallet: p.string().length(44),
    destinationWallet: p.string().length(44),
    /** The signed transaction as received and submitted, hex. */
    transaction: p.text(),
    recentBlockhash: p.string().length(44),
    /** Slot of the onchain state that the claim was judged by. The blockhash was valid at it. */
    judgedSlot: p.bigint().default(0),
    /** Confirmed: the slot where its transaction landed, until that is final; null otherwise. */
    unfinalSlot: p.bigint().nullable(),
    state: p.enum(CLAIM_STATES).default('pending'),
    /** Why it failed, for the partner. */
    failure: p.text().nullable(),
    /** Why the last attempt to settle it failed; null otherwise, and once it has ended. */
    setAside: p.text().nullable(),
    /** While open: failed attempts to settle it. Once failed: rechecks whether it landed after all. */
    attempts: p.integer().default(0),
    /** The job's next attempt. Null once the outcome is final, and while its request settles it. */
    nextAttemptAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

export class Claim extends ClaimSchema.class {}
ClaimSchema.setClass(Claim);
