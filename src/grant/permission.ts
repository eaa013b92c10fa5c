/**
 * What a grant permits. Two answers count: the token's, which states what the fan allowed when it was issued, and that of the
 * grant's row, which every call reads anyway. An action that the fan took back is refused from the next call on (D-066).
 *
 * @module
 */
import type { Context } from '../context.ts';
import { DomainError } from '../errors.ts';
import type { Action } from '../oauth/scopes.ts';
import { type GrantClaims, requireLiveGrant } from './live-grant.ts';

/** SQL over `consent_grant g`: whether the grant has an action. @param action SQL: a placeholder or a literal */
export function grantsAction(action: string): string {
  return `${action} = any(g.actions)`;
}

/** Whether a token alone permits an action: it was requested, and the fan granted it. */
export function tokenPermits(token: GrantClaims, action: Action): boolean {
  return token.granted_actions.includes(action) && hasScope(token, action);
}

/**
 * Requires that a token permits an action. Check before that its grant is alive: a revoked grant answers 401, whatever the token permits.
 * @throws DomainError `scope_missing` (403) where it was never requested, `action_not_granted` (401) where the fan refused it
 * @see spec §5.13, spec §7
 */
export function requireAction(token: GrantClaims, action: Action): void {
  if (!hasScope(token, action)) {
    throw new DomainError('scope_missing', `The access token does not include the required scope ${action}.`);
  }
  if (!token.granted_actions.includes(action)) throw actionNotGranted(action);
}

/**
 * Requires what every call needs: a live grant, then the scope, then the granted action.
 * @throws DomainError `grant_revoked`, `scope_missing` or `action_not_granted`
 */
export async function requirePermission(
  context: Pick<Context, 'pool'>,
  token: GrantClaims,
  action: Action,
): Promise<void> {
  const actions = await requireLiveGrant(context, token);
  requireAction(token, action);
  if (!actions.includes(action)) throw actionNotGranted(action);
}

/** The refusal of an action that the fan did not grant, or took back. */
export function actionNotGranted(action: Action): DomainError {
  return new DomainError('action_not_granted', `The user has not granted the action ${action}.`);
}

function hasScope({ scope }: GrantClaims, action: Action): boolean {
  return scope.split(' ').includes(action);
}
