import { RefreshTokenFamily } from '../../entities/refresh-token-family.ts';
import type { Context, WriteContext } from '../../platform/context.ts';
import { idOf, type Uuid } from '../../platform/identifier/type-id.ts';
import { recordAudit } from '../../record/audit/record-audit.ts';
import { revokeGrantWithin } from '../grant/revoke-grant.ts';
import { askToRepeat, spendOnce } from './lost-answer.ts';
import { hashesOf, type RefreshTokenValue } from './refresh-token.ts';
import { type FamilyRow, type GivenRotation, type PresentedFamily, rotate } from './statements.ts';

/** A refresh request whose client and token are well-formed. */
export interface PresentedToken {
  client: Uuid;
  token: RefreshTokenValue;
  narrowed: string[] | undefined;
  now: Date;
}

/** A family after its rotation, and its current refresh token. */
export interface Rotated {
  family: FamilyRow;
  value: RefreshTokenValue;
}

/**
 * Replaces a current token with its successor.
 * @param repeated the ID of the request whose rotation is repeated
 * @returns undefined where the token is not current, the family, grant or client not live, or `narrowed` too wide
 * @throws DomainError of `spendOnce`
 */
export async function rotateTo(
  context: Pick<Context, 'pool' | 'config' | 'requestId'>,
  { client, token, narrowed, now }: PresentedToken,
  successor: RefreshTokenValue,
  repeated: string | null = null,
): Promise<Rotated | undefined> {
  const { handleHash, secretHash } = hashesOf(token);
  const next = hashesOf(successor).secretHash;
  const given: GivenRotation = {
    handle_hash: handleHash,
    secret_hash: secretHash,
    client,
    next,
    now,
    narrowed: narrowed?.join(' ') ?? '',
    request: context.requestId,
    repeated,
  };
  const family = await spendOnce(context, rotate, given);
  return family && { family, value: successor };
}

/**
 * Repeats a rotation whose answer was lost. Of several concurrent repeats one succeeds; the clients of the others get 503 and try again.
 * Every repeat derives the same successor, so the chain of tokens never forks.
 * @throws DomainError of `askToRepeat`, of `spendOnce`
 */
export async function repeatRotation(
  context: Pick<Context, 'pool' | 'config' | 'requestId' | 'log'>,
  presented: PresentedToken,
  family: PresentedFamily,
  successor: RefreshTokenValue,
): Promise<Rotated> {
  const rotated = await rotateTo(context, presented, successor, family.rotated_in);
  if (rotated === undefined) throw askToRepeat();
  const { requestId } = context;
  context.log.warn({ requestId, grant: idOf('grant', family.grant_id) }, 'repeated a refresh whose answer was lost');
  return rotated;
}

/**
 * Revokes the family of a reused token (spec §5.10), and the grant, since access tokens cannot be revoked one by one. Without the mark in
 * the family, a rotation that waits for its row would still see the grant as live. Commits before the caller refuses the request.
 */
export async function revokeFamily(context: WriteContext, reused: PresentedToken, grant: Uuid): Promise<void> {
  const { handleHash } = hashesOf(reused.token);
  const actor = `client:${idOf('client', reused.client)}`;
  const grantId = idOf('grant', grant);
  await context.em.fork().transactional(async (em) => {
    const within = { ...context, em };
    const revokedAt = context.now();
    const revoked = await em.nativeUpdate(RefreshTokenFamily, { handleHash, revokedAt: null }, { revokedAt });
    if (revoked === 1) recordAudit(within, { actor, action: 'refresh_token.reused', subject: grantId });
    await revokeGrantWithin(within, { grantId, reason: 'refresh_token_reuse', actor });
  });
}
