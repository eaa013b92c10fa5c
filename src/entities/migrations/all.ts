import { Migration } from '@mikro-orm/migrations';
import { FOUNDATION } from './2026-11-20-foundation.ts';
import { CHAIN } from './2026-11-21-chain.ts';
import { CLIENT_LOGOS, PORTAL } from './2026-11-22-portal-and-logo.ts';
import { STAFF_SIDE } from './2026-11-22-staff.ts';
import { ACTIVITY_SIDE } from './2026-11-23-activity.ts';
import { SANDBOX_SIDE } from './2026-11-23-sandbox.ts';
import { CODE_ASKED, VERIFICATION_LIMITS } from './2026-11-24.ts';
import { SETTLE_CLAIMS, TRIES_UNDER_WAY, U64_PRICES, UNREAD_PERMITS } from './2026-11-25.ts';
import { ANSWERS_AND_LATENCY } from './2026-11-26-activity.ts';
import { AUTHORITY_ROTATION } from './2026-11-26-authority-rotation.ts';
import { SESSION_DEVICES, SORTED_LISTS } from './2026-11-26-console.ts';
import { ENCRYPTION_KEYS } from './2026-11-26-custody.ts';
import { EDITS_BESIDE_APPROVED } from './2026-11-26-edits-beside-approved.ts';
import { EVENT_ZONES, SHARED_TEST_USERS } from './2026-11-26-event-zones.ts';
import { GRANT_ENDS } from './2026-11-26-grant-ends.ts';
import { CUSTODY_MOVES } from './2026-11-27-custody-moves.ts';
import { FINALITY } from './2026-11-27-finality.ts';
import { FAN_NUMBERS, PASSKEYS } from './2026-11-27-identity.ts';
import { IMPORT_RUNS } from './2026-11-27-import-runs.ts';
import { INVENTORY } from './2026-11-27-inventory.ts';
import { INVENTORY_LISTS } from './2026-11-27-inventory-lists.ts';
import { ISSUING } from './2026-11-27-issuing.ts';
import { PROPOSALS } from './2026-11-27-proposals.ts';
import { SERVICE_ACCOUNTS } from './2026-11-27-service-accounts.ts';
import { DOUBTS } from './2026-11-28-doubts.ts';
import { FLAT, FLAT_INDEXES } from './2026-11-28-flat.ts';
import { COUNTED_INDEXES } from './2026-11-29-lists.ts';
import { AUDIT_POSITION, AUDIT_POSITION_BEFORE } from './2026-12-01-audit-position.ts';
import { PARTNER_MEMBERS } from './2026-12-03-partner-members.ts';
import { FAILURES, SANDBOX_KEYS } from './2026-12-04-failures.ts';
import { NOTIFICATIONS } from './2026-12-06-notifications.ts';
import { NOTIFICATION_TRIGGERS } from './2026-12-07-notification-triggers.ts';
import { GO_LIVE_CHECK } from './2026-12-08-go-live-check.ts';
import { MEMBER_ROLES } from './2026-12-09-member-roles.ts';
import { NOTIFICATION_END, NOTIFICATION_INDEXES } from './2026-12-10-notification-indexes.ts';
import { POLLED_AT } from './2026-12-10-polled-at.ts';
import { PRIVACY_PAGE } from './2026-12-11-privacy-page.ts';
import { SIGN_IN } from './2026-12-11-sign-in.ts';

/** The statements of every migration, in the order in which they run. A released one is never edited. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  '2026-11-20-foundation': FOUNDATION,
  '2026-11-21-chain': CHAIN,
  '2026-11-22-staff': STAFF_SIDE,
  '2026-11-22-portal': PORTAL,
  '2026-11-23-sandbox': SANDBOX_SIDE,
  '2026-11-23-activity': ACTIVITY_SIDE,
  '2026-11-24-verification-limits': VERIFICATION_LIMITS,
  '2026-11-22-client-logo': CLIENT_LOGOS,
  '2026-11-24-code-asked': CODE_ASKED,
  '2026-11-25-u64-prices': U64_PRICES,
  '2026-11-25-unread-permits': UNREAD_PERMITS,
  '2026-11-25-settle-claims': SETTLE_CLAIMS,
  '2026-11-25-tries-under-way': TRIES_UNDER_WAY,
  '2026-11-26-grant-ends': GRANT_ENDS,
  '2026-11-26-edits-beside-approved': EDITS_BESIDE_APPROVED,
  '2026-11-26-activity': ANSWERS_AND_LATENCY,
  '2026-11-26-event-zones': EVENT_ZONES,
  '2026-11-26-shared-test-users': SHARED_TEST_USERS,
  '2026-11-26-session-devices': SESSION_DEVICES,
  '2026-11-26-sorted-lists': SORTED_LISTS,
  '2026-11-26-encryption-keys': ENCRYPTION_KEYS,
  '2026-11-26-authority-rotation': AUTHORITY_ROTATION,
  '2026-11-27-inventory': INVENTORY,
  '2026-11-27-issuing': ISSUING,
  '2026-11-27-inventory-lists': INVENTORY_LISTS,
  '2026-11-27-service-accounts': SERVICE_ACCOUNTS,
  '2026-11-27-import-runs': IMPORT_RUNS,
  '2026-11-27-custody-moves': CUSTODY_MOVES,
  '2026-11-27-proposals': PROPOSALS,
  '2026-11-27-finality': FINALITY,
  '2026-11-27-fan-numbers': FAN_NUMBERS,
  '2026-11-27-passkeys': PASSKEYS,
  '2026-11-28-doubts': DOUBTS,
  '2026-11-28-flat': FLAT,
  '2026-11-28-flat-indexes': FLAT_INDEXES,
  '2026-11-29-counted-indexes': COUNTED_INDEXES,
  '2026-12-01-audit-position': AUDIT_POSITION,
  '2026-12-01-audit-position-before': AUDIT_POSITION_BEFORE,
  '2026-12-03-partner-members': PARTNER_MEMBERS,
  '2026-12-04-failures': FAILURES,
  '2026-12-05-sandbox-keys': SANDBOX_KEYS,
  '2026-12-06-notifications': NOTIFICATIONS,
  '2026-12-07-notification-triggers': NOTIFICATION_TRIGGERS,
  '2026-12-08-go-live-check': GO_LIVE_CHECK,
  '2026-12-09-member-roles': MEMBER_ROLES,
  '2026-12-10-notification-end': NOTIFICATION_END,
  '2026-12-10-notification-indexes': NOTIFICATION_INDEXES,
  '2026-12-10-polled-at': POLLED_AT,
  '2026-12-11-privacy-page': PRIVACY_PAGE,
  '2026-12-11-sign-in': SIGN_IN,
};

/** PostgreSQL's code for a lock that was not had in time. */
export const LOCK_TIMEOUT_SQLSTATE = '55P03';

/** Whoever reads or writes the table waits behind a migration that waits for its lock. */
const LOCK_TIMEOUT = "set local lock_timeout = '2s'";
/** A role may have a limit for its requests. */
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
