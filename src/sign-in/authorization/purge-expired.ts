import type { Context } from '../../platform/context.ts';
import { deleteInTurns, oldRowsOf } from '../../platform/database/in-batches.ts';
import { after } from '../../platform/time.ts';

/** Seconds in which a reused code or a late click still gets its own answer. */
const KEPT_AFTER_EXPIRY = 24 * 3600;

const EXPIRING = [
  oldRowsOf('authorization_code', 'expires_at'),
  oldRowsOf('authorization_session', 'expires_at'),
  oldRowsOf('refresh_token_family', 'expires_at'),
  oldRowsOf('portal_session', 'expires_at'),
  oldRowsOf('passkey_challenge', 'expires_at'),
  oldRowsOf('support_code', 'expires_at'),
  oldRowsOf('phone_tries', 'window_ends_at'),
];

/** Deletes what expired a day ago. @param limit ends the run at the end of a batch */
export async function purgeExpired({ pool, now }: Pick<Context, 'pool' | 'now'>, limit?: AbortSignal): Promise<void> {
  const before = after(now(), -KEPT_AFTER_EXPIRY);
  await deleteInTurns(
    EXPIRING.map((begin) => begin(pool, before)),
    limit,
  );
}
