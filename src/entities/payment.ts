import { defineEntity, p } from '@mikro-orm/core';
import { MODES } from '../platform/mode.ts';

/** What a transaction of ours is for. `deposit`: somebody paid the payer. */
export const PAYMENT_PURPOSES = [
  'register_events',
  'issue_permits',
  'close_events',
  'close_permits',
  'move_permits',
  'close_listings',
  'set_up',
  'deposit',
  'other',
] as const;
export type PaymentPurpose = (typeof PAYMENT_PURPOSES)[number];

/** What a mode's payer paid on a day (UTC) for one purpose, as the chain has it at `finalized`. */
const PaymentDaySchema = defineEntity({
  name: 'PaymentDay',
  properties: {
    mode: p.enum(MODES).primary(),
    /** As `2026-11-27`. */
    day: p.string().length(10).primary(),
    purpose: p.string().length(40).primary().$type<PaymentPurpose>(),
    /** Those that failed, too: their fee is paid. */
    transactions: p.integer(),
    /** Lamports. */
    fees: p.bigint(),
    /** Lamports that the payer has less besides the fees: rent of accounts. Negative where they came back. */
    rest: p.bigint(),
  },
});

export class PaymentDay extends PaymentDaySchema.class {}
PaymentDaySchema.setClass(PaymentDay);

/** How far the transactions of a payer are booked. */
const PaymentCursorSchema = defineEntity({
  name: 'PaymentCursor',
  properties: {
    mode: p.enum(MODES).primary(),
    /** Address of the payer, base58. */
    payer: p.string().length(44).primary(),
    /** The newest booked transaction, base58; null before the first. */
    signature: p.string().length(88).nullable(),
    slot: p.bigint().default(0),
    /** Not before then does a process look for more. */
    lookAt: p.datetime(),
  },
});

export class PaymentCursor extends PaymentCursorSchema.class {}
PaymentCursorSchema.setClass(PaymentCursor);
