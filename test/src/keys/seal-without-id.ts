import { hkdfSync, type KeyObject } from 'node:crypto';
import { CompactEncrypt } from 'jose';

/** As the releases sealed whose keys had no id. */
export function sealWithoutId(keyEncryptionKey: KeyObject, about: string, secret: Uint8Array): Promise<string> {
  const key = new Uint8Array(hkdfSync('sha256', keyEncryptionKey, '', 'fan-api seal', 32));
  return new CompactEncrypt(secret).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: about }).encrypt(key);
}
