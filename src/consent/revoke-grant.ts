import { recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { ConsentGrant } from '../entities/consent-grant.ts';

/** Why a grant ended. */
export type RevocationReason = 'code_reuse' | 'refresh_token_reuse' | 'revoked_by_client';

/**
 * Ends a grant and with it every token issued under it, at once: refresh tokens and Fan API calls read its row. Repeating
 * it changes nothing.
 */
export async function revokeGrant(
  { em, now, requestId }: Pick<Context, 'em' | 'now' | 'requestId'>,
  grantId: string,
  reason: RevocationReason,
  actor: string,
): Promise<void> {
  await em.fork().transactional(async (tx) => {
    const revoked = await tx.nativeUpdate(
      ConsentGrant,
      { id: grantId, revokedAt: null },
      { revokedAt: now(), revokedReason: reason },
    );
    if (revoked === 0) return;
    recordAudit({ em: tx, now, requestId }, { actor, action: 'grant.revoked', subject: grantId, details: { reason } });
  });
}
