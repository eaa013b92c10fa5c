import bs58 from 'bs58';
import { RpcError } from '../rpc-error.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes of a transaction as a client sent them. @throws RpcError invalidParams */
export function decodeTransaction(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  if (encoding === 'base64') return decodeBase64(text);
  // Base58 of the largest transaction; beyond, decoding would cost the square of the length for nothing.
  const bytes = text.length > 1683 ? undefined : bs58.decodeUnsafe(text);
  if (!bytes) throw new RpcError('invalidParams', 'invalid base58 encoding of the transaction');
  return bytes;
}

/** @throws RpcError invalidParams */
export function decodeBase64(text: string): Uint8Array {
  if (!BASE64.test(text)) throw new RpcError('invalidParams', 'invalid base64 encoding of the transaction');
  return Buffer.from(text, 'base64');
}
