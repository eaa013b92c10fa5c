import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DataKeys } from '../../../src/keys/envelope-vault.ts';
import { DomainError } from '../../../src/platform/errors.ts';

/** A key management service in memory: each data key opens for its owner only. It keeps every key that it ever gave out. */
export interface DataKeysStandIn extends DataKeys {
  calls: string[];
  given: Uint8Array[];
  down: boolean;
}

export function standInDataKeys(): DataKeysStandIn {
  const master = randomBytes(32);
  const note = (call: string, owner: string) => {
    if (service.down) throw new DomainError('unavailable', 'The key service is down.', { retryAfter: 5 });
    service.calls.push(`${call} ${owner}`);
  };
  const service: DataKeysStandIn = {
    calls: [],
    given: [],
    down: false,
    async generate(owner) {
      note('generate', owner);
      const plain = new Uint8Array(randomBytes(32));
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', master, iv).setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      service.given.push(plain);
      return { plain, encrypted };
    },
    async decrypt(owner, encrypted) {
      note('decrypt', owner);
      const decipher = createDecipheriv('aes-256-gcm', master, encrypted.subarray(0, 12)).setAAD(Buffer.from(owner));
      decipher.setAuthTag(encrypted.subarray(44));
      const plain = new Uint8Array(Buffer.concat([decipher.update(encrypted.subarray(12, 44)), decipher.final()]));
      service.given.push(plain);
      return plain;
    },
  };
  return service;
}
