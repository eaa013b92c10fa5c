import { Permit } from '../src/entities/permit.ts';
import { Ticket } from '../src/entities/ticket.ts';
import { TicketTypeType } from './event.ts';
import { FanType } from './fan.ts';
import { entityType, rowBy } from './loaders.ts';
import { PermitType } from './permit.ts';

export const TicketNode = entityType('Ticket', Ticket);

TicketNode.implement({
  description: 'A ticket and who holds it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    tixTicketId: t.exposeString('tixTicketId', { description: 'The onchain ticket ID, base58.' }),
    purchasedAt: t.expose('purchasedAt', { type: 'DateTime' }),
    ticketType: t.field({ type: TicketTypeType, resolve: (ticket) => ticket.ticketType.id }),
    owner: t.field({
      type: FanType,
      nullable: true,
      description: 'Null while no known fan’s wallet holds the ticket.',
      resolve: (ticket) => ticket.owner?.id,
    }),
    permit: t.loadable({ type: PermitType, ...rowBy(Permit, 'ticket') }),
  }),
});
