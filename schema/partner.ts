import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { Client } from '../src/entities/client.ts';
import { Partner } from '../src/entities/partner.ts';
import { nameTaken, registerPartner, renamePartner } from '../src/partners/partner/register-partner.ts';
import { builder, forBoth, mutation, right } from './builder.ts';
import { callerOf } from './context.ts';
import { byText } from './list-order.ts';
import { containing, pageOf } from './lists.ts';
import { countBy, entityType, queryById } from './loaders.ts';
import { sortEnum } from './sorts.ts';

export const PartnerType = entityType('Partner', Partner);

PartnerType.implement({
  description: 'A company that integrates with the service and owns OAuth clients.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id'),
      name: t.exposeString('name'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
    }),
    clientCount: t.loadable({ description: 'Clients of either mode.', ...countBy(Client, 'partner') }),
  }),
});

queryById('partner', PartnerType, Partner, 'ptn');

const PartnerSort = sortEnum<Partner>('PartnerSort', { name: byText('name', 'name') });

builder.queryFields((t) => ({
  partners: t.connection({
    type: PartnerType,
    authScopes: right('console:read'),
    args: { search: t.arg.string({ description: 'Part of the name.' }), sort: t.arg({ type: PartnerSort }) },
    resolve: (_, { search, ...page }, { context }) =>
      pageOf(context, Partner, page, [search && containing('name', search)]),
  }),
}));

builder.mutationFields((t) => ({
  registerPartner: t.field({
    type: PartnerType,
    ...mutation('clients:write'),
    args: { name: t.arg.string({ required: true, description: '1 to 120 characters, unique.' }) },
    resolve: async (_, { name }, call) => {
      const context = call.work();
      const partner = await registerPartner(context, name, callerOf(call));
      await context.em.flush().catch((error: unknown) => {
        // a concurrent call took the name
        throw error instanceof UniqueConstraintViolationException ? nameTaken(partner.name) : error;
      });
      return partner;
    },
  }),
  renamePartner: t.field({
    type: PartnerType,
    ...mutation('clients:write'),
    args: {
      partnerId: t.arg.id({ required: true }),
      name: t.arg.string({ required: true, description: '1 to 120 characters, unique.' }),
    },
    resolve: (_, { partnerId, name }, call) => renamePartner(call.work(), partnerId, name, callerOf(call)),
  }),
}));
