/**
 * Secrets at rest. `KEY_ENCRYPTION_KEY` is rotated without a stop, in three rounds over all processes:
 *
 * 1. `KEY_ENCRYPTION_KEY` stays the old key, `KEY_ENCRYPTION_KEY_FALLBACK` is the new one: every process opens both.
 * 2. They change places: processes seal with the new key, and `reencrypt.ts` re-encrypts every row with it.
 * 3. Once no row needs the old key, the fallback is removed. The old key is then refused (`admit-key.ts`).
 *
 * Within a round, processes with the settings of this round and of the one before open each other's secrets.
 *
 * @module
 */
import { createSecretKey, hkdfSync, type KeyObject, type webcrypto } from 'node:crypto';
import { decryptSecret, encryptSecret, headerOf, WrongOwnerError } from './jwe.ts';

/** `KEY_ENCRYPTION_KEY` never encrypts anything itself: a key per purpose is derived from it. @see RFC 5869 (HKDF) */
interface KeyPerPurpose {
  /** Names `KEY_ENCRYPTION_KEY` in what it seals. Derived too, so it says nothing about the key. */
  id: string;
  /** Seals signing keys, wallets and ID tokens. */
  seal: webcrypto.CryptoKey;
  /** Derives the successor of a refresh token. */
  refreshSuccessor: KeyObject;
  /** Hashes SMS codes: six digits need a keyed hash. */
  smsCode: KeyObject;
  /** Hashes phone numbers and IP addresses in rate limits: few enough to enumerate, so they need a keyed hash. */
  countedKey: KeyObject;
}

export interface DerivedKeys extends KeyPerPurpose {
  /** The keys of `KEY_ENCRYPTION_KEY_FALLBACK`, which only open. */
  fallback?: KeyPerPurpose;
}

/** The part of a context that seals secrets. */
export interface WithSecrets {
  secrets: DerivedKeys;
}

/** A secret as the database stores it. */
export interface Sealed {
  /** A JWE; its header names the owner and the key. */
  sealed: string;
  /** The key's id again, so that PostgreSQL can count and find by it. */
  sealedWith: string;
}

const ID_BYTES = 9;

/** Derives the keys of each purpose. */
export function deriveKeys(keyEncryptionKey: KeyObject, fallback?: KeyObject): DerivedKeys {
  const keys = keyPerPurpose(keyEncryptionKey);
  return fallback === undefined ? keys : { ...keys, fallback: keyPerPurpose(fallback) };
}

function keyPerPurpose(master: KeyObject): KeyPerPurpose {
  return {
    id: Buffer.from(hkdfSync('sha256', master, '', 'fan-api key id', ID_BYTES)).toString('base64url'),
    seal: derive(master, 'seal').toCryptoKey('AES-GCM', false, ['encrypt', 'decrypt']),
    refreshSuccessor: derive(master, 'refresh successor'),
    smsCode: derive(master, 'sms code'),
    countedKey: derive(master, 'counted key'),
  };
}

function derive(master: KeyObject, purpose: string): KeyObject {
  const bytes = new Uint8Array(hkdfSync('sha256', master, '', `fan-api ${purpose}`, 32));
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

/** The keys of `KEY_ENCRYPTION_KEY`, then those of the fallback. */
export function bothKeys({ fallback, ...keys }: DerivedKeys): KeyPerPurpose[] {
  return fallback === undefined ? [keys] : [keys, fallback];
}

/** Encrypts a secret for the database. @param about its owner (a kid, an address); `unseal` needs the same */
export async function seal(keys: Pick<DerivedKeys, 'id' | 'seal'>, about: string, secret: Uint8Array): Promise<Sealed> {
  return { sealed: await encryptSecret(keys.seal, { kek: keys.id, kid: about }, secret), sealedWith: keys.id };
}

/** Decrypts the output of `seal`. @throws Error for another key, a changed text or another owner */
export async function unseal(keys: DerivedKeys, about: string, sealed: string): Promise<Uint8Array> {
  const { kek } = headerOf(sealed);
  // secrets from before keys had an id name none: either key may be the right one
  const named = bothKeys(keys).filter(({ id }) => kek === undefined || kek === id);
  return decryptSecret(
    named.map((key) => key.seal),
    about,
    sealed,
  ).catch((cause: unknown) => {
    if (cause instanceof WrongOwnerError) throw cause;
    throw new Error(`the secret of ${about} was sealed with another KEY_ENCRYPTION_KEY, or was changed`, { cause });
  });
}
