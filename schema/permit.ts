import { Listing } from '../src/entities/listing.ts';
import { Permit, UnreadPermit } from '../src/entities/permit.ts';
import { restorePermits, revokePermits } from '../src/sandbox/change-permits.ts';
import { grantPermits } from '../src/sandbox/grant-permits.ts';
import { provisionSoon } from '../src/sandbox/provision-onchain.ts';
import { builder, enumOf, mutation, right } from './builder.ts';
import { callerOf } from './context.ts';
import { ListingType } from './listing.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById, rowBy, rowsBy } from './loaders.ts';
import { PartnerType } from './partner.ts';
import { PERMIT_STATES, type PermitState, permitCondition } from './permit-condition.ts';
import { TicketNode } from './ticket.ts';

const PermitStateType = enumOf(
  'PermitState',
  PERMIT_STATES,
  'Waiting to be issued on the chain, issued there, or revoked here.',
);

export const PermitType = entityType('Permit', Permit);

const UnreadPermitType = builder.objectRef<UnreadPermit>('UnreadPermit').implement({
  description:
    'Why the onchain state of a permit could not be taken in. It is tried again, apart from the other permits.',
  fields: (t) => ({
    reason: t.exposeString('reason'),
    since: t.expose('since', { type: 'DateTime', description: 'The first try that failed.' }),
    tries: t.exposeInt('tries', { description: 'Failed so far.' }),
    retryAt: t.expose('retryAt', { type: 'DateTime', description: 'The next try.' }),
  }),
});

PermitType.implement({
  description: 'The onchain right to a ticket; without a live one no client sees the ticket.',
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
      description: 'Whose clients see the ticket; null in production, where every client does.',
      resolve: (permit) => permit.partner?.id,
    }),
    ticket: t.field({ type: TicketNode, resolve: (permit) => permit.ticket.id }),
    unread: t.loadable({
      type: UnreadPermitType,
      description: 'Null where its onchain state could be read.',
      ...rowBy(UnreadPermit, 'permit'),
    }),
    listings: t.loadableList({
      type: ListingType,
      description: 'Newest first.',
      ...rowsBy(Listing, 'permit', { orderBy: { id: 'desc' } }),
    }),
  }),
});

function stateOf({ revokedAt, issuedAt }: Permit): PermitState {
  if (revokedAt) return 'revoked';
  return issuedAt ? 'issued' : 'waiting';
}

queryById('permit', PermitType, Permit, 'perm');

builder.queryFields((t) => ({
  permits: t.connection({
    type: PermitType,
    authScopes: right('console:read'),
    args: {
      partnerId: t.arg.id(),
      eventId: t.arg.id(),
      fanId: t.arg.id({ description: 'Of tickets that this fan holds now.' }),
      state: t.arg({ type: PermitStateType }),
      unread: t.arg.boolean({ description: 'Whether their onchain state could not be read; both where left out.' }),
      search: t.arg.string({
        description:
          'The id of a permit, ticket, ticket type, event, fan or partner; an address or ticket id of the chain; or a part of the event’s name, which looks into the newest 50 ticket types that fit.',
      }),
    },
    resolve: async (_, args, { context }) => pageOf(context, Permit, args, [await permitCondition(context, args)]),
  }),
}));

const PermitsChanged = builder.objectRef<{ permits: Permit[] }>('PermitsChanged').implement({
  fields: (t) => ({ permits: t.expose('permits', { type: [PermitType] }) }),
});

builder.mutationFields((t) => ({
  grantPermits: t.field({
    type: PermitsChanged,
    ...mutation('sandbox:write'),
    description: 'Gives test users of a partner a ticket each, all or none.',
    args: {
      partnerId: t.arg.id({ required: true }),
      ticketTypeId: t.arg.id({ required: true, description: 'Of a test event that the partner may use.' }),
      fanIds: t.arg.idList({ required: true, description: '1 to 50; a fan who is named twice gets two.' }),
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
    description: 'Revokes test permits, all or none; `restorePermits` takes it back. Their onchain accounts stay.',
    args: {
      permitIds: t.arg.idList({ required: true, description: '1 to 50.' }),
      reason: t.arg.string({ required: true }),
    },
    resolve: async (_, request, call) => ({ permits: await revokePermits(call.work(), request, callerOf(call)) }),
  }),
  restorePermits: t.field({
    type: PermitsChanged,
    ...mutation('sandbox:write'),
    description: 'Takes the revocation of test permits back, all or none.',
    args: { permitIds: t.arg.idList({ required: true, description: '1 to 50.' }) },
    resolve: async (_, { permitIds }, call) => {
      const context = call.work();
      const permits = await restorePermits(context, permitIds, callerOf(call));
      provisionSoon(context);
      return { permits };
    },
  }),
}));
