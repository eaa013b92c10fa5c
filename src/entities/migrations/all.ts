import { Migration } from '@mikro-orm/migrations';
import { TABLES } from './2026-11-24-baseline.ts';
import { NOTIFICATION_TRIGGERS } from './2026-11-24-notification-triggers.ts';
import { TRIGGERS } from './2026-11-24-triggers.ts';
import {
  REQUEST_LOG_BOUND,
  REQUEST_LOG_BOUND_CHECKED,
  REQUEST_LOG_BY_DAY,
  REQUEST_LOG_INDEXES,
} from './2026-11-25-request-log-by-day.ts';
import { AUDIT_DETACHED } from './2026-11-26-audit-detached.ts';
import { ENDED_ACCESS } from './2026-11-28-ended-access.ts';
import { LEAVING, LEAVING_INDEXES } from './2026-11-28-leaving.ts';
import {
  ENDED_RESALE,
  RESALE_INDEX,
  RESALE_OF_EVENT,
  RESALE_OF_TYPE,
  STOPPED_MARKETPLACES,
  STOPPED_MARKETPLACES_INDEX,
} from './2026-11-28-resale.ts';
import {
  FEED_OF_CLAIM,
  FEED_OF_FAN,
  FEED_OF_LISTING,
  FEED_OF_MOVE,
  FEED_OF_PERMIT,
  FEED_OF_TICKET,
  TICKET_FEED,
} from './2026-11-28-ticket-feed.ts';
import { FEED_OF_QUEUE, ISSUE_FOR_GRANT, ISSUE_FOR_TICKET, ISSUE_ON_DEMAND } from './2026-11-29-issue-on-demand.ts';

/** The first migration. A database that has others, but not this one, is from before the first release. */
export const BASELINE = '2026-11-24-baseline';

/** The statements of each migration, in the order in which they run, named after the day they were made. A released one is never edited. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  [BASELINE]: [...TABLES, ...TRIGGERS, ...NOTIFICATION_TRIGGERS],
  '2026-11-25-request-log-indexes': REQUEST_LOG_INDEXES,
  '2026-11-25-request-log-bound': REQUEST_LOG_BOUND,
  '2026-11-25-request-log-bound-checked': REQUEST_LOG_BOUND_CHECKED,
  '2026-11-25-request-log-by-day': REQUEST_LOG_BY_DAY,
  '2026-11-26-audit-detached': AUDIT_DETACHED,
  '2026-11-27-request-path': ['alter table request_log add column path varchar(200) null'],
  '2026-11-28-ended-access': ENDED_ACCESS,
  '2026-11-28-close-sent': ['alter table event add column close_sent_at timestamptz null'],
  '2026-11-28-payments': [
    `create table "payment_day" ("mode" text not null, "day" varchar(10) not null, "purpose" varchar(40) not null,
      "transactions" int not null, "fees" bigint not null, "rest" bigint not null, primary key ("mode", "day", "purpose"))`,
    `create table "payment_cursor" ("mode" text not null, "payer" varchar(44) not null, "signature" varchar(88) null,
      "slot" bigint not null default '0', "look_at" timestamptz not null, primary key ("mode", "payer"))`,
    ...['payment_day', 'payment_cursor'].map(
      (table) =>
        `alter table "${table}" add constraint "${table}_mode_check" check ("mode" in ('sandbox', 'production'))`,
    ),
  ],
  '2026-11-28-close-sent-index': [
    'drop index concurrently if exists event_close_sent',
    'create index concurrently event_close_sent on event (mode, id) where close_sent_at is not null and closed_at is null',
  ],
  '2026-11-28-used-tickets': [
    'alter table ticket add column used_at timestamptz null, add column label varchar(80) null',
    'alter table ticket drop constraint ticket_status_check',
    `alter table ticket add constraint ticket_status_check check (status in ('valid', 'refunded', 'void', 'used')) not valid`,
  ],
  '2026-11-28-used-tickets-checked': ['alter table ticket validate constraint ticket_status_check'],
  '2026-11-28-leaving': LEAVING,
  '2026-11-28-leaving-indexes': LEAVING_INDEXES,
  '2026-11-28-ticket-feed': TICKET_FEED,
  '2026-11-28-ticket-feed-ticket': FEED_OF_TICKET,
  '2026-11-28-ticket-feed-permit': FEED_OF_PERMIT,
  '2026-11-28-ticket-feed-listing': FEED_OF_LISTING,
  '2026-11-28-ticket-feed-claim': FEED_OF_CLAIM,
  '2026-11-28-ticket-feed-fan': FEED_OF_FAN,
  '2026-11-28-ticket-feed-move': FEED_OF_MOVE,
  '2026-11-28-resale-type': RESALE_OF_TYPE,
  '2026-11-28-resale-event': RESALE_OF_EVENT,
  '2026-11-28-resale-index': RESALE_INDEX,
  '2026-11-28-resale-ended': ENDED_RESALE,
  '2026-11-28-client-marketplaces': [`alter table client add column marketplaces text[] not null default '{}'`],
  '2026-11-28-stopped-marketplaces': STOPPED_MARKETPLACES,
  '2026-11-28-stopped-marketplaces-index': STOPPED_MARKETPLACES_INDEX,
  '2026-11-29-issue-on-demand': ISSUE_ON_DEMAND,
  '2026-11-29-issue-for-grant': ISSUE_FOR_GRANT,
  '2026-11-29-issue-for-ticket': ISSUE_FOR_TICKET,
  '2026-11-29-feed-of-queue': FEED_OF_QUEUE,
};

/** PostgreSQL's code for a lock that was not obtained in time. */
export const LOCK_TIMEOUT_SQLSTATE = '55P03';

/** Every read or write of the table waits behind a migration that waits for its lock. */
const LOCK_TIMEOUT = "set local lock_timeout = '2s'";
/** The role may have a limit meant for requests. */
const NO_TIME_LIMIT = 'set local statement_timeout = 0';

/**
 * Each runs in a transaction of its own. One with an index that is built concurrently runs outside of transactions, as PostgreSQL demands;
 * where it fails midway it runs again, so each of its statements may run twice.
 */
export function migrationOf(name: string, statements: readonly string[]) {
  return {
    name,
    statements,
    class: class extends Migration {
      override isTransactional(): boolean {
        return !isConcurrent(statements);
      }

      override up(): void {
        const all = isConcurrent(statements)
          ? ['set statement_timeout = 0', ...statements, 'reset statement_timeout']
          : [LOCK_TIMEOUT, NO_TIME_LIMIT, ...statements];
        for (const statement of all) this.addSql(statement);
      }
    },
  };
}

export const MIGRATIONS = Object.entries(STATEMENTS).map(([name, statements]) => migrationOf(name, statements));

function isConcurrent(statements: readonly string[]): boolean {
  return statements.some((statement) => /\bindex concurrently\b/i.test(statement));
}
