import { RefreshTokenFamily } from '../../../src/entities/refresh-token-family.ts';
import { hashesOf, newRefreshToken } from '../../../src/oauth/token/refresh-token.ts';
import { actionsOf } from '../../../src/partners/scopes.ts';
import { after } from '../../../src/platform/time.ts';
import type { ServiceContext } from '../../../src/runtime.ts';
import type { StarterKit } from '../../../src/sandbox/starter-kit.ts';
import { createGrant } from './create-grant.ts';
import { SCOPE } from './issue-codes.ts';
import { signedInFan } from './signed-in-fan.ts';

/** Issues refresh tokens of a test user, each of a grant of its own. */
export async function issueRefreshTokens(context: ServiceContext, kit: StarterKit, count: number): Promise<string[]> {
  const fan = await signedInFan(context, kit);
  const { em, now, config } = context;
  const tokens = Array.from({ length: count }, () => {
    const token = newRefreshToken();
    em.create(RefreshTokenFamily, {
      ...hashesOf(token),
      client: kit.client_id,
      grant: createGrant(context, kit, fan, SCOPE, actionsOf(SCOPE.split(' '))),
      authenticatedAt: now(),
      expiresAt: after(now(), config.refreshTokenTtl),
    });
    return token;
  });
  await em.flush();
  return tokens;
}
