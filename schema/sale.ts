import { Client } from '../src/entities/client.ts';
import { CustodyMove } from '../src/entities/custody-move.ts';
import { EndedAccess } from '../src/entities/ended-access.ts';
import { Ticket } from '../src/entities/ticket.ts';
import { takeOffSale } from '../src/inventory/take-off-sale.ts';
import { rowUnder } from '../src/platform/database/row-under.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import { countSales, sellersOf } from '../src/tickets/listing/sales.ts';
import { builder, mutation } from './builder.ts';
import { ClientType } from './client.ts';
import { callerOf } from './context.ts';
import { CustodyMoveType } from './custody-move.ts';
import { ListingType } from './listing.ts';
import { rowBy } from './loaders.ts';
import { TicketNode } from './ticket.ts';

builder.objectFields(ListingType, (t) => ({
  client: t.loadable({
    type: ClientType,
    nullable: true,
    description: 'The client that had it co-signed; null where this service did not co-sign it.',
    load: async (ids: Id<'lst'>[], { context }) => {
      const sellers = await sellersOf(context, ids);
      const clients = await context.em.find(Client, { id: { $in: [...sellers.values()] } });
      return ids.map((id) => clients.find((client) => client.id === sellers.get(id)) ?? null);
    },
    resolve: ({ id }) => id,
  }),
  move: t.loadable({
    type: CustodyMoveType,
    nullable: true,
    description: 'The open order that takes the ticket off sale, or moves it.',
    load: rowBy(CustodyMove, 'permit', { where: { state: 'open' } }).load,
    resolve: ({ closedAt, permit }) => (closedAt == null ? permit.id : null),
  }),
}));

builder.objectFields(ClientType, (t) => ({
  saleCount: t.loadable({
    type: 'Int',
    description: 'How many tickets it has on sale now. Reads every open listing.',
    load: async (ids: Id<'client'>[], { context }) => {
      const counts = await countSales(context, ids);
      return ids.map((id) => counts.get(id) ?? 0);
    },
    resolve: ({ id }) => id,
  }),
  salesEndSince: t.loadable({
    type: 'DateTime',
    nullable: true,
    description:
      'Since when everything that it put on sale is being taken off sale; null where it is not, or that is done.',
    load: async (ids: Id<'client'>[], { context: { em } }) => {
      const rows = await em.find(EndedAccess, { client: { $in: ids } }, { orderBy: { id: 'asc' } });
      const since = new Map(rows.map(({ client, endedAt }) => [client?.id, endedAt]));
      return ids.map((id) => since.get(id) ?? null);
    },
    resolve: ({ id }) => id,
  }),
}));

builder.mutationField('takeOffSale', (t) =>
  t.field({
    type: TicketNode,
    ...mutation('grants:revoke'),
    description: 'Takes a ticket off sale for its holder, whichever app put it there. The holder keeps it.',
    args: {
      ticketId: t.arg.id({ required: true }),
      reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }),
    },
    resolve: async (_, request, call) => {
      const work = call.work();
      await takeOffSale(work, request, callerOf(call));
      return rowUnder(work.em, Ticket, 'tkt', request.ticketId);
    },
  }),
);
