import type { SqlContext, WithConfig } from '../platform/context.ts';
import { deleteInTurns, oldRowsOf, type Unused, unusedRowsOf } from '../platform/database/in-batches.ts';
import { after, DAY } from '../platform/time.ts';
import { dropLogDay, makeNextLogDays } from './request-log-days.ts';

/** Counts of five minutes and of hours serve the charts of the last hour and day. */
const FINE_COUNTS_KEPT = 2 * DAY;
const DAILY_COUNTS_KEPT = 31 * DAY;
/** So that a reused code or a late click still gets its own answer. */
const EXPIRED_KEPT = DAY;

/** What is kept of fans who are gone: ended grants, and accounts without tickets, sales and use. 24 months. */
const PEOPLE_KEPT = 730 * DAY;

/** Rows of a table that are deleted some time after a timestamp of theirs. */
interface Retention {
  table: string;
  /** Column of the timestamp: it has an index, or the table is small. A `bigint` is in milliseconds since the epoch. */
  column: string;
  type?: 'timestamptz' | 'date' | 'bigint';
  /** Seconds. */
  kept: number;
  /** SQL of a condition; other rows stay. */
  only?: string;
}

const expiring = (kept: number, ...tables: string[]): Retention[] =>
  tables.map((table) => ({ table, column: 'expires_at', kept }));

/** Everything that is deleted after its time. Listings, claims, their grants, and the audit log stay. */
const RETENTIONS: readonly Retention[] = [
  ...expiring(EXPIRED_KEPT, 'authorization_code', 'authorization_session', 'refresh_token_family', 'portal_session'),
  ...expiring(EXPIRED_KEPT, 'phone_challenge', 'passkey_challenge', 'support_code'),
  { table: 'phone_tries', column: 'window_ends_at', kept: EXPIRED_KEPT },
  ...expiring(0, 'account_session', 'account_link', 'provider_sign_in'),
  ...['traffic', 'latency'].flatMap((table) => [
    { table, column: 'bucket', kept: FINE_COUNTS_KEPT, only: 'span_minutes = 5' },
    { table, column: 'bucket', kept: FINE_COUNTS_KEPT, only: 'span_minutes = 60' },
    { table, column: 'bucket', kept: DAILY_COUNTS_KEPT, only: 'span_minutes = 1440' },
  ]),
  { table: 'rate_limit', column: 'expire', type: 'bigint', kept: 0 },
  { table: 'code_traffic', column: 'minute', kept: 7 * DAY },
  { table: 'code_budget', column: 'day', type: 'date', kept: 90 * DAY },
  // the cost of each day is kept
  { table: 'issue_transaction', column: 'created_at', kept: 30 * DAY, only: "state not in ('open', 'landed')" },
  { table: 'import_failure', column: 'at', kept: 30 * DAY },
  // with their attempts
  { table: 'notification', column: 'ended_at', kept: 30 * DAY, only: "state <> 'waiting'" },
  { table: 'go_live_attempt', column: 'started_at', kept: 30 * DAY, only: 'ended_at is not null' },
  // the sheets of the others belong to a review
  { table: 'go_live_run', column: 'expires_at', kept: 180 * DAY, only: 'production_client_id is null' },
];

/** Grants first: an account that has none left goes in the next run. */
export const UNUSED: readonly Unused[] = [
  {
    table: 'consent_grant',
    column: 'revoked_at',
    unless: [
      'listing_signature.grant_id',
      'claim.grant_id',
      'authorization_code.grant_id',
      'refresh_token_family.grant_id',
    ],
  },
  {
    table: 'fan',
    column: 'number_vouched_at',
    unless: [
      ...[
        'consent_grant.fan_id',
        'ticket.owner_id',
        'ticket.named_holder_id',
        'custody_move.from_fan_id',
        'custody_move.to_fan_id',
      ],
      ...['kill_switch.fan_id', 'test_user.fan_id', 'sandbox_kit.fan_id', 'authorization_session.fan_id'],
    ],
    only: `greatest(x.number_proved_at, x.deleted_at, x.created_at) < $1
      and not exists (select from passkey k where k.fan_id = x.id and coalesce(k.last_used_at, k.created_at) >= $1)`,
    with: ['wallet', 'fan_id'],
  },
];

const PURGES_OF_UNUSED = UNUSED.map(unusedRowsOf);

const PURGES = RETENTIONS.map(({ table, column, type = 'timestamptz', kept, only }) => ({
  kept,
  type,
  old: oldRowsOf(table, column, only, type === 'bigint' ? '0::bigint' : `'-infinity'::${type}`),
}));

/** Rows from before the request log had days. */
const undatedRequests = oldRowsOf('request_log', 'at');

/**
 * Deletes rows whose time is over, and drops such days of the request log, after making its next ones.
 * @param limit ends the run at the end of a batch
 */
export async function purge({ pool, now, config }: SqlContext & WithConfig, limit?: AbortSignal): Promise<void> {
  const tables = PURGES.map(({ kept, type, old }) => {
    const before = after(now(), -kept);
    return old(pool, type === 'bigint' ? BigInt(before.getTime()) : before);
  });
  const unused = PURGES_OF_UNUSED.map((old) => old(pool, after(now(), -PEOPLE_KEPT)));
  const logBegins = after(now(), -config.requestLog.days * DAY);
  const deleteUndated = undatedRequests(pool, after(logBegins, -DAY));
  const log = [() => makeNextLogDays(pool, now()), async () => (await dropLogDay(pool, logBegins)) || deleteUndated()];
  await deleteInTurns([...log, ...tables, ...unused], limit);
}
