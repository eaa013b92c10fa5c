import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Event } from './event.ts';
import { Fan } from './fan.ts';

/** A ticket and its owner. Its type has the event, and the event has the mode. */
const TicketSchema = defineEntity({
  name: 'Ticket',
  properties: {
    id: primaryId('tkt'),
    ticketType: () => p.manyToOne(TicketType).index(),
    /** Null while the owner's wallet is not a fan's. */
    owner: () => p.manyToOne(Fan).nullable().deleteRule('no action').index(),
    /** The 32-byte onchain ticket id, base58. */
    tixTicketId: p.string().length(44).unique(),
    purchasedAt: p.datetime(),
  },
});

export class Ticket extends TicketSchema.class {}
TicketSchema.setClass(Ticket);

/** A ticket type of an event, such as "General admission". */
const TicketTypeSchema = defineEntity({
  name: 'TicketType',
  uniques: [{ properties: ['event', 'name'] }],
  properties: {
    id: primaryId('typ'),
    event: () => p.manyToOne(Event),
    name: p.string().length(120),
  },
});

export class TicketType extends TicketTypeSchema.class {}
TicketTypeSchema.setClass(TicketType);
