import { createHmac, randomBytes } from 'node:crypto';
import { bothKeys, type DerivedKeys } from '../../keys/seal.ts';
import { hashOf, type SecretValue } from '../../platform/identifier/secret-value.ts';

/**
 * A refresh token: `rt_`, then in base64url a 16-byte handle, which all tokens of a family share, and a 32-byte secret. The next secret is
 * derived from the replaced token, so a retry gets the same successor although only hashes are stored.
 */
export type RefreshTokenValue = SecretValue<'refresh_token'>;

export interface RefreshTokenHashes {
  handleHash: string;
  secretHash: string;
}

const FORMAT = /^rt_[A-Za-z0-9_-]{64}$/;
const HANDLE_BYTES = 16;
const SECRET_BYTES = 32;

/** The first token of a new family. */
export function newRefreshToken(): RefreshTokenValue {
  return compose(randomBytes(HANDLE_BYTES), randomBytes(SECRET_BYTES));
}

/** The token that replaces `token`; deterministic. */
export function successorOf(
  token: RefreshTokenValue,
  secrets: Pick<DerivedKeys, 'refreshSuccessor'>,
): RefreshTokenValue {
  const secret = createHmac('sha256', secrets.refreshSuccessor).update(token).digest();
  return compose(bytesOf(token).subarray(0, HANDLE_BYTES), secret);
}

/**
 * The successor of `token` whose secret has the stored hash. During a rotation of KEY_ENCRYPTION_KEY another process may have
 * derived the secret with the other key.
 */
export function heldSuccessorOf(
  token: RefreshTokenValue,
  secrets: DerivedKeys,
  secretHash: string,
): RefreshTokenValue | undefined {
  return bothKeys(secrets)
    .map((keys) => successorOf(token, keys))
    .find((successor) => hashesOf(successor).secretHash === secretHash);
}

/** The text as a refresh token; undefined where it is malformed. */
export function asRefreshToken(text: string): RefreshTokenValue | undefined {
  return FORMAT.test(text) ? (text as RefreshTokenValue) : undefined;
}

/** The hashes of a token, as the database stores them. */
export function hashesOf(token: RefreshTokenValue): RefreshTokenHashes {
  const bytes = bytesOf(token);
  return {
    handleHash: hashOf(bytes.subarray(0, HANDLE_BYTES).toString('base64url')),
    secretHash: hashOf(bytes.subarray(HANDLE_BYTES).toString('base64url')),
  };
}

function bytesOf(token: RefreshTokenValue): Buffer {
  return Buffer.from(token.slice('rt_'.length), 'base64url');
}

function compose(handle: Uint8Array, secret: Uint8Array): RefreshTokenValue {
  return `rt_${Buffer.concat([handle, secret]).toString('base64url')}` as RefreshTokenValue;
}
