import type { FilterQuery } from '@mikro-orm/core';
import { Event } from '../../src/entities/event.ts';
import { LISTING_OUTCOMES, Listing } from '../../src/entities/listing.ts';
import { Permit } from '../../src/entities/permit.ts';
import { TestUser } from '../../src/entities/test-user.ts';
import { Ticket, TicketType } from '../../src/entities/ticket.ts';
import { Wallet } from '../../src/entities/wallet.ts';
import { knownId } from '../../src/platform/identifier/known-id.ts';
import type { Id } from '../../src/platform/identifier/type-id.ts';
import { pageOf } from '../lists.ts';
import { rowBy, rowsBy } from '../load-rows.ts';
import { PERMIT_STATES, stateOf } from '../permit-condition.ts';
import { builder, entityType, enumOf } from './builder.ts';
import type { PartnerCall } from './context.ts';
import { own, ownOrShared } from './scope.ts';

const PermitStateType = enumOf('PermitState', PERMIT_STATES, 'Waiting to be issued onchain, issued, or revoked here.');
const ListingOutcomeType = enumOf('ListingOutcome', LISTING_OUTCOMES);

export const TestUserType = builder.objectRef<TestUser>('TestUser').implement({
  description: 'A sandbox fan with a fixed code instead of an SMS.',
  fields: (t) => ({
    id: t.id({ description: 'The ID of the fan.', resolve: ({ fan }) => fan.id }),
    phone: t.string({ description: 'E.164; the number is fictional.', resolve: ({ fan }) => fan.phone ?? '' }),
    code: t.exposeString('code'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    isShared: t.boolean({
      description: 'Whether every partner can use it, and not yours alone.',
      resolve: ({ partner }) => partner === null,
    }),
    walletAddress: t.loadable({
      type: 'String',
      nullable: true,
      description: 'Its wallet on the test network, base58.',
      load: async (ids: string[], call) => {
        const wallets = await call.context.em.find(Wallet, { fan: { $in: ids } as never });
        const byFan = new Map<string, string>(wallets.map(({ fan, address }) => [fan.id, address]));
        return ids.map((id) => byFan.get(id));
      },
      resolve: ({ fan }) => fan.id,
    }),
  }),
});

export const TestEventType = entityType('TestEvent', Event);

export const TicketTypeType = builder.objectRef<TicketType>('TicketType').implement({
  description: 'A kind of ticket of a test event.',
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
});

TestEventType.implement({
  description: 'A test event that tickets are for.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `svc_event_id` of the Fan API.' }),
    name: t.exposeString('name'),
    venue: t.exposeString('venue', { nullable: true }),
    startsAt: t.expose('startsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Tickets are shown until then.' }),
    timeZone: t.exposeString('timeZone', { description: 'IANA name of the time zone in which its times are shown.' }),
    tixEventId: t.exposeString('tixEventId', { description: 'Address of the onchain account, base58.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    registeredAt: t.expose('registeredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was first seen onchain; null until then.',
    }),
    isShared: t.boolean({
      description: 'Whether every partner can use it, and not yours alone.',
      resolve: ({ partner }) => partner === null,
    }),
    ticketTypes: t.loadableList({ type: TicketTypeType, ...rowsBy(TicketType, 'event', { orderBy: { id: 'asc' } }) }),
  }),
});

const ListingType = builder.objectRef<Listing>('Listing').implement({
  description: 'A ticket for sale, as read from the chain.',
  fields: (t) => ({
    id: t.exposeID('id'),
    marketplace: t.exposeString('marketplace', { description: 'Base58.' }),
    price: t.string({ description: 'Lamports.', resolve: ({ price }) => String(price) }),
    openedAt: t.expose('openedAt', { type: 'DateTime' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    outcome: t.expose('outcome', { type: ListingOutcomeType, nullable: true, description: 'Null while it is open.' }),
  }),
});

const TicketNode = entityType('Ticket', Ticket);

TicketNode.implement({
  description: 'A test ticket.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The `svc_ticket_id` of the Fan API.' }),
    tixTicketId: t.exposeString('tixTicketId', { description: 'The onchain ticket ID, base58.' }),
    purchasedAt: t.expose('purchasedAt', { type: 'DateTime' }),
    holder: t.loadable({
      type: TestUserType,
      nullable: true,
      description:
        'The test user whose wallet holds it; null where the wallet is nobody’s here, or another partner’s test user’s.',
      load: async (ids: string[], call) => {
        const where = { $and: [{ fan: { $in: ids } }, ownOrShared(call)] } as FilterQuery<TestUser>;
        const users = await call.context.em.find(TestUser, where, { populate: ['fan'] });
        const byFan = new Map<string, TestUser>(users.map((user) => [user.fan.id, user]));
        return ids.map((id) => byFan.get(id));
      },
      resolve: ({ owner }) => owner?.id ?? null,
    }),
    ticketType: t.loadable({
      type: TicketTypeType,
      load: async (ids: string[], call) => {
        const types = await call.context.em.find(TicketType, { id: { $in: ids as Id<'typ'>[] } });
        const byId = new Map<string, TicketType>(types.map((each) => [each.id, each]));
        return ids.map((id) => byId.get(id) ?? new Error(`there is no ${id}`));
      },
      resolve: ({ ticketType }) => ticketType.id,
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
});

export const PermitType = entityType('Permit', Permit);

PermitType.implement({
  description:
    'The onchain right to a test ticket of yours. Without a valid permit, your clients do not see the ticket.',
  fields: (t) => ({
    id: t.exposeID('id'),
    tixPermitId: t.exposeString('tixPermitId', { description: 'Address of the onchain account, base58.' }),
    state: t.field({ type: PermitStateType, resolve: stateOf }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', nullable: true }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true }),
    ticket: t.field({ type: TicketNode, resolve: ({ ticket }) => ticket.id }),
    openListing: t.loadable({
      type: ListingType,
      description: 'Its offer for sale now; null where there is none.',
      ...rowBy(Listing, 'permit', { where: { closedAt: null } }),
    }),
    listings: t.loadableList({
      type: ListingType,
      description: 'Newest first.',
      ...rowsBy(Listing, 'permit', { orderBy: { id: 'desc' } }),
    }),
  }),
});

builder.queryFields((t) => ({
  testUsers: t.connection({
    type: TestUserType,
    description: 'Test users that your sandbox clients can sign in, newest first.',
    resolve: (_, page, call) =>
      pageOf<TestUser>(
        call.context,
        TestUser,
        page,
        [ownOrShared(call)],
        { id: { property: 'fan', valueOf: (user) => (user as TestUser).fan.id } },
        ['fan'],
      ),
  }),
  testEvents: t.connection({
    type: TestEventType,
    description: 'Test events that you can use, newest first.',
    args: { over: t.arg.boolean({ description: 'Whether they have ended; both if omitted.' }) },
    resolve: (_, { over, ...page }, call) =>
      pageOf<Event>(call.context, Event, page, [
        { mode: 'sandbox' },
        ownOrShared(call),
        over != null && { endsAt: over ? { $lte: call.context.now() } : { $gt: call.context.now() } },
      ]),
  }),
  permits: t.connection({
    type: PermitType,
    description: 'Permits of your test tickets, newest first.',
    args: {
      eventId: t.arg.id(),
      fanId: t.arg.id({ description: 'Tickets that this test user holds now.' }),
      state: t.arg({ type: PermitStateType }),
    },
    resolve: async (_, { eventId, fanId, state, ...page }, call) =>
      pageOf<Permit>(call.context, Permit, page, [
        own(call),
        eventId && { ticket: { ticketType: { event: knownId('evt', eventId) } } },
        fanId && { ticket: { owner: { $in: await knownHolders(call, fanId) } } },
        state === 'revoked' && { revokedAt: { $ne: null } },
        state === 'issued' && { revokedAt: null, issuedAt: { $ne: null } },
        state === 'waiting' && { revokedAt: null, issuedAt: null },
      ]),
  }),
}));

/** The holder of a filter, where the caller knows that test user: whether another's holds a ticket is not told. */
async function knownHolders(call: PartnerCall, fanId: string): Promise<Id<'usr'>[]> {
  const where = { $and: [{ fan: knownId('usr', fanId) }, ownOrShared(call)] };
  return (await call.context.em.find(TestUser, where)).map(({ fan }) => fan.id);
}
