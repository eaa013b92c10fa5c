import { Migration } from '@mikro-orm/migrations';
import { FOUNDATION } from './2026-11-20-foundation.ts';
import { CHAIN } from './2026-11-21-chain.ts';
import { CLIENT_LOGOS, PORTAL } from './2026-11-22-portal-and-logo.ts';
import { STAFF_SIDE } from './2026-11-22-staff.ts';
import { ACTIVITY_SIDE } from './2026-11-23-activity.ts';
import { SANDBOX_SIDE } from './2026-11-23-sandbox.ts';
import { CODE_ASKED, VERIFICATION_LIMITS } from './2026-11-24.ts';
import { SETTLE_CLAIMS, TRIES_UNDER_WAY, U64_PRICES, UNREAD_PERMITS } from './2026-11-25.ts';

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
};

export const MIGRATIONS = Object.entries(STATEMENTS).map(([name, statements]) => ({
  name,
  class: class extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  },
}));
