import { Listing } from '../src/entities/listing.ts';
import { Permit, UnreadPermit } from '../src/entities/permit.ts';
import { restorePermits, revokePermits } from '../src/sandbox/change-permits.ts';
import { grantPermits } from '../src/sandbox/grant-permits.ts';
import { provisionSoon } from '../src/sandbox/provision-soon.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { callerOf } from './context.ts';
import { ModeType } from './event.ts';
import { ListingType } from './listing.ts';
import { pageOf } from './lists.ts';
import { rowBy, rowsBy } from './load-rows.ts';
import { entityType, queryById } from './loaders.ts';
import { PartnerType } from './partner.ts';
import { PERMIT_STATES, permitCondition, stateOf } from './permit-condition.ts';
import { AgeSort } from './sorts.ts';
import { TicketNode } from './ticket.ts';

export const PermitStateType = enumOf(
  'PermitState',
  PERMIT_STATES,
  'Waiting to be issued onchain, issued, or revoked here.',
);

export const PermitType = entityType('Permit', Permit);

const UnreadPermitType = builder.objectRef<UnreadPermit>('UnreadPermit').implement({
  description: 'Why a permit’s onchain state could not be read. It is retried separately from other permits.',
  fields: (t) => ({
    reason: t.exposeString('reason'),
    since: t.expose('since', { type: 'DateTime', description: 'The first failed attempt.' }),
    tries: t.exposeInt('tries', { description: 'Failed attempts so far.' }),
    retryAt: t.expose('retryAt', { type: 'DateTime', description: 'The next attempt.' }),
  }),
});

PermitType.implement({
  description: 'The onchain right to a ticket. Without a valid permit, no client sees the ticket.',
  fields: (t) => ({
    id: t.exposeID('id'),
    tixPermitId: t.exposeString('tixPermitId', { description: 'Address of the onchain account, base58.' }),
    state: t.field({ type: PermitStateType, resolve: stateOf }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    partner: t.field({
      type: PartnerType,
      nullable: true,
      description: 'The partner whose clients see the ticket; null in production, where all do.',
      resolve: (permit) => permit.partner?.id,
    }),
    ticket: t.field({ type: TicketNode, resolve: (permit) => permit.ticket.id }),
    unread: t.loadable({
      type: UnreadPermitType,
      description: 'Null if its onchain state could be read.',
      ...rowBy(UnreadPermit, 'permit'),
    }),
    listings: t.loadableList({
      type: ListingType,
      description: 'Newest first.',
      ...rowsBy(Listing, 'permit', { orderBy: { id: 'desc' } }),
    }),
  }),
});

queryById('permit', PermitType, Permit, 'perm');

builder.queryFields((t) => ({
  permits: t.connection({
    type: PermitType,
    authScopes: right('console:read'),
    args: {
      mode: t.arg({ type: ModeType, description: 'Both if omitted.' }),
      partnerId: t.arg.id(),
      eventId: t.arg.id(),
      fanId: t.arg.id({ description: 'Tickets that this fan holds now.' }),
      state: t.arg({ type: PermitStateType }),
      unread: t.arg.boolean({ description: 'Whether their onchain state could not be read; both if omitted.' }),
      setAside: t.arg.boolean({ description: 'Whether the cluster refused to issue them; both if omitted.' }),
      sort: t.arg({ type: AgeSort }),
      search: t.arg.string({
        description:
          'The ID of a permit, ticket, ticket type, event, fan or partner; an onchain address or ticket ID; the company’s reference of a ticket or event; or part of the event’s name, which searches the newest 50 matching ticket types.',
      }),
    },
    resolve: async (_, args, { context }) =>
      pageOf(context, Permit, args, [await permitCondition(context, args)], { sort: args.sort }),
  }),
}));

const PermitsChanged = builder.objectRef<{ permits: Permit[] }>('PermitsChanged').implement({
  fields: (t) => ({ permits: t.expose('permits', { type: [PermitType] }) }),
});

builder.mutationFields((t) => ({
  grantPermits: t.field({
    type: PermitsChanged,
    ...mutation('sandbox:write'),
    description: 'Gives each of a partner’s test users a ticket: all or none.',
    args: {
      partnerId: t.arg.id({ required: true }),
      ticketTypeId: t.arg.id({ required: true, description: 'Of a test event that the partner can use.' }),
      fanIds: t.arg.idList({ required: true, description: '1 to 50. A fan listed twice gets two.' }),
    },
    resolve: async (_, plan, call) => {
      const context = call.work();
      const permits = await grantPermits(context, plan, callerOf(call));
      provisionSoon(context);
      return { permits };
    },
  }),
  revokePermits: t.field({
    type: PermitsChanged,
    ...mutation('sandbox:write'),
    description: 'Revokes test permits: all or none. `restorePermits` undoes it. Their onchain accounts stay.',
    args: {
      permitIds: t.arg.idList({ required: true, description: '1 to 50.' }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_, request, call) => ({ permits: await revokePermits(call.work(), request, callerOf(call)) }),
  }),
  restorePermits: t.field({
    type: PermitsChanged,
    ...mutation('sandbox:write'),
    description: 'Restores revoked test permits: all or none.',
    args: { permitIds: t.arg.idList({ required: true, description: '1 to 50.' }) },
    resolve: async (_, { permitIds }, call) => {
      const context = call.work();
      const permits = await restorePermits(context, permitIds, callerOf(call));
      provisionSoon(context);
      return { permits };
    },
  }),
}));
