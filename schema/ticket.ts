import type { FilterQuery } from '@mikro-orm/core';
import type { Event } from '../src/entities/event.ts';
import { Permit } from '../src/entities/permit.ts';
import { TestUser } from '../src/entities/test-user.ts';
import { TICKET_STATUSES, Ticket, TicketType } from '../src/entities/ticket.ts';
import type { Id } from '../src/platform/identifier/type-id.ts';
import { builder, enumOf, forBoth, forPartners, right } from './builder.ts';
import { ModeType, TestEventType, TicketTypeType } from './event.ts';
import { FanType } from './fan.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById, rowBy } from './loaders.ts';
import { ownOrShared } from './own.ts';
import { PermitStateType, PermitType } from './permit.ts';
import { AgeSort } from './sorts.ts';
import { TestUserType } from './test-user.ts';
import { ticketCondition } from './ticket-condition.ts';

const TicketStatusType = enumOf('TicketStatus', TICKET_STATUSES, 'Only of a valid ticket the permit counts.');

export const TicketNode = entityType('Ticket', Ticket);

TicketNode.implement({
  description: 'A ticket and who holds it.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id', { description: 'The `svc_ticket_id` of the Fan API.' }),
      tixTicketId: t.exposeString('tixTicketId', { description: 'The onchain ticket ID, base58.' }),
      purchasedAt: t.expose('purchasedAt', { type: 'DateTime' }),
      ticketType: t.field({ type: TicketTypeType, resolve: (ticket) => ticket.ticketType.id }),
    }),
    ...forPartners({
      holder: t.loadable({
        type: TestUserType,
        nullable: true,
        description:
          'The test user whose wallet holds it; null where the wallet is nobody’s here, or another partner’s test user’s.',
        load: async (ids: string[], call) => {
          const where = { $and: [{ fan: { $in: ids } }, ownOrShared(call)] } as FilterQuery<TestUser>;
          const users = await call.context.em.find(TestUser, where);
          const byFan = new Map<string, TestUser>(users.map((user) => [user.fan.id, user]));
          return ids.map((id) => byFan.get(id));
        },
        resolve: ({ owner }) => owner?.id ?? null,
      }),
      event: t.loadable({
        type: TestEventType,
        load: async (ids: string[], call) => {
          const where = { id: { $in: ids as Id<'typ'>[] } };
          const types = await call.context.em.find(TicketType, where, { populate: ['event'] });
          const byId = new Map<string, Event>(types.map(({ id, event }) => [id, event]));
          return ids.map((id) => byId.get(id) ?? new Error(`there is no ${id}`));
        },
        resolve: ({ ticketType }) => ticketType.id,
      }),
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'The company’s own reference; null for a test ticket.',
    }),
    status: t.expose('status', { type: TicketStatusType }),
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
    resolve: async (_, args, { context }) => pageOf(context, Ticket, args, [await ticketCondition(context, args)]),
  }),
}));
