import { ChainError } from '../../chain-error.ts';

/** A place in bytes that are read from front to back, without copying. */
export interface ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** @throws ChainError `truncated` at the end of the bytes */
export function readByte(cursor: ByteCursor): number {
  const byte = cursor.bytes[cursor.at];
  if (byte === undefined) throw new ChainError('truncated', { detail: `the bytes end at ${cursor.at}` });
  cursor.at++;
  return byte;
}

/**
 * The next `length` bytes, as a view.
 *
 * @throws ChainError `truncated` where fewer are left
 */
export function readBytes(cursor: ByteCursor, length: number): Uint8Array {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) {
    throw new ChainError('truncated', { detail: `${end} bytes announced, ${cursor.bytes.length} there` });
  }
  const view = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return view;
}

/**
 * A compact-u16: seven bits a byte, lowest first, one to three bytes. A longer form of the same number is refused, since two
 * spellings of one length would let two readers of the same bytes disagree.
 *
 * @throws ChainError `shortvec` or `truncated`
 */
export function readShortvec(cursor: ByteCursor): number {
  let value = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = readByte(cursor);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (byte === 0 && shift > 0) throw new ChainError('shortvec', { detail: 'a longer form than needed' });
      if (value > 0xffff) break;
      return value;
    }
  }
  throw new ChainError('shortvec', { detail: 'a number above 65,535' });
}
