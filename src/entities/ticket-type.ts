import { defineEntity, p } from '@mikro-orm/core';
import { primaryId } from '../identifier/type-id-column.ts';
import { Event } from './event.ts';

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
