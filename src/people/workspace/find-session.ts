/**
 * The partner workspace: the people of a partner, how they are invited, and how they sign in: by a link in an e-mail, or
 * through their partner's own OIDC provider. Their sessions are like those of staff (`staff/start-session.ts`) and apart from
 * them: neither opens the other's pages.
 *
 * @module
 */

import type { MemberRole } from '../../entities/partner-member.ts';
import type { Context } from '../../platform/context.ts';
import { preparedWithDates } from '../../platform/database/prepared.ts';
import type { Device } from '../../platform/device.ts';
import { hashOf } from '../../platform/identifier/secret-value.ts';
import { type Id, idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { after } from '../../platform/time.ts';
import { sessionIdOf } from '../staff/start-session.ts';
import { MEMBER_SESSION_IDLE } from './start-session.ts';

/** The member of a partner behind a call. */
export interface SignedInMember {
  id: Id<'mem'>;
  name: string;
  email: string;
  role: MemberRole;
  /** Everything that the member sees and changes is of this partner. */
  partner: Id<'ptn'>;
  sessionId: string;
  signedInAt: Date;
}

interface SessionRow {
  member_id: Uuid;
  name: string;
  email: string;
  role: MemberRole;
  partner_id: Uuid;
  created_at: Date;
}

/** One round trip; the last use is stored at most once a minute, or when it is of another device. */
const readSession = preparedWithDates<SessionRow>(`
  with seen as (
    update partner_session
    set last_seen_at = $2, address = coalesce($5, address), user_agent = coalesce($6, user_agent),
      time_zone = coalesce($7, time_zone)
    where secret_hash = $1 and last_seen_at > $3 and expires_at > $2
      and (last_seen_at <= $4 or address <> $5 or user_agent <> $6 or time_zone is distinct from coalesce($7, time_zone))
  )
  select s.member_id, m.name, m.email, m.role, m.partner_id, s.created_at
  from partner_session s join partner_member m on m.id = s.member_id
  where s.secret_hash = $1 and s.last_seen_at > $3 and s.expires_at > $2 and m.revoked_at is null`);

/** Seconds. */
const STORE_USE_AFTER = 60;

/**
 * The member behind a browser's session, read on every call, so that a revocation applies at once.
 * @param secret from the browser's cookie
 * @param device that uses it now
 */
export async function findMemberSession(
  { pool, now }: Pick<Context, 'pool' | 'now'>,
  secret: string,
  device?: Device,
): Promise<SignedInMember | undefined> {
  const at = now();
  const secretHash = hashOf(secret);
  const [row] = await readSession(pool, [
    secretHash,
    at,
    after(at, -MEMBER_SESSION_IDLE),
    after(at, -STORE_USE_AFTER),
    device?.address ?? null,
    device?.userAgent ?? null,
    device?.timeZone ?? null,
  ]);
  if (!row) return undefined;
  return {
    id: idOf('mem', row.member_id),
    name: row.name,
    email: row.email,
    role: row.role,
    partner: idOf('ptn', row.partner_id),
    sessionId: sessionIdOf(secretHash),
    signedInAt: row.created_at,
  };
}
