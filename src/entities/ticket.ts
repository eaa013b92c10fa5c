import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Fan } from './fan.ts';
import { TicketType } from './ticket-type.ts';

/** A ticket and who holds it. Its event is its type's; its mode is its event's. */
const TicketSchema = defineEntity({
  name: 'Ticket',
  properties: {
    id: primaryId('tkt'),
    ticketType: () => p.manyToOne(TicketType).index(),
    /** Null while it belongs to a wallet that is no fan's here. */
    owner: () => p.manyToOne(Fan).nullable().deleteRule('no action').index(),
    /** The 32-byte onchain ticket id, base58. */
    tixTicketId: p.string().length(44).unique(),
    purchasedAt: p.datetime(),
  },
});

export class Ticket extends TicketSchema.class {}
TicketSchema.setClass(Ticket);
