import { MAX_TRANSACTION_BYTES } from '@fan-api/solana-wire/parse-transaction';
import bs58 from 'bs58';
import { RpcError } from '../rpc-error.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The longest text of the largest transaction. Decoding base58 costs the square of the length. */
const LONGEST = { base58: 1683, base64: 1644 };

/** Bytes of a transaction as a client sent them. @throws RpcError invalidParams */
export function decodeTransaction(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  const longest = LONGEST[encoding];
  if (text.length > longest) {
    const limit = `max: encoded/raw ${longest}/${MAX_TRANSACTION_BYTES}`;
    throw new RpcError('invalidParams', `${encoding} encoded transaction too large: ${text.length} bytes (${limit})`);
  }
  if (encoding === 'base64') return decodeBase64(text);
  const bytes = bs58.decodeUnsafe(text);
  if (!bytes) throw new RpcError('invalidParams', 'invalid base58 encoding of the transaction');
  return bytes;
}

/** @throws RpcError invalidParams */
function decodeBase64(text: string): Uint8Array {
  if (!BASE64.test(text)) throw new RpcError('invalidParams', 'invalid base64 encoding of the transaction');
  return Buffer.from(text, 'base64');
}
