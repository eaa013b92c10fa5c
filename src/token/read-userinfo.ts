import type { Context } from '../context.ts';
import { requireLiveGrant } from '../grant/live-grant.ts';
import type { WithKeys } from '../keys/key-ring.ts';
import { verifyAccessToken } from './verify-access-token.ts';

/** The answer of the userinfo endpoint, spec §5.12. */
export interface Userinfo {
  sub: string;
  scope: string;
  granted_actions: string[];
  grant_id: string;
  iss: string;
  aud: string;
}

/** What an access token says of its fan. @throws DomainError as `verifyAccessToken` and `requireLiveGrant` */
export async function readUserinfo(
  context: Pick<Context, 'pool' | 'config' | 'now'> & WithKeys,
  accessToken: string,
): Promise<Userinfo> {
  const token = await verifyAccessToken(context, accessToken);
  const granted_actions = await requireLiveGrant(context, token);
  const { sub, scope, grant_id, iss, aud } = token;
  return { sub, scope, granted_actions, grant_id, iss, aud };
}
