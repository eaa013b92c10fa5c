import { expect, it } from 'vitest';
import { requireAction } from '../../../../src/oauth/grant/permission.ts';
import type { AccessTokenPayload } from '../../../../src/oauth/token/verify-access-token.ts';

function token(scope: string, actions: string[]): AccessTokenPayload {
  const other = { iss: 'i', aud: 'svc-api', sub: 's', client_id: 'c', grant_id: 'g', jti: 'j', iat: 0, exp: 1 };
  return { ...other, mode: 'sandbox', scope, granted_actions: actions };
}

it('spec §5.13: an action is permitted where it was asked for and granted', () => {
  expect(requireAction(token('openid fan:tickets:read', ['fan:tickets:read']), 'fan:tickets:read')).toBeUndefined();
});

it.each([
  ['', []],
  ['fan:tickets:write', ['fan:tickets:write']],
  ['fan:tickets:read:all', ['fan:tickets:read:all']],
  ['openid fan:read', ['fan:read']],
  ['openid', ['fan:tickets:read']],
])('spec §7: a token of the scope "%s" lacks the permission (403)', (scope, actions) => {
  const refusal = expect.objectContaining({ code: 'scope_missing' });
  expect(() => requireAction(token(scope, actions), 'fan:tickets:read')).toThrow(refusal);
});

it('spec §7: a token whose granted_actions lack the action is refused (401), after the scope', () => {
  const refusal = expect.objectContaining({ code: 'action_not_granted' });
  expect(() => requireAction(token('fan:tickets:read', []), 'fan:tickets:read')).toThrow(refusal);
  expect(() => requireAction(token('fan:tickets:read', ['fan:read']), 'fan:tickets:read')).toThrow(refusal);
});
