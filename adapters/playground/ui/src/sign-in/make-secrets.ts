import { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Pieces } from './authorize-url.ts';

/** The challenge of a verifier: BASE64URL(SHA256(verifier)). @see RFC 7636 §4.2 */
export function challengeOf(verifier: string): Promise<string> {
  return calculatePKCECodeChallenge(verifier);
}

/** New values for all that must never be used twice: verifier and challenge, state, nonce. */
export async function withNewSecrets(pieces: Pieces): Promise<Pieces> {
  const withState = renewed(renewed(pieces, 'state', randomState()), 'nonce', randomNonce());
  return withVerifier(withState, randomPKCECodeVerifier());
}

/** A verifier, and the challenge that follows from it. */
export async function withVerifier(pieces: Pieces, verifier: string): Promise<Pieces> {
  return { ...renewed(pieces, 'code_challenge', await challengeOf(verifier)), verifier };
}

export function newVerifier(): string {
  return randomPKCECodeVerifier();
}

export function newValue(name: 'state' | 'nonce'): string {
  return name === 'state' ? randomState() : randomNonce();
}

function renewed(pieces: Pieces, name: 'state' | 'nonce' | 'code_challenge', value: string): Pieces {
  const { parameters } = pieces;
  return { ...pieces, parameters: { ...parameters, [name]: { ...parameters[name], value } } };
}
