import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

/**
 * Keys derived from `KEY_ENCRYPTION_KEY`, one per purpose; it never encrypts anything itself.
 * @see RFC 5869 (HKDF), RFC 7516 (JWE, `dir` with A256GCM)
 */
export interface DerivedKeys {
  /** Seals signing keys and wallets. */
  seal: Uint8Array;
  /** Derives the successor of a refresh token. */
  refreshSuccessor: Uint8Array;
  /** Hashes SMS codes: six digits need a keyed hash. */
  smsCode: Uint8Array;
  /** Hashes phone numbers and IP addresses in rate limits: few enough to enumerate, so they need a keyed hash. */
  countedKey: Uint8Array;
}

/** The part of a context that seals secrets. */
export interface WithSecrets {
  secrets: DerivedKeys;
}

/** Derives the keys of each purpose. @param keyEncryptionKey 32 bytes in base64url */
export function deriveKeys(keyEncryptionKey: string): DerivedKeys {
  const master = Buffer.from(keyEncryptionKey, 'base64url');
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', master, '', `fan-api ${purpose}`, 32));
  return {
    seal: derive('seal'),
    refreshSuccessor: derive('refresh successor'),
    smsCode: derive('sms code'),
    countedKey: derive('counted key'),
  };
}

/** Encrypts a secret for the database. @param about its owner (a kid, an address); `unseal` needs the same */
export async function seal(keys: Pick<DerivedKeys, 'seal'>, about: string, secret: Uint8Array): Promise<string> {
  return new CompactEncrypt(secret).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: about }).encrypt(keys.seal);
}

/** Decrypts the output of `seal`. @throws Error for another key, a changed text or another owner */
export async function unseal(keys: Pick<DerivedKeys, 'seal'>, about: string, sealed: string): Promise<Uint8Array> {
  const { plaintext, protectedHeader } = await compactDecrypt(sealed, keys.seal, {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM'],
  }).catch((cause: unknown) => {
    throw new Error(`the secret of ${about} was sealed with another KEY_ENCRYPTION_KEY, or was changed`, { cause });
  });
  if (protectedHeader.kid !== about)
    throw new Error(`a sealed secret belongs to ${protectedHeader.kid}, not to ${about}`);
  return plaintext;
}
