import type { Action } from '../../partners/scopes.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { type GrantClaims, requireLiveGrant } from './live-grant.ts';

// An action must be in the token and in the grant's row, so an action that the fan turns off is refused from the next call on.

/** SQL over `consent_grant g`: whether the grant has an action. @param action SQL: a placeholder or a literal */
export function grantsAction(action: string): string {
  return `${action} = any(g.actions)`;
}

/** Whether a token permits an action, apart from its grant's row: the client requested it and the fan granted it. */
export function tokenPermits(token: GrantClaims, action: Action): boolean {
  return token.granted_actions.includes(action) && hasScope(token, action);
}

/**
 * Requires that a token permits an action. Check the grant first: for a revoked grant the answer is 401, whatever the token permits.
 * @throws DomainError `scope_missing` (403) where the client did not request it, `action_not_granted` (401) where the fan refused it
 * @see spec §5.13, spec §7
 */
export function requireAction(token: GrantClaims, action: Action): void {
  if (!hasScope(token, action)) {
    throw new DomainError('scope_missing', `The access token does not include the required scope ${action}.`);
  }
  if (!token.granted_actions.includes(action)) throw actionNotGranted(action);
}

/** Requires a live grant, then the scope, then the action. @throws DomainError `grant_revoked`, `scope_missing` or `action_not_granted` */
export async function requirePermission(
  context: Pick<Context, 'pool'>,
  token: GrantClaims,
  action: Action,
): Promise<void> {
  const actions = await requireLiveGrant(context, token);
  requireAction(token, action);
  if (!actions.includes(action)) throw actionNotGranted(action);
}

/** The error for an action that the fan did not grant, or turned off. */
export function actionNotGranted(action: Action): DomainError {
  return new DomainError('action_not_granted', `The user has not granted the action ${action}.`);
}

function hasScope({ scope }: GrantClaims, action: Action): boolean {
  return scope.split(' ').includes(action);
}
