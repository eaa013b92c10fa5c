import { Permit } from '../src/entities/permit.ts';
import { TICKET_STATUSES, Ticket, TicketType } from '../src/entities/ticket.ts';
import { knownId } from '../src/identifier/known-id.ts';
import { isId } from '../src/identifier/type-id.ts';
import { builder, enumOf, right } from './builder.ts';
import { ModeType, TicketTypeType } from './event.ts';
import { FanType } from './fan.ts';
import { literally, pageOf } from './lists.ts';
import { entityType, queryById, rowBy } from './loaders.ts';
import { PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';

const TicketStatusType = enumOf('TicketStatus', TICKET_STATUSES, 'Only of a valid ticket the permit counts.');

export const TicketNode = entityType('Ticket', Ticket);

TicketNode.implement({
  description: 'A ticket and who holds it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    tixTicketId: t.exposeString('tixTicketId', { description: 'The onchain ticket ID, base58.' }),
    purchasedAt: t.expose('purchasedAt', { type: 'DateTime' }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The company’s own reference; null for a test ticket.',
    }),
    status: t.expose('status', { type: TicketStatusType }),
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

queryById('ticket', TicketNode, Ticket, 'tkt');

builder.queryFields((t) => ({
  tickets: t.connection({
    type: TicketNode,
    authScopes: right('console:read'),
    args: {
      mode: t.arg({ type: ModeType, description: 'Both if omitted.' }),
      eventId: t.arg.id(),
      ticketTypeId: t.arg.id(),
      fanId: t.arg.id({ description: 'Tickets that this fan holds now.' }),
      status: t.arg({ type: TicketStatusType }),
      search: t.arg.string({ description: 'The ID of a ticket, or the company’s reference.' }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: async (_, args, { context }) => {
      const { mode, eventId, ticketTypeId, fanId, status, search, sort, ...page } = args;
      // looked up first, which saves a join for every ticket
      const types = eventId && (await context.em.find(TicketType, { event: knownId('evt', eventId) }));
      return pageOf(
        context,
        Ticket,
        page,
        [
          // the company's tickets have references, test tickets have none
          mode && { reference: mode === 'production' ? { $ne: null } : null },
          types && { ticketType: { $in: types.map(({ id }) => id) } },
          ticketTypeId && { ticketType: knownId('typ', ticketTypeId) },
          fanId && { owner: knownId('usr', fanId) },
          status && { status },
          search && found(search.trim()),
        ],
        { sort },
      );
    },
  }),
}));

function found(text: string) {
  return isId('tkt', text) ? { id: text } : { reference: literally(text) };
}
