import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { MODES } from '../platform/mode.ts';
import type { SaleEndCause } from './ended-access.ts';
import { Fan } from './fan.ts';
import { Permit } from './permit.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';

/** `transfer` also closes the permit's listing, in the same transaction. */
export const CUSTODY_MOVE_KINDS = ['transfer', 'close_listing'] as const;
export const CUSTODY_MOVE_STATES = ['open', 'done', 'failed'] as const;

/** A permit that this service moves out of a fan's wallet, or takes off sale, as its owner. One may be open per permit. */
const CustodyMoveSchema = defineEntity({
  name: 'CustodyMove',
  indexes: [
    uniqueSqlIndex('custody_move_one_open', `on custody_move (permit_id) where state = 'open'`),
    sqlIndex('custody_move_due', `on custody_move (mode, retry_at) where state = 'open'`),
    { properties: ['state', 'id'] },
    sqlIndex('custody_move_reason', 'on custody_move (id) where reason is not null'),
  ],
  properties: {
    id: primaryId('move'),
    mode: p.enum(MODES),
    permit: () => p.manyToOne(Permit).index(),
    kind: p.enum(CUSTODY_MOVE_KINDS),
    /**
     * The fan's wallet that signs, base58; it must still hold the permit. Null while the permit waits to be issued: the move then signs
     * with the fan's wallet that the permit was issued to, unless it was claimed since.
     */
    fromWallet: p.string().length(44).nullable(),
    /** The fan of that wallet; the ticket's owner while there is none. */
    fromFan: () => p.manyToOne(Fan).index(),
    /** Base58; null for `close_listing`. */
    destination: p.string().length(44).nullable(),
    /** The fan of the destination; null for a wallet that is not ours. */
    toFan: () => p.manyToOne(Fan).nullable().deleteRule('no action').index(),
    /** Why a valid ticket is taken off sale; null for a withdrawn one, and for transfers. */
    cause: p.string().length(40).$type<SaleEndCause>().nullable(),
    /** What ordered it: an identifier, or the name of a part of the service. */
    origin: p.string().length(120).index(),
    state: p.enum(CUSTODY_MOVE_STATES).default('open'),
    /** Why it failed; while it is open, why it waits. */
    reason: p.text().nullable(),
    tries: p.integer().default(0),
    /** The next try. */
    retryAt: p.datetime(),
    /** The transaction that was sent last and may still land, base58. */
    signature: p.string().length(88).nullable(),
    blockhash: p.string().length(44).nullable(),
    sentAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    endedAt: p.datetime().nullable(),
  },
});

export class CustodyMove extends CustodyMoveSchema.class {}
CustodyMoveSchema.setClass(CustodyMove);
