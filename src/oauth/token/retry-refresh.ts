import { RefreshTokenFamily } from '../../entities/refresh-token-family.ts';
import type { WithSecrets } from '../../keys/seal.ts';
import type { Context } from '../../platform/context.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { OAuthError } from '../../platform/oauth-error.ts';
import type { WithActivity } from '../../record/activity/activity-log.ts';
import { wasAnswered } from '../../record/activity/was-answered.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { revokeGrantWithin } from '../grant/revoke-grant.ts';
import { refuseClientFirst } from './known-client.ts';
import { askToRepeat } from './lost-answer.ts';
import { hashesOf, heldSuccessorOf, type RefreshTokenValue } from './refresh-token.ts';
import { type PresentedToken, type Rotated, rotateTo } from './rotate-family.ts';
import { type PresentedFamily, readFamily } from './statements.ts';

type RetryContext = Pick<Context, 'em' | 'pool' | 'config' | 'now' | 'requestId' | 'log'> & WithSecrets & WithActivity;

/**
 * What becomes of a refresh token that is not current. The immediate predecessor gets the same successor again within the client's retry
 * window, and once more where its rotation was never answered (D-226). Any other is reused: its family and grant end.
 * @throws OAuthError `invalid_grant`, `invalid_scope`
 * @see RFC 9700 §4.14.2
 */
export async function retryRefresh(context: RetryContext, presented: PresentedToken): Promise<Rotated> {
  const { client, token, narrowed, now } = presented;
  const { handleHash, secretHash } = hashesOf(token);
  const [family] = await readFamily(context.pool, [handleHash, secretHash, client, now]);
  if (!family?.own) throw await refuseClientFirst(context, client, invalidGrant());
  if (family.ended || !family.live) throw invalidGrant();
  const isLost = !family.current && !family.retryable && (await wasLost(context, family));
  if (!family.current && !family.retryable && !isLost) {
    await revokeFamily(context, client, handleHash, family.grant_id);
    throw invalidGrant();
  }
  if (narrowed?.some((scope) => !family.scope.split(' ').includes(scope))) throw tooWide();
  // it did not rotate, and would now: its grant or client came to life in between
  if (family.current) throw invalidGrant();
  const value = heldSuccessorOf(token, context.secrets, family.secret_hash);
  // undefined where a KEY_ENCRYPTION_KEY derived it that is not configured any more
  if (value === undefined) throw invalidGrant();
  return isLost ? repeat(context, presented, family, value) : { family, value };
}

async function wasLost(context: RetryContext, { rotated_in, rotated_at }: PresentedFamily): Promise<boolean> {
  return rotated_in !== null && rotated_at !== null && !(await wasAnswered(context, rotated_in, rotated_at));
}

/**
 * Makes a rotation again whose answer was lost. Of several repeats at once one succeeds, and the others are asked to repeat. The successor
 * is the same for every sender of the token, so there is one chain.
 */
async function repeat(
  context: RetryContext,
  presented: PresentedToken,
  family: PresentedFamily,
  successor: RefreshTokenValue,
): Promise<Rotated> {
  const rotated = await rotateTo(context, presented, successor, family.rotated_in);
  if (rotated === undefined) throw askToRepeat();
  const { requestId } = context;
  context.log.warn({ requestId, grant: idOf('grant', family.grant_id) }, 'a refresh whose answer was lost is repeated');
  return rotated;
}

/**
 * Spec §5.10: reuse revokes the family. Its grant ends too, since access tokens cannot be revoked one by one. The family's own mark stops a
 * rotation that waits for its row, and still sees the grant as it was. Committed before the refusal.
 */
async function revokeFamily(context: RetryContext, client: Uuid, handleHash: string, grantUuid: Uuid): Promise<void> {
  const actor = `client:${idOf('client', client)}`;
  const grantId = idOf('grant', grantUuid);
  await context.em.fork().transactional(async (em) => {
    const within = { ...context, em };
    const revokedAt = context.now();
    const revoked = await em.nativeUpdate(RefreshTokenFamily, { handleHash, revokedAt: null }, { revokedAt });
    if (revoked === 1) recordAudit(within, { actor, action: 'refresh_token.reused', subject: grantId });
    await revokeGrantWithin(within, { grantId, reason: 'refresh_token_reuse', actor });
  });
}

function tooWide(): OAuthError {
  return new OAuthError('invalid_scope', 'scope is wider than the original grant');
}

/** The refusal of a refresh token. @see RFC 6749 §5.2 */
export function invalidGrant(): OAuthError {
  return new OAuthError('invalid_grant', 'refresh_token is invalid, expired or revoked');
}
