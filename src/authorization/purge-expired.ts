import type { Context } from '../context.ts';
import { AuthorizationCode } from '../entities/authorization-code.ts';
import { AuthorizationSession } from '../entities/authorization-session.ts';
import { PhoneTries } from '../entities/code-limits.ts';
import { SupportCode } from '../entities/former-number.ts';
import { PasskeyChallenge } from '../entities/passkey.ts';
import { PortalSession } from '../entities/portal-session.ts';
import { RefreshTokenFamily } from '../entities/refresh-token-family.ts';
import { after } from '../oauth/lifetimes.ts';

/** Seconds in which a reused code or a late click still gets its own answer. */
const KEPT_AFTER_EXPIRY = 24 * 3600;

/** Deletes what expired a day ago. */
export async function purgeExpired({ em, now }: Pick<Context, 'em' | 'now'>): Promise<void> {
  const before = { $lt: after(now(), -KEPT_AFTER_EXPIRY) };
  await em.nativeDelete(AuthorizationCode, { expiresAt: before });
  await em.nativeDelete(AuthorizationSession, { expiresAt: before });
  await em.nativeDelete(RefreshTokenFamily, { expiresAt: before });
  await em.nativeDelete(PortalSession, { expiresAt: before });
  await em.nativeDelete(PasskeyChallenge, { expiresAt: before });
  await em.nativeDelete(SupportCode, { expiresAt: before });
  await em.nativeDelete(PhoneTries, { windowEndsAt: before });
}
