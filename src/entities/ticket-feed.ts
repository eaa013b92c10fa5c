import { defineEntity, p } from '@mikro-orm/core';
import { ServiceAccount } from './service-account.ts';
import { sqlIndex, uniqueSqlIndex } from './sql-index.ts';
import { Ticket } from './ticket.ts';

/**
 * The place of a ticket of the company in the feed, one row per ticket. Triggers set `pending` in the transaction of a change; a position
 * is given when somebody reads (`inventory/feed/give-positions.ts`).
 */
const TicketFeedSchema = defineEntity({
  name: 'TicketFeed',
  indexes: [
    sqlIndex('ticket_feed_pending', 'on ticket_feed (ticket_id) where pending'),
    uniqueSqlIndex('ticket_feed_position', 'on ticket_feed (position) where not pending'),
  ],
  properties: {
    ticket: () => p.oneToOne(Ticket).primary().deleteRule('cascade'),
    /** Whether it has changed since its position was given. */
    pending: p.boolean(),
    /** Null until one is given. */
    position: p.bigint().nullable(),
    /** The first change since the position was given. */
    changedAt: p.datetime(),
  },
});

export class TicketFeed extends TicketFeedSchema.class {}
TicketFeedSchema.setClass(TicketFeed);

/**
 * Positions that were given while one PostgreSQL server ran: a server that is started again, also from a backup, begins the next span. A
 * cursor names its span, so one from a time that a restored database does not know is found out.
 */
const FeedSpanSchema = defineEntity({
  name: 'FeedSpan',
  properties: {
    /** The first one identifies the database. */
    number: p.integer().primary().autoincrement(false),
    id: p.uuid(),
    /** The server and its table, as `inventory/feed/give-positions.ts` names them. */
    server: p.string().length(120),
    /** The last position that was given. */
    last: p.bigint(),
    beganAt: p.datetime(),
  },
});

export class FeedSpan extends FeedSpanSchema.class {}
FeedSpanSchema.setClass(FeedSpan);

/** How far a service account has followed the feed. */
const FeedFollowerSchema = defineEntity({
  name: 'FeedFollower',
  properties: {
    account: () => p.manyToOne(ServiceAccount).primary(),
    /** Reference of the event that it follows; empty for all. */
    event: p.string().length(200).primary(),
    /** Of the cursor that it called with last: it has read everything up to there. */
    position: p.bigint(),
    seenAt: p.datetime(),
    /** When it read its last snapshot to the end. */
    snapshotAt: p.datetime().nullable(),
  },
});

export class FeedFollower extends FeedFollowerSchema.class {}
FeedFollowerSchema.setClass(FeedFollower);
