import { DomainError } from '../errors.ts';
import type { Action } from '../oauth/scopes.ts';
import type { AccessTokenPayload } from './verify-access-token.ts';

/**
 * What a grant permits is asked twice: of the token, which says what the fan allowed when it was issued, and of the grant's
 * row, which each call reads anyway (`grantsAction`): an action that the fan took back is refused from the next call on.
 */

/** SQL over `consent_grant g`: whether the grant has the action of a placeholder or literal. */
export function grantsAction(action: string): string {
  return `${action} = any(g.actions)`;
}

/**
 * Whether a token's grant permits an action. The grant must be known to be alive already: a revoked one answers 401
 * before this question is asked.
 * @throws DomainError `scope_missing` where it was never asked for (403), `action_not_granted` where the fan refused it (401)
 * @see spec §5.13, §7
 */
export function requireAction(token: AccessTokenPayload, action: Action): void {
  if (!token.scope.split(' ').includes(action)) {
    throw new DomainError('scope_missing', `The access token does not include the required scope ${action}.`);
  }
  if (!token.granted_actions.includes(action)) throw actionNotGranted(action);
}

/** The refusal of an action that the fan did not grant, or took back. */
export function actionNotGranted(action: Action): DomainError {
  return new DomainError('action_not_granted', `The user has not granted the action ${action}.`);
}

/** Whether `requireAction` would pass. */
export function permits(token: AccessTokenPayload, action: Action): boolean {
  return token.granted_actions.includes(action) && token.scope.split(' ').includes(action);
}
