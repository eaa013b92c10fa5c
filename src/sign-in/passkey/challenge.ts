import { randomBytes } from 'node:crypto';
import { PasskeyChallenge, type PasskeyPurpose } from '../../entities/passkey.ts';
import type { Config } from '../../platform/config/config.ts';
import type { EntityContext, SqlContext } from '../../platform/context.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { DomainError } from '../../platform/errors.ts';
import { after } from '../../platform/time.ts';

/** Seconds in which the browser has to answer. */
export const CHALLENGE_LIFETIME = 300;

/** COSE numbers of the signatures that passkeys may make: EdDSA, ES256, RS256. @see RFC 9053, RFC 8812 */
export const SIGNATURES = [-8, -7, -257];

/** The owner of a challenge: a sign-in or a visit to the portal, each of which is bound to one browser. */
export interface ChallengeOwner {
  /** Such as `sess_…`, or `portal` and the hash of the cookie's secret. */
  owner: string;
  purpose: PasskeyPurpose;
}

/** The relying party of all passkeys: the host of the login pages, which the portal shares. @see WebAuthn Level 3 §5.1.2 */
export function relyingParty({ loginUrl, operator }: Pick<Config, 'loginUrl' | 'operator'>) {
  const { hostname, origin } = new URL(loginUrl);
  return { id: hostname, origin, name: operator.name ?? 'Fan account' };
}

/** Makes a challenge, base64url, which replaces the one before. */
export async function newChallenge({ em, now }: EntityContext, { owner, purpose }: ChallengeOwner): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  await em.upsert(PasskeyChallenge, { owner, purpose, challenge, expiresAt: after(now(), CHALLENGE_LIFETIME) });
  return challenge;
}

const take = prepared<{ challenge: string }>(
  'delete from passkey_challenge where owner = $1 and purpose = $2 and expires_at > $3 returning challenge',
);

/**
 * Uses a challenge up: of several calls at the same time, one gets it.
 * @throws DomainError `passkey_refused` where there is none
 */
export async function takeChallenge({ pool, now }: SqlContext, { owner, purpose }: ChallengeOwner): Promise<string> {
  const [taken] = await take(pool, [owner, purpose, now()]);
  if (!taken) throw refused('This took too long, or was done in another tab. Try again.');
  return taken.challenge;
}

export function refused(message: string, cause?: unknown): DomainError {
  return new DomainError('passkey_refused', message, { cause });
}
