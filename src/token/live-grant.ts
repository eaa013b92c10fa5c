import type { Context } from '../context.ts';
import { prepared } from '../database/prepared.ts';
import { DomainError } from '../errors.ts';
import { tryUuidOf } from '../identifier/type-id.ts';
import { clientStopped, fanStopped } from '../kill-switch/stopped.ts';
import type { Action } from '../oauth/scopes.ts';
import { actionNotGranted, requireAction } from './require-action.ts';
import type { AccessTokenPayload } from './verify-access-token.ts';

/**
 * A grant is alive while the fan (or a breach) has not revoked it, its client may be used, and staff have stopped neither
 * the client nor the fan. Every call made with a token asks this anew, so what ends a grant takes effect on the next call.
 */
export const LIVE_GRANT = `(g.revoked_at is null and c.status in ('sandbox-ready', 'enabled')
  and not exists (${clientStopped('c.id')}) and not exists (${fanStopped('g.fan_id')}))`;

const readGrant = prepared<{ live: boolean; actions: string[] }>(
  `select ${LIVE_GRANT} as live, g.actions from consent_grant g join client c on c.id = g.client_id where g.id = $1`,
);

/**
 * @returns the actions that the token still gives: those that it was issued with and the fan has not taken back since
 * @throws DomainError `grant_revoked` where the token's grant is not alive
 */
export async function requireLiveGrant({ pool }: Pick<Context, 'pool'>, token: AccessTokenPayload): Promise<string[]> {
  const [grant] = await readGrant(pool, [grantUuid(token)]);
  if (!grant?.live) throw grantRevoked();
  return token.granted_actions.filter((action) => grant.actions.includes(action));
}

/**
 * What a call must fulfil before anything else is said of it: a live grant, then the scope, then the granted action.
 * @throws DomainError `grant_revoked`, `scope_missing` or `action_not_granted`
 */
export async function requirePermission(
  context: Pick<Context, 'pool'>,
  token: AccessTokenPayload,
  action: Action,
): Promise<void> {
  const actions = await requireLiveGrant(context, token);
  requireAction(token, action);
  if (!actions.includes(action)) throw actionNotGranted(action);
}

/** The `uuid` of the token's grant. @throws DomainError `access_token_invalid` */
export function grantUuid(token: AccessTokenPayload): string {
  const uuid = tryUuidOf('grant', token.grant_id);
  if (uuid === undefined)
    throw new DomainError('access_token_invalid', 'The access token is invalid: its grant_id is wrong.');
  return uuid;
}

/** The refusal of a token whose grant is not alive. */
export function grantRevoked(): DomainError {
  return new DomainError('grant_revoked', 'The access that this token stands for has been revoked.');
}
