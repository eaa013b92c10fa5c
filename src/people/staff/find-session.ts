import type { SignedInStaff } from '../../partners/rights.ts';
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Device } from '../../platform/device.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { after } from '../../platform/time.ts';
import { staffIssuer } from './identity-provider.ts';
import { SESSION_IDLE, sessionIdOf } from './start-session.ts';

interface SessionRow {
  staff_id: Uuid;
  name: string;
  email: string | null;
  role: StaffRole;
  authenticated_at: Date | null;
}

/** One round trip; the last use is stored at most once a minute, or when it is of another device. */
const readSession = preparedWithDates<SessionRow>(`
  with seen as (
    update staff_session
    set last_seen_at = $2, address = coalesce($6, address), user_agent = coalesce($7, user_agent),
      time_zone = coalesce($8, time_zone)
    where secret_hash = $1 and last_seen_at > $3 and expires_at > $2
      and (last_seen_at <= $4 or address <> $6 or user_agent <> $7 or time_zone is distinct from coalesce($8, time_zone))
  )
  select s.staff_id, f.name, f.email, f.role, s.authenticated_at
  from staff_session s join staff f on f.id = s.staff_id
  where s.secret_hash = $1 and s.last_seen_at > $3 and s.expires_at > $2 and f.disabled_at is null and f.issuer = $5`);

/** Seconds. */
const STORE_USE_AFTER = 60;

/**
 * The member of staff behind a browser's session. The role is read on every call, so that changes apply at once. An idle
 * session may end up to a minute early, never late.
 * @param secret from the browser's cookie
 * @param device that uses it now
 */
export async function findSession(
  { pool, now, config }: Pick<Context, 'pool' | 'now' | 'config'>,
  secret: string,
  device?: Device,
): Promise<SignedInStaff | undefined> {
  const at = now();
  const secretHash = hashOf(secret);
  const [row] = await readSession(pool, [
    secretHash,
    at,
    after(at, -SESSION_IDLE),
    after(at, -STORE_USE_AFTER),
    staffIssuer(config),
    device?.address ?? null,
    device?.userAgent ?? null,
    device?.timeZone ?? null,
  ]);
  if (!row) return undefined;
  const { staff_id, authenticated_at: authenticatedAt, ...person } = row;
  return { id: idOf('stf', staff_id), ...person, authenticatedAt, scopes: null, sessionId: sessionIdOf(secretHash) };
}
