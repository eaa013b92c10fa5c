import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { Client } from '../src/entities/client.ts';
import { Partner } from '../src/entities/partner.ts';
import { knownId } from '../src/identifier/known-id.ts';
import type { Id } from '../src/identifier/type-id.ts';
import { nameTaken, registerPartner } from '../src/partner/register-partner.ts';
import { renamePartner } from '../src/partner/rename-partner.ts';
import { builder, right } from './builder.ts';
import { callerOf } from './context.ts';
import { countBy } from './count-by.ts';
import { pageOf } from './keyset.ts';
import { containing } from './search-text.ts';

/** A partner by its id, from wherever it is referred to: one query for all of a call. */
export const PartnerType = builder.loadableObjectRef<Partner, Id<'ptn'>>('Partner', {
  load: async (ids, { context }) => {
    const partners = await context.em.find(Partner, { id: { $in: ids } });
    return ids.map((id) => partners.find((partner) => partner.id === id) ?? new Error(`there is no partner ${id}`));
  },
  toKey: (partner) => partner.id,
  cacheResolved: true,
});

PartnerType.implement({
  description: 'A company that integrates with the service and owns OAuth clients.',
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    clientCount: t.loadable({
      type: 'Int',
      description: 'Clients of either mode.',
      load: (ids: string[], { context }) => countBy(context, Client, 'partner', ids),
      resolve: (partner) => partner.id,
    }),
  }),
});

builder.queryFields((t) => ({
  partner: t.field({
    type: PartnerType,
    nullable: true,
    authScopes: right('console:read'),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, { context }) => context.em.findOne(Partner, { id: knownId('ptn', id) }),
  }),
  partners: t.connection({
    type: PartnerType,
    authScopes: right('console:read'),
    args: { search: t.arg.string({ description: 'A part of the name.' }) },
    resolve: (_, args, { context }) =>
      pageOf(context, Partner, args.search ? { name: containing(args.search) } : {}, args),
  }),
}));

builder.mutationFields((t) => ({
  registerPartner: t.field({
    type: PartnerType,
    authScopes: right('clients:write'),
    errors: {},
    args: { name: t.arg.string({ required: true, description: '1 to 120 characters, unique.' }) },
    resolve: async (_, { name }, call) => {
      const context = call.work();
      const partner = await registerPartner(context, name, callerOf(call));
      await context.em.flush().catch((error: unknown) => {
        // somebody else took the name since it was looked up
        throw error instanceof UniqueConstraintViolationException ? nameTaken(partner.name) : error;
      });
      return partner;
    },
  }),
  renamePartner: t.field({
    type: PartnerType,
    authScopes: right('clients:write'),
    errors: {},
    args: {
      partnerId: t.arg.id({ required: true }),
      name: t.arg.string({ required: true, description: '1 to 120 characters, unique.' }),
    },
    resolve: (_, { partnerId, name }, call) => renamePartner(call.work(), partnerId, name, callerOf(call)),
  }),
}));
