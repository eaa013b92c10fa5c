import { codeChallengeOf, randomValue } from '@fan-api/sdk';
import type { Pieces } from './authorize-url.ts';

/** New values for all that must never be used twice: verifier and challenge, state, nonce. */
export async function withNewSecrets(pieces: Pieces): Promise<Pieces> {
  const withState = renewed(renewed(pieces, 'state', randomValue()), 'nonce', randomValue());
  return withVerifier(withState, randomValue());
}

/** A verifier, and the challenge that follows from it. */
export async function withVerifier(pieces: Pieces, verifier: string): Promise<Pieces> {
  return { ...renewed(pieces, 'code_challenge', await codeChallengeOf(verifier)), verifier };
}

function renewed(pieces: Pieces, name: 'state' | 'nonce' | 'code_challenge', value: string): Pieces {
  const { parameters } = pieces;
  return { ...pieces, parameters: { ...parameters, [name]: { ...parameters[name], value } } };
}
