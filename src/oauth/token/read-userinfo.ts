import type { Context } from '../../platform/context.ts';
import { requireLiveGrant } from '../grant/live-grant.ts';
import type { AccessTokenPayload } from './verify-access-token.ts';

/** The answer of the userinfo endpoint, spec §5.12. */
export interface Userinfo {
  sub: string;
  scope: string;
  granted_actions: string[];
  grant_id: string;
  iss: string;
  aud: string;
}

/** Answers from a verified access token, without the actions that the fan has turned off. @throws DomainError of `requireLiveGrant` */
export async function readUserinfo(context: Pick<Context, 'pool'>, token: AccessTokenPayload): Promise<Userinfo> {
  const granted_actions = await requireLiveGrant(context, token);
  const { sub, scope, grant_id, iss, aud } = token;
  return { sub, scope, granted_actions, grant_id, iss, aud };
}
