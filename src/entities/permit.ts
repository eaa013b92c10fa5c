import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Partner } from './partner.ts';
import { sqlIndex } from './sql-index.ts';
import { Ticket } from './ticket.ts';

/** The onchain right to a ticket; a ticket without a valid permit is hidden. */
const PermitSchema = defineEntity({
  name: 'Permit',
  indexes: [
    sqlIndex('permit_of_sandbox', 'on permit (id) where partner_id is not null'),
    sqlIndex('permit_waiting', 'on permit (id) where issued_at is null and revoked_at is null'),
    sqlIndex('permit_revoked', 'on permit (id) where revoked_at is not null'),
  ],
  properties: {
    id: primaryId('perm'),
    ticket: () => p.oneToOne(Ticket).owner(),
    /** Sandbox: the partner that it was provisioned for. Production: null, for every partner. */
    partner: () => p.manyToOne(Partner).nullable().deleteRule('restrict').index(),
    /** Address of the onchain Permit account, base58: the `tix_permit_id` of the Fan API. */
    tixPermitId: p.string().length(44).unique(),
    createdAt: p.datetime(),
    /** When the Permit account was seen on the chain; null until then. */
    issuedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    /** Since when there is no Permit account, and never will be: its event was closed. */
    closedAt: p.datetime().nullable(),
    /** Lamports that came back from its account. */
    returned: p.bigint().default(0),
    /** Slot of the newest synced onchain state. */
    chainSlot: p.bigint().nullable(),
  },
});

export class Permit extends PermitSchema.class {}
PermitSchema.setClass(Permit);

/**
 * A permit whose onchain state could not be synced, because its account cannot be decoded or its state cannot be stored. The row waits
 * for the next try, and is deleted once one succeeds.
 */
const UnreadPermitSchema = defineEntity({
  name: 'UnreadPermit',
  properties: {
    permit: () => p.oneToOne(Permit).primary().deleteRule('cascade'),
    reason: p.string().length(300),
    /** The first try that failed. */
    since: p.datetime(),
    tries: p.integer(),
    /** The slot that the state must have reached. */
    slot: p.bigint(),
    retryAt: p.datetime().index(),
  },
});

export class UnreadPermit extends UnreadPermitSchema.class {}
UnreadPermitSchema.setClass(UnreadPermit);

/** A permit whose owner or listing changed at `confirmed`: once the slot is final, it is read again, as a fork may undo the change. */
const UnfinalPermitSchema = defineEntity({
  name: 'UnfinalPermit',
  properties: {
    permit: () => p.oneToOne(Permit).primary().deleteRule('cascade'),
    /** The slot of the onchain state that was stored. */
    slot: p.bigint(),
  },
});

export class UnfinalPermit extends UnfinalPermitSchema.class {}
UnfinalPermitSchema.setClass(UnfinalPermit);
