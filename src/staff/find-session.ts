import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import type { StaffRole } from '../entities/staff.ts';
import { hashOf } from '../identifier/secret-value.ts';
import { idOf, type Uuid } from '../identifier/type-id.ts';
import { after } from '../oauth/lifetimes.ts';
import { staffIssuer } from './identity-provider.ts';
import type { SignedInStaff } from './rights.ts';
import { SESSION_IDLE, sessionIdOf } from './start-session.ts';

interface SessionRow {
  staff_id: Uuid;
  name: string;
  email: string | null;
  role: StaffRole;
  authenticated_ms: number | null;
}

/** One round trip; the last use is written down at most once a minute. */
const readSession = prepared<SessionRow>(`
  with seen as (
    update staff_session set last_seen_at = $2
    where secret_hash = $1 and last_seen_at > $3 and last_seen_at <= $4 and expires_at > $2
  )
  select s.staff_id, f.name, f.email, f.role, (extract(epoch from s.authenticated_at) * 1000)::float8 as authenticated_ms
  from staff_session s join staff f on f.id = s.staff_id
  where s.secret_hash = $1 and s.last_seen_at > $3 and s.expires_at > $2 and f.disabled_at is null and f.issuer = $5`);

const WRITTEN_AT_MOST_EACH = 60;

/**
 * Who a browser's session stands for. Role and standing are read on every call, so both change at once. An idle session
 * may end up to a minute early, never late.
 * @param secret what the browser's cookie holds
 */
export async function findSession(
  { pool, now, config }: Pick<Context, 'pool' | 'now' | 'config'>,
  secret: string,
): Promise<SignedInStaff | undefined> {
  const at = now();
  const secretHash = hashOf(secret);
  const [row] = await readSession(pool, [
    secretHash,
    at,
    after(at, -SESSION_IDLE),
    after(at, -WRITTEN_AT_MOST_EACH),
    staffIssuer(config),
  ]);
  if (!row) return undefined;
  return {
    id: idOf('stf', row.staff_id),
    name: row.name,
    email: row.email,
    role: row.role,
    authenticatedAt: row.authenticated_ms === null ? null : new Date(row.authenticated_ms),
    scopes: null,
    sessionId: sessionIdOf(secretHash),
  };
}
