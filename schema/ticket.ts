import { Permit } from '../src/entities/permit.ts';
import { Ticket } from '../src/entities/ticket.ts';
import { builder } from './builder.ts';
import { TicketTypeType } from './event.ts';
import { FanType } from './fan.ts';
import { rowsBy, rowsById } from './load-rows.ts';
import { PermitType } from './permit.ts';

export const TicketNode = builder.loadableObjectRef<Ticket, string>('Ticket', {
  load: (ids, { context }) => rowsById(context, Ticket, ids),
  toKey: (ticket) => ticket.id,
  cacheResolved: true,
});

TicketNode.implement({
  description: 'A ticket and who holds it.',
  fields: (t) => ({
    id: t.exposeID('id'),
    tixTicketId: t.exposeString('tixTicketId', { description: 'The onchain ticket id, base58.' }),
    purchasedAt: t.expose('purchasedAt', { type: 'DateTime' }),
    ticketType: t.field({ type: TicketTypeType, resolve: (ticket) => ticket.ticketType.id }),
    owner: t.field({
      type: FanType,
      nullable: true,
      description: 'Null while it belongs to a wallet that is no fan’s here.',
      resolve: (ticket) => ticket.owner?.id,
    }),
    permit: t.loadable({
      type: PermitType,
      nullable: true,
      load: async (ids: string[], { context }) =>
        (await rowsBy(context, Permit, 'ticket', ids)).map(([permit]) => permit),
      resolve: (ticket) => ticket.id,
    }),
  }),
});
