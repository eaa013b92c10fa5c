import { type Follower, listFollowers, MOST_BEHIND } from '../src/inventory/feed/followers.ts';
import { positionOf, readNewEnd } from '../src/inventory/feed/give-positions.ts';
import { cursorAt, eventToFollow, GIVING_MS, readChanges } from '../src/inventory/feed/read-feed.ts';
import type { TicketLine } from '../src/inventory/feed/ticket-line.ts';
import { builder, right } from './builder.ts';
import { checkPageSize, pageSizeOf } from './lists.ts';

type Listing = NonNullable<TicketLine['listing']>;
type Sale = NonNullable<TicketLine['sale']>;

const ChangeListingType = builder.objectRef<Listing>('TicketChangeListing').implement({
  fields: (t) => ({
    marketplace: t.exposeString('marketplace', { description: 'Base58.' }),
    price: t.expose('price', { type: 'BigInt', description: 'Lamports.' }),
    at: t.expose('at', { type: 'DateTime' }),
  }),
});

const ChangeSaleType = builder.objectRef<Sale>('TicketChangeSale').implement({
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime' }),
    price: t.expose('price', { type: 'BigInt', description: 'Lamports.' }),
    clientId: t.id({ nullable: true, resolve: (sale) => sale.client_id }),
    transferId: t.string({ nullable: true, resolve: (sale) => sale.transfer_id }),
  }),
});

// values alone: who follows the feed may have no right to read what an object would lead to
const TicketChangeType = builder.objectRef<TicketLine>('TicketChange').implement({
  description: 'A ticket of the company as it is.',
  fields: (t) => ({
    id: t.exposeID('id'),
    reference: t.exposeString('ticket'),
    event: t.exposeString('event', { description: 'Reference of its event.' }),
    ticketType: t.string({ description: 'Reference of its type.', resolve: (line) => line.ticket_type }),
    fanId: t.id({
      nullable: true,
      description: 'Who holds it.',
      resolve: ({ holder }) => (holder && 'fan_id' in holder ? holder.fan_id : null),
    }),
    wallet: t.string({
      nullable: true,
      description: 'Where it is in a wallet that is not of this service: that wallet, base58.',
      resolve: ({ holder }) => (holder && 'wallet' in holder ? holder.wallet : null),
    }),
    label: t.exposeString('label', { nullable: true, description: 'The name of the seat.' }),
    status: t.exposeString('status', { description: '`valid`, `refunded`, `void` or `used`.' }),
    usedAt: t.expose('used_at', { type: 'DateTime', nullable: true }),
    onchain: t.exposeString('onchain', { description: '`not needed`, `waiting`, `issued` or `closed`.' }),
    listing: t.field({ type: ChangeListingType, nullable: true, resolve: ({ listing }) => listing }),
    sale: t.field({ type: ChangeSaleType, nullable: true, description: 'The last one.', resolve: ({ sale }) => sale }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was read so.' }),
  }),
});

interface Changes {
  changes: TicketLine[];
  cursor: string;
}

const ChangesType = builder.objectRef<Changes>('TicketChanges').implement({
  fields: (t) => ({
    changes: t.expose('changes', {
      type: [TicketChangeType],
      description: 'Each ticket once, in the order of the feed.',
    }),
    cursor: t.exposeString('cursor', { description: 'For the next call.' }),
  }),
});

const FollowerType = builder.objectRef<Follower>('FeedFollower').implement({
  description: 'A service account that follows the feed of tickets.',
  fields: (t) => ({
    id: t.id({ resolve: ({ account, event }) => `${account} ${event ?? ''}` }),
    accountId: t.exposeID('account'),
    name: t.exposeString('name'),
    event: t.exposeString('event', { nullable: true, description: 'Reference of the event; null for all.' }),
    seenAt: t.expose('seenAt', { type: 'DateTime', description: 'Its last call.' }),
    snapshotAt: t.expose('snapshotAt', { type: 'DateTime', nullable: true }),
    behind: t.int({
      description: `Tickets that it has not read since they changed, counted up to ${MOST_BEHIND.toLocaleString('en')}.`,
      resolve: ({ behind }) => Math.min(behind, MOST_BEHIND),
    }),
    hasMore: t.boolean({ description: 'Whether there are more.', resolve: ({ behind }) => behind > MOST_BEHIND }),
    behindSince: t.expose('behindSince', { type: 'DateTime', nullable: true }),
  }),
});

builder.queryFields((t) => ({
  ticketChanges: t.field({
    type: ChangesType,
    authScopes: right('inventory:read'),
    description:
      'The tickets of the company that have changed since a cursor. The feed over HTTP has their holders’ numbers, too.',
    args: {
      after: t.arg.string({
        description: 'A cursor of the feed. If omitted, nothing but the present cursor is returned.',
      }),
      event: t.arg.string({ description: 'Reference of an event; all if omitted.' }),
      first: t.arg.int({ description: 'The most changes of the answer.' }),
    },
    resolve: async (_, { after, event, first }, { context: { pool } }): Promise<Changes> => {
      checkPageSize({ first });
      const from = after == null ? undefined : await positionOf(pool, after);
      const id = await eventToFollow(pool, event ?? undefined);
      const end = await readNewEnd(pool, GIVING_MS);
      let position = from ?? end.position;
      const changes: TicketLine[] = [];
      for await (const page of readChanges(
        pool,
        { after: position, upto: end.position, event: id },
        pageSizeOf({ first }),
      )) {
        changes.push(...page.lines);
        position = page.position;
      }
      return { changes, cursor: cursorAt(end, position) };
    },
  }),
  feedFollowers: t.field({
    type: [FollowerType],
    authScopes: right('console:read'),
    description: 'Who follows the feed of tickets, the last one to call first: at most 100.',
    resolve: (_, _args, { context: { pool } }) => listFollowers(pool),
  }),
}));
