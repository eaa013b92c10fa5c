import { WireError } from './wire-error.ts';

/** A position in bytes that are read from front to back, without copying. */
export interface ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** @throws WireError `truncated` at the end of the bytes; `part` names what is being read */
export function readByte(cursor: ByteCursor, part: string): number {
  const byte = cursor.bytes[cursor.at];
  if (byte === undefined) throw truncated(part, `the bytes end at ${cursor.at}`);
  cursor.at++;
  return byte;
}

/**
 * The next `length` bytes, as a view.
 *
 * @throws WireError `truncated` where fewer are left
 */
export function readBytes(cursor: ByteCursor, length: number, part: string): Uint8Array {
  const end = cursor.at + length;
  if (end > cursor.bytes.length) {
    throw truncated(part, `${end} bytes announced, ${cursor.bytes.length} there`);
  }
  const view = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return view;
}

/**
 * A compact-u16: seven bits a byte, lowest first, one to three bytes. A longer form of the same number is refused: with two
 * encodings of one length, two readers of the same bytes could disagree.
 *
 * @throws WireError `shortvec` or `truncated`
 */
export function readShortvec(cursor: ByteCursor, part: string): number {
  let value = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = readByte(cursor, part);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (byte === 0 && shift > 0) throw badLength(part, 'not in its shortest form', 'a longer form than needed');
      if (value > 0xffff) break;
      return value;
    }
  }
  throw badLength(part, 'over 65535', 'a number above 65,535');
}

function truncated(part: string, detail: string): WireError {
  return new WireError('truncated', `the bytes end inside: ${part}`, detail);
}

function badLength(part: string, fault: string, detail: string): WireError {
  return new WireError('shortvec', `a length ${fault}: ${part}`, detail);
}
