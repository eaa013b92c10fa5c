import type { webcrypto } from 'node:crypto';
import { CompactEncrypt, type CompactJWEHeaderParameters, compactDecrypt, decodeProtectedHeader } from 'jose';

type Key = webcrypto.CryptoKey | Uint8Array;

export interface SealedHeader {
  /** Id of the key that seals: `sealed_with` of the row. */
  kek: string;
  /** The owner of the secret: a kid, an address. */
  kid: string;
  /** The encrypted data key in base64url, where each secret has one of its own. */
  edk?: string;
}

/** Encrypts a secret. @see RFC 7516 (JWE, `dir` with A256GCM) */
export function encryptSecret(key: Key, header: SealedHeader, secret: Uint8Array): Promise<string> {
  return new CompactEncrypt(secret).setProtectedHeader({ ...header, alg: 'dir', enc: 'A256GCM' }).encrypt(key);
}

/**
 * Decrypts a secret with the first key that opens it.
 * @param owner the one for whom it was encrypted
 * @throws Error where none opens it, or it belongs to another owner
 */
export async function decryptSecret(keys: readonly Key[], owner: string, sealed: string): Promise<Uint8Array> {
  const { plaintext, protectedHeader } = await Promise.any(
    keys.map((key) =>
      compactDecrypt(sealed, key, { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }),
    ),
  );
  if (protectedHeader.kid === owner) return plaintext;
  plaintext.fill(0);
  throw new WrongOwnerError(`a sealed secret belongs to ${protectedHeader.kid}, not to ${owner}`);
}

/** The header, which nothing has authenticated yet. Empty where it can't be read. */
export function headerOf(sealed: string): CompactJWEHeaderParameters & Partial<SealedHeader> {
  try {
    return decodeProtectedHeader(sealed) as CompactJWEHeaderParameters;
  } catch {
    return { alg: '', enc: '' };
  }
}

/** The secret of one row was put into another. */
export class WrongOwnerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongOwnerError';
  }
}
