import { Permit } from '../src/entities/permit.ts';
import { TICKET_STATUSES, Ticket } from '../src/entities/ticket.ts';
import { builder, enumOf, right } from './builder.ts';
import { ModeType, TicketTypeType } from './event.ts';
import { FanType } from './fan.ts';
import { pageOf } from './lists.ts';
import { rowBy } from './load-rows.ts';
import { entityType, queryById } from './loaders.ts';
import { PermitStateType, PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';
import { ticketCondition } from './ticket-condition.ts';

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
      permitState: t.arg({ type: PermitStateType }),
      setAside: t.arg.boolean({ description: 'Whether the cluster refused to issue their permits; both if omitted.' }),
      search: t.arg.string({
        description:
          'The company’s reference; the ID of a ticket, its permit, a ticket type or a fan; an onchain address or ticket ID.',
      }),
      sort: t.arg({ type: AgeSort }),
    },
    resolve: async (_, args, { context }) =>
      pageOf(context, Ticket, args, [await ticketCondition(context, args)], { sort: args.sort }),
  }),
}));
