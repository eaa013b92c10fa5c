import { decryptSecret, encryptSecret, headerOf } from './jwe.ts';
import type { KeyVault } from './vault.ts';

/** Makes and decrypts data keys, as a key management service does. */
export interface DataKeys {
  /** A new AES-256 key for one owner, and the same key encrypted. */
  generate(owner: string): Promise<{ plain: Uint8Array; encrypted: Uint8Array }>;
  /** @throws Error for another owner's, or where it was changed */
  decrypt(owner: string, encrypted: Uint8Array): Promise<Uint8Array>;
}

/**
 * Envelope encryption: each secret has a data key of its own, stored with it, encrypted by the service for this owner. Data keys are in
 * memory only while they are used.
 */
export function envelopeVault(id: string, dataKeys: DataKeys): KeyVault {
  return {
    id,
    sideBySide: 10,
    opens: (sealedWith) => sealedWith === id,
    async seal(owner, secret) {
      const { plain, encrypted } = await dataKeys.generate(owner);
      try {
        const edk = Buffer.from(encrypted).toString('base64url');
        return { sealed: await encryptSecret(plain, { kek: id, kid: owner, edk }, secret), sealedWith: id };
      } finally {
        plain.fill(0);
      }
    },
    async open(owner, sealed) {
      const { edk } = headerOf(sealed);
      if (edk === undefined) throw new Error(`the secret of ${owner} has no data key`);
      const plain = await dataKeys.decrypt(owner, Buffer.from(edk, 'base64url'));
      try {
        return await decryptSecret([plain], owner, sealed);
      } finally {
        plain.fill(0);
      }
    },
  };
}
