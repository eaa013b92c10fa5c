import { codeChallengeOf } from '@fan-api/sdk';
import { describe, expect, test } from 'vitest';
import {
  authorizeUrl,
  sentParameters,
  startingPieces,
  toggleScope,
  withValues,
} from '../../../../adapters/public/playground/ui/src/sign-in/authorize-url.ts';
import { withNewSecrets } from '../../../../adapters/public/playground/ui/src/sign-in/make-secrets.ts';

const ENDPOINT = 'https://auth.example/oauth2/authorize';

describe('the authorize request of the playground', () => {
  test('has the pieces that are sent, in order, each value encoded so that it arrives as typed', () => {
    const pieces = withValues(startingPieces(), { state: 'a b&c=d+é', client_id: 'client_1' });
    const url = new URL(authorizeUrl(ENDPOINT, pieces));
    expect(url.searchParams.get('state')).toBe('a b&c=d+é');
    expect(url.search).toContain('openid%20profile');
    expect([...url.searchParams.keys()]).toEqual(sentParameters(pieces).map(([name]) => name));
    expect(url.searchParams.has('prompt')).toBe(false);
  });

  test('takes invalid pieces as they are, and leaves out what is not sent', () => {
    const pieces = withValues(startingPieces(), { response_type: 'token', scope: '', code_challenge: undefined });
    const { searchParams } = new URL(authorizeUrl(ENDPOINT, pieces));
    expect(searchParams.get('response_type')).toBe('token');
    expect(searchParams.get('scope')).toBe('');
    expect(searchParams.has('code_challenge')).toBe(false);
  });

  test('a scope is added at the end, and taken out wherever it stands', () => {
    expect(toggleScope('openid  profile', 'fan:claims:write')).toBe('openid profile fan:claims:write');
    expect(toggleScope('openid profile', 'openid')).toBe('profile');
  });
});

test('RFC 7636 §4.1: every attempt has a new verifier, its challenge, a new state and a new nonce', async () => {
  const [first, second] = [await withNewSecrets(startingPieces()), await withNewSecrets(startingPieces())];
  for (const { verifier, parameters } of [first, second]) {
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/);
    expect(parameters.code_challenge.value).toBe(await codeChallengeOf(verifier));
  }
  expect(first.verifier).not.toBe(second.verifier);
  for (const name of ['state', 'nonce'] as const) {
    expect(first.parameters[name].value).not.toBe(second.parameters[name].value);
  }
});
