import { ChainError } from './chain-error.ts';
import { MAX_VERSION_ONE_BYTES, type ParsedTransaction, parseTransaction } from './parse-transaction.ts';

// The longest text that can hold the longest transaction; longer ones are not worth decoding.
const MAX_HEX_LENGTH = MAX_VERSION_ONE_BYTES * 2;

// A digit outside ASCII must not reach Buffer.from(text, 'hex'), which looks at the low byte of each UTF-16 unit alone.
const HEX_DIGITS = /^[0-9a-fA-F]+$/;

/** Wallets and explorers give transactions in base58, which may be base64 by chance. */
const BASE58_LETTERS = /^[1-9A-HJ-NP-Za-km-z]+$/;

/**
 * Decodes the text of one transaction: strict hex, otherwise strict base64 (standard alphabet, padded, no stray bits). An even-length
 * text of hex digits may also be valid base64: it is read as hex, and not tried again as base64 where the bytes are no transaction.
 *
 * @throws ChainError `encoding` or `too_large`
 */
export function decodeTransactionText(text: string): Uint8Array {
  checkLength(text);
  if (HEX_DIGITS.test(text)) return decodeHexDigits(text);
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is not base64; encoding again finds that, missing padding, and bits that belong to no byte.
  if (bytes.toString('base64') !== text) throw new ChainError('encoding', { detail: 'neither of the two' });
  return bytes;
}

/**
 * Decodes the text of one transaction that may be hex only.
 *
 * @throws ChainError `encoding` or `too_large`
 */
export function decodeTransactionHex(text: string): Uint8Array {
  checkLength(text);
  if (!HEX_DIGITS.test(text)) throw new ChainError('encoding', { detail: 'not hex' });
  return decodeHexDigits(text);
}

/** Parses what was decoded. @throws ChainError of the bytes; `encoding` where the text may rather be base58 */
export function parseDecoded(text: string, bytes: Uint8Array): ParsedTransaction {
  try {
    return parseTransaction(bytes);
  } catch (error) {
    if (HEX_DIGITS.test(text) || !BASE58_LETTERS.test(text)) throw error;
    throw new ChainError('encoding', { detail: 'no transaction in base64, perhaps one in base58' });
  }
}

function decodeHexDigits(digits: string): Uint8Array {
  if (digits.length % 2 === 1) throw new ChainError('encoding', { detail: 'an odd number of hex digits' });
  return Buffer.from(digits, 'hex');
}

function checkLength(text: string): void {
  if (text.length === 0) throw new ChainError('encoding', { detail: 'an empty text' });
  if (text.length > MAX_HEX_LENGTH) {
    throw new ChainError('too_large', { detail: `a text of ${text.length} characters` });
  }
}
