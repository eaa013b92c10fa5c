import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../platform/identifier/type-id-column.ts';
import { Event } from './event.ts';
import { Fan } from './fan.ts';
import { sqlIndex } from './sql-index.ts';

/** A ticket counts while it is `valid`; otherwise its permit is withdrawn. `used`: scanned at the doors. */
export const TICKET_STATUSES = ['valid', 'refunded', 'void', 'used'] as const;
export type TicketStatus = (typeof TICKET_STATUSES)[number];

/** A ticket and its owner. Its type has the event, and the event has the mode. */
const TicketSchema = defineEntity({
  name: 'Ticket',
  indexes: [
    { properties: ['ticketType', 'id'] },
    sqlIndex('ticket_of_sandbox', 'on ticket (id) where reference is null'),
    sqlIndex('ticket_withdrawn', `on ticket (status, id) where status <> 'valid'`),
  ],
  properties: {
    id: primaryId('tkt'),
    ticketType: () => p.manyToOne(TicketType).index(false),
    /** Null while the owner's wallet is not a fan's. */
    owner: () => p.manyToOne(Fan).nullable().deleteRule('no action').index(),
    /** Base58: the wallet that has it, where that is not a fan's. */
    outsideWallet: p.string().length(44).nullable(),
    /** The 32-byte onchain ticket id, base58. */
    tixTicketId: p.string().length(44).unique(),
    purchasedAt: p.datetime(),
    /** The company's own reference; null for a test ticket. */
    reference: p.string().length(200).nullable().unique(),
    status: p.enum(TICKET_STATUSES).default('valid'),
    /** When it was used; null unless its status is `used`. */
    usedAt: p.datetime().nullable(),
    /** The name of the seat, for people: never in the Fan API. */
    label: p.string().length(80).nullable(),
    /** As `Event.sourceUpdatedAt`. */
    sourceUpdatedAt: p.datetime().nullable(),
    /** The holder that the company's rows named last: the owner, unless the fan sold it on or a transfer is under way. */
    namedHolder: () => p.manyToOne(Fan).nullable().deleteRule('no action').index(),
    /** SHA-256 of how a row named that holder, base64url: a number that has another fan by now still names the same holder. */
    namedHolderKey: p.string().length(43).nullable(),
  },
});

export class Ticket extends TicketSchema.class {}
TicketSchema.setClass(Ticket);

/** A ticket type of an event, such as "General admission". */
const TicketTypeSchema = defineEntity({
  name: 'TicketType',
  uniques: [{ properties: ['event', 'name'] }, { properties: ['event', 'reference'] }],
  properties: {
    id: primaryId('typ'),
    event: () => p.manyToOne(Event),
    name: p.string().length(120),
    /** The company's own reference, unique within the event; null for a test event. */
    reference: p.string().length(200).nullable(),
    /** Whether its tickets can be put on sale. */
    resale: p.boolean().default(true),
    /** As `Event.sourceUpdatedAt`. */
    sourceUpdatedAt: p.datetime().nullable(),
  },
});

export class TicketType extends TicketTypeSchema.class {}
TicketTypeSchema.setClass(TicketType);
