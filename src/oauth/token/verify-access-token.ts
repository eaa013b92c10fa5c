import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { VerificationKey, WithKeys } from '../../keys/key-ring.ts';
import type { WithTokenClock } from '../../partners/client/token-clock.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { tryUuidOf } from '../../platform/identifier/type-id.ts';
import { MODES } from '../../platform/mode.ts';
import { API_AUDIENCE } from './issue-tokens.ts';

/** The payload of an access token: exactly the claims of spec §5.11. */
export const AccessTokenPayload = z.strictObject({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  client_id: z.string(),
  scope: z.string(),
  granted_actions: z.array(z.string()),
  grant_id: z.string(),
  mode: z.enum(MODES),
  jti: z.string(),
  iat: z.int(),
  exp: z.int(),
});
export type AccessTokenPayload = z.infer<typeof AccessTokenPayload>;

/** A partner sends each token many times. Of a cached token, the key and the expiry are checked again, and the grant by each caller. */
const verified = new LRUCache<string, { kid: string; key: VerificationKey; payload: AccessTokenPayload }>({
  max: 5_000,
});

/**
 * Verifies a bearer token: signature by one of our published keys, RS256 only, `typ`, issuer, audience, expiry. The
 * grant is not checked here: a caller that needs it live checks it in a query of its own.
 * @throws DomainError `access_token_malformed`, `access_token_expired` or `access_token_invalid`
 * @see RFC 9068 §4
 */
export async function verifyAccessToken(context: VerifyContext, token: string): Promise<AccessTokenPayload> {
  const { keys, config } = context;
  const known = verified.get(token);
  // a retired key verifies no token, not even one that is cached
  if (known !== undefined && (await keys.verificationKey(known.kid)) === known.key)
    return unexpired(context, known.payload);
  const kid = kidOf(token);
  const key = await keys.verificationKey(kid);
  if (key === undefined) throw invalid('it is signed by an unknown key');
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer: config.authUrl,
      audience: API_AUDIENCE,
      // no token has expired at this date: `unexpired` checks the expiry by the client's clock
      currentDate: new Date(0),
    });
    const parsed = ofKey(key, AccessTokenPayload.parse(payload));
    verified.set(token, { kid, key, payload: parsed });
    return unexpired(context, parsed);
  } catch (error) {
    throw refusal(error);
  }
}

type VerifyContext = Pick<Context, 'config' | 'now'> & WithKeys & WithTokenClock;

/** Refuses a payload of another client where the key was made for one sandbox client (D-303). */
function ofKey({ client }: VerificationKey, payload: AccessTokenPayload): AccessTokenPayload {
  if (client === null || (payload.mode === 'sandbox' && tryUuidOf('client', payload.client_id) === client))
    return payload;
  throw invalid('its key signs tokens of another client');
}

/** @throws DomainError `access_token_expired` */
function unexpired({ tokenClock, now }: VerifyContext, payload: AccessTokenPayload): AccessTokenPayload {
  if (tokenClock.hasExpired(payload, now()))
    throw new DomainError('access_token_expired', 'The access token has expired.');
  return payload;
}

function kidOf(token: string): string {
  try {
    const { kid } = decodeProtectedHeader(token);
    if (typeof kid === 'string') return kid;
  } catch (cause) {
    throw new DomainError('access_token_malformed', 'The access token is not a JWT.', { cause });
  }
  throw invalid('its header has no kid');
}

function refusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof errors.JWTClaimValidationFailed) {
    return invalid(error.claim === 'typ' ? 'it is not an access token' : `its ${error.claim} is wrong`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return invalid('its algorithm is not RS256');
  if (error instanceof errors.JWSSignatureVerificationFailed) return invalid('its signature does not match');
  if (error instanceof errors.JOSEError || error instanceof z.ZodError) return invalid('it was not issued here');
  throw error;
}

function invalid(reason: string): DomainError {
  return new DomainError('access_token_invalid', `The access token is invalid: ${reason}.`);
}
