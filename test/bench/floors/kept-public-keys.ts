import { createPublicKey, type KeyObject } from 'node:crypto';
import { addressOf } from '@fan-api/solana-wire/base58';

/** DER prefix of a raw Ed25519 key. @see RFC 8410 §4 */
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Imports raw Ed25519 keys and keeps them: importing one costs a third of a verification. */
export function keptPublicKeys(): (raw: Uint8Array | undefined) => KeyObject {
  const kept = new Map<string, KeyObject>();
  return (raw = Buffer.alloc(0)) => {
    const id = addressOf(raw);
    const der = Buffer.concat([PUBLIC_KEY_PREFIX, raw]);
    const key = kept.get(id) ?? createPublicKey({ key: der, format: 'der', type: 'spki' });
    kept.set(id, key);
    return key;
  };
}
