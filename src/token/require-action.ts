import { DomainError } from '../errors.ts';
import type { Action } from '../oauth/scopes.ts';
import type { AccessTokenPayload } from './verify-access-token.ts';

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
  if (!token.granted_actions.includes(action)) {
    throw new DomainError('action_not_granted', `The user has not granted the action ${action}.`);
  }
}

/** Whether `requireAction` would pass. */
export function permits(token: AccessTokenPayload, action: Action): boolean {
  return token.granted_actions.includes(action) && token.scope.split(' ').includes(action);
}
