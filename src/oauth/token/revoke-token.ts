import { RefreshTokenFamily } from '../../entities/refresh-token-family.ts';
import type { WithKeys } from '../../keys/key-ring.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import type { Context, SqlContext, WithConfig, WriteContext } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type Id, isId } from '../../platform/identifier/type-id.ts';
import { revokeGrant } from '../grant/revoke-grant.ts';
import { asRefreshToken, hashesOf } from './refresh-token.ts';
import { verifyAccessToken } from './verify-access-token.ts';

/**
 * Revokes an access or refresh token at its client's request. Both end the grant, since an access token cannot be revoked alone. A token
 * that is unknown, expired or another client's is not an error.
 * @see RFC 7009 §2
 */
export async function revokeToken(
  context: WriteContext & SqlContext & WithConfig & WithKeys & WithTokenClock,
  clientId: string,
  token: string,
): Promise<void> {
  const grantId =
    (await grantOfRefreshToken(context, clientId, token)) ?? (await grantOfAccessToken(context, clientId, token));
  if (grantId === undefined) return;
  await revokeGrant(context, { grantId, reason: 'revoked_by_client', actor: `client:${clientId}` });
}

async function grantOfRefreshToken(
  { em }: Pick<Context, 'em'>,
  clientId: string,
  text: string,
): Promise<Id<'grant'> | undefined> {
  const token = asRefreshToken(text);
  if (token === undefined || !isId('client', clientId)) return undefined;
  // the handle finds the family of any of its tokens, rotated ones too
  const family = await em.findOne(RefreshTokenFamily, { handleHash: hashesOf(token).handleHash, client: clientId });
  return family?.grant.id;
}

async function grantOfAccessToken(
  context: Pick<Context, 'config' | 'now'> & WithKeys & WithTokenClock,
  clientId: string,
  text: string,
): Promise<Id<'grant'> | undefined> {
  try {
    const token = await verifyAccessToken(context, text);
    return token.client_id === clientId && isId('grant', token.grant_id) ? token.grant_id : undefined;
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'unavailable') return undefined;
    throw error;
  }
}
