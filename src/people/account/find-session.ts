import type { Audience } from '../../entities/account.ts';
import type { MemberRole } from '../../entities/partner-member.ts';
import type { SignedInStaff } from '../../partners/rights.ts';
import type { SqlContext, WithConfig } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Device } from '../../platform/device.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import type { StaffRole } from '../../platform/staff-role.ts';
import { after } from '../../platform/time.ts';
import { staffIssuer } from './account.ts';
import { SESSION_IDLE, sessionIdOf } from './sessions.ts';

/** The member of a partner behind a call. */
export interface SignedInMember {
  id: Id<'mem'>;
  name: string;
  email: string;
  role: MemberRole;
  /** Everything that the member sees and changes belongs to this partner. */
  partner: Id<'ptn'>;
  sessionId: string;
  signedInAt: Date;
}

interface SessionRow {
  account_id: Uuid;
  authenticated_at: Date | null;
  created_at: Date;
  name: string;
  email: string | null;
  staff_role: StaffRole | null;
  member_role: MemberRole | null;
  partner_id: Uuid | null;
}

/** One round trip; the last use is stored at most once a minute, or when it is of another device. */
const readSession = preparedWithDates<SessionRow>(`
  with live as (
    select * from account_session where secret_hash = $1 and audience = $2 and last_seen_at > $4 and expires_at > $3
  ), seen as (
    update account_session s
    set last_seen_at = $3, address = coalesce($6, s.address), user_agent = coalesce($7, s.user_agent),
      time_zone = coalesce($8, s.time_zone)
    from live
    where s.secret_hash = live.secret_hash and (s.last_seen_at <= $5 or s.address <> $6 or s.user_agent <> $7
      or s.time_zone is distinct from coalesce($8, s.time_zone))
  )
  select live.account_id, live.authenticated_at, live.created_at, coalesce(f.name, m.name) as name,
    coalesce(f.email, m.email) as email, f.role as staff_role, m.role as member_role, m.partner_id
  from live
  left join staff f
    on live.audience = 'staff' and f.id = live.account_id and f.disabled_at is null and f.issuer = $9
  left join partner_member m on live.audience = 'member' and m.id = live.account_id and m.revoked_at is null
  where f.id is not null or m.id is not null`);

/** Seconds. */
const STORE_USE_AFTER = 60;

type FindContext = SqlContext & WithConfig;

/**
 * The account behind a browser's session. Its role is read on every call, so that changes apply immediately. An idle session may end up
 * to a minute early, never late.
 */
async function findAccount({ pool, now, config }: FindContext, audience: Audience, secret: string, device?: Device) {
  const at = now();
  const secretHash = hashOf(secret);
  const [row] = await readSession(pool, [
    secretHash,
    audience,
    at,
    after(at, -SESSION_IDLE[audience]),
    after(at, -STORE_USE_AFTER),
    device?.address ?? null,
    device?.userAgent ?? null,
    device?.timeZone ?? null,
    staffIssuer(config),
  ]);
  return row && { ...row, sessionId: sessionIdOf(secretHash) };
}

/** The member of staff behind a browser's session. @param secret from its cookie @param device that uses it now */
export async function findSession(
  context: FindContext,
  secret: string,
  device?: Device,
): Promise<SignedInStaff | undefined> {
  const found = await findAccount(context, 'staff', secret, device);
  if (!found?.staff_role) return undefined;
  const { account_id, name, email, staff_role: role, authenticated_at: authenticatedAt, sessionId } = found;
  return { id: idOf('stf', account_id), name, email, role, authenticatedAt, scopes: null, sessionId };
}

/** The member of a partner behind a browser's session. @param secret from its cookie @param device that uses it now */
export async function findMemberSession(
  context: FindContext,
  secret: string,
  device?: Device,
): Promise<SignedInMember | undefined> {
  const found = await findAccount(context, 'member', secret, device);
  if (!found?.member_role || !found.partner_id || found.email === null) return undefined;
  const { account_id, name, email, member_role: role, partner_id, created_at: signedInAt, sessionId } = found;
  return { id: idOf('mem', account_id), name, email, role, partner: idOf('ptn', partner_id), sessionId, signedInAt };
}
