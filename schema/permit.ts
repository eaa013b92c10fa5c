import { WaitingPermit } from '../src/entities/issuing.ts';
import { Listing } from '../src/entities/listing.ts';
import { Permit, UnreadPermit } from '../src/entities/permit.ts';
import { TestUser } from '../src/entities/test-user.ts';
import { TicketType } from '../src/entities/ticket.ts';
import { knownId } from '../src/platform/identifier/known-id.ts';
import { provisionSoon } from '../src/sandbox/provision-soon.ts';
import { grantPermits, restorePermits, revokePermits } from '../src/sandbox/test-permits.ts';
import { builder, CHANGE, enumOf, forBoth, forPartners, mutation, right, STAFF_ONLY } from './builder.ts';
import { type Call, callerOf, isMember } from './context.ts';
import { ModeType } from './event.ts';
import { ListingType } from './listing.ts';
import { pageOf } from './lists.ts';
import { entityType, queryById, rowBy, rowsBy } from './loaders.ts';
import { own, ownOrShared, ownPartner, requireAllOwn, requireOwn } from './own.ts';
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

const WaitingPermitType = builder.objectRef<WaitingPermit>('WaitingPermit').implement({
  description: 'A permit that is to be issued or closed onchain, until that is final.',
  fields: (t) => ({
    closes: t.exposeBoolean('closes', { description: 'Whether it is to be closed; otherwise issued.' }),
    since: t.expose('since', { type: 'DateTime' }),
    isSetAside: t.boolean({
      description: 'Whether it could not be done. It is tried again apart from other permits.',
      resolve: ({ tries, signature }) => tries > 0 && signature === null,
    }),
    tries: t.exposeInt('tries', { description: 'Failed tries so far.' }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why the last try failed.' }),
    retryAt: t.expose('retryAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The next try. Null: it is not needed onchain, because no app may list the ticket.',
    }),
    transaction: t.string({
      nullable: true,
      description: 'Signature of the transaction that does it, while that one is on its way or not final.',
      resolve: ({ signature }) => signature,
    }),
  }),
});

PermitType.implement({
  description: 'The onchain right to a ticket. Without a valid permit, no client sees the ticket.',
  fields: (t) => ({
    ...forBoth({
      id: t.exposeID('id'),
      tixPermitId: t.exposeString('tixPermitId', { description: 'Address of the onchain account, base58.' }),
      state: t.field({ type: PermitStateType, resolve: stateOf }),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      issuedAt: t.expose('issuedAt', { type: 'DateTime', nullable: true }),
      revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
      ticket: t.field({ type: TicketNode, resolve: (permit) => permit.ticket.id }),
      listings: t.loadableList({
        type: ListingType,
        description: 'Newest first.',
        ...rowsBy(Listing, 'permit', { orderBy: { id: 'desc' } }),
      }),
    }),
    ...forPartners({
      openListing: t.loadable({
        type: ListingType,
        description: 'Its offer for sale now; null where there is none.',
        ...rowBy(Listing, 'permit', { where: { closedAt: null } }),
      }),
    }),
    closedAt: t.expose('closedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its onchain account was closed after the event; null while it may exist.',
    }),
    partner: t.field({
      type: PartnerType,
      nullable: true,
      description: 'The partner whose clients see the ticket; null in production, where all do.',
      resolve: (permit) => permit.partner?.id,
    }),
    waiting: t.loadable({
      type: WaitingPermitType,
      description: 'Its place in the queue of permits to issue or close; null outside of it.',
      ...rowBy(WaitingPermit, 'permit'),
    }),
    unread: t.loadable({
      type: UnreadPermitType,
      description: 'Null if its onchain state could be read.',
      ...rowBy(UnreadPermit, 'permit'),
    }),
  }),
});

queryById('permit', PermitType, Permit, 'perm');

builder.queryFields((t) =>
  forBoth({
    permits: t.connection({
      type: PermitType,
      authScopes: right('console:read'),
      description: 'Newest first, unless they are sorted.',
      args: {
        mode: t.arg({ ...STAFF_ONLY, type: ModeType, description: 'Both if omitted.' }),
        partnerId: t.arg.id(STAFF_ONLY),
        eventId: t.arg.id(),
        fanId: t.arg.id({ description: 'Tickets that this fan holds now.' }),
        state: t.arg({ type: PermitStateType }),
        unread: t.arg.boolean({
          ...STAFF_ONLY,
          description: 'Whether their onchain state could not be read; both if omitted.',
        }),
        setAside: t.arg.boolean({
          ...STAFF_ONLY,
          description: 'Whether the cluster refused to issue them; both if omitted.',
        }),
        sort: t.arg({ ...STAFF_ONLY, type: AgeSort }),
        search: t.arg.string({
          ...STAFF_ONLY,
          description:
            'The ID of a permit, ticket, ticket type, event, fan or partner; an onchain address or ticket ID; the company’s reference of a ticket or event; or part of the event’s name, which searches the newest 50 matching ticket types.',
        }),
      },
      resolve: async (_, args, call) => {
        const conditions = [
          own(call),
          await permitCondition(call.context, args),
          await ofKnownHolder(call, args.fanId),
        ];
        return pageOf<Permit>(call.context, Permit, args, conditions);
      },
    }),
  }),
);

/** Finds nothing where a partner filters by a fan who is not theirs: whether that fan holds a ticket stays secret. */
async function ofKnownHolder(call: Call, fanId: string | null | undefined) {
  if (fanId == null || !isMember(call.viewer)) return undefined;
  const known = await call.context.em.count(TestUser, { $and: [{ fan: knownId('usr', fanId) }, ownOrShared(call)] });
  return known > 0 ? undefined : { id: { $in: [] } };
}

const PermitsChanged = builder.objectRef<{ permits: Permit[] }>('PermitsChanged').implement({
  fields: (t) => forBoth({ permits: t.expose('permits', { type: [PermitType] }) }),
});

builder.mutationFields((t) => {
  const permitIds = t.arg.idList({ required: true, description: '1 to 50.' });
  return {
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
    ...forPartners({
      grantPermitsForPartners: t.field({
        type: PermitsChanged,
        ...CHANGE,
        description: 'Gives each of some test users a ticket: all or none.',
        args: {
          ticketTypeId: t.arg.id({ required: true, description: 'Of a test event that you can use.' }),
          fanIds: t.arg.idList({ required: true, description: 'Test users, 1 to 50. One listed twice gets two.' }),
        },
        resolve: async (_, { ticketTypeId: id, fanIds }, call) => {
          const context = call.work();
          // checked first: the domain's refusal would name another partner's event
          const ticketTypeId = await requireOwn(context, TicketType, 'typ', id, { event: ownOrShared(call) });
          const plan = { partnerId: ownPartner(call), ticketTypeId, fanIds };
          const permits = await grantPermits(context, plan, callerOf(call));
          provisionSoon(context);
          return { permits };
        },
      }),
    }),
    ...forBoth({
      revokePermits: t.field({
        type: PermitsChanged,
        ...mutation('sandbox:write'),
        description: 'Revokes test permits: all or none. `restorePermits` undoes it. Their onchain accounts stay.',
        args: { permitIds, reason: t.arg.string({ required: true, description: '1 to 1,000 characters.' }) },
        resolve: async (_, { permitIds: ids, reason }, call) => {
          const context = call.work();
          const revoked = await requireAllOwn(context, Permit, 'perm', ids, own(call));
          return { permits: await revokePermits(context, { permitIds: revoked, reason }, callerOf(call)) };
        },
      }),
      restorePermits: t.field({
        type: PermitsChanged,
        ...mutation('sandbox:write'),
        description: 'Restores revoked test permits: all or none.',
        args: { permitIds },
        resolve: async (_, { permitIds: ids }, call) => {
          const context = call.work();
          const restored = await requireAllOwn(context, Permit, 'perm', ids, own(call));
          const permits = await restorePermits(context, restored, callerOf(call));
          provisionSoon(context);
          return { permits };
        },
      }),
    }),
  };
});
