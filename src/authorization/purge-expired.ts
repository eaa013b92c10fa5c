import type { Context } from '../context.ts';
import { deleteOldFrom } from '../database/in-batches.ts';
import { after } from '../oauth/lifetimes.ts';

/** Seconds in which a reused code or a late click still gets its own answer. */
const KEPT_AFTER_EXPIRY = 24 * 3600;

const EXPIRING = [
  deleteOldFrom('authorization_code', 'expires_at'),
  deleteOldFrom('authorization_session', 'expires_at'),
  deleteOldFrom('refresh_token_family', 'expires_at'),
  deleteOldFrom('portal_session', 'expires_at'),
  deleteOldFrom('passkey_challenge', 'expires_at'),
  deleteOldFrom('support_code', 'expires_at'),
  deleteOldFrom('phone_tries', 'window_ends_at'),
];

/** Deletes what expired a day ago. @param limit ends the run at the end of a batch */
export async function purgeExpired({ pool, now }: Pick<Context, 'pool' | 'now'>, limit?: AbortSignal): Promise<void> {
  const before = after(now(), -KEPT_AFTER_EXPIRY);
  for (const deleteOld of EXPIRING) await deleteOld(pool, before, limit);
}
