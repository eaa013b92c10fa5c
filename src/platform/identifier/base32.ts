/**
 * The 26 characters of a TypeID: a `uuid` in Crockford's base32, behind two zero bits. Own code, since an answer with ten tickets encodes
 * thirty: a fifth of the time that typeid-js takes (D-250).
 *
 * @module
 */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const HEX = '0123456789abcdef';
const LENGTH = 26;
const UUID_BYTES = 16;
const DASH = 45;
const NONE = 255;

const digitCodes = Buffer.from(DIGITS);
const digitValues = valuesOf(DIGITS);
const hexValues = valuesOf(HEX);
// written and read within one call
const text = Buffer.alloc(LENGTH);
const bytes = Buffer.alloc(UUID_BYTES);

/** Encodes a `uuid` in lower case. */
export function toBase32(uuid: string): string {
  let held = 0;
  let bits = 2;
  let at = 0;
  for (let i = 0; i < uuid.length; i++) {
    const code = uuid.charCodeAt(i);
    if (code === DASH) continue;
    held = ((held << 4) | (hexValues[code] ?? NONE)) & 0xff;
    bits += 4;
    if (bits < 5) continue;
    bits -= 5;
    text[at++] = digitCodes[(held >> bits) & 31] ?? NONE;
  }
  return text.toString('latin1');
}

/** @returns undefined where the text from `from` on is no `uuid` in base32 */
export function fromBase32(encoded: string, from: number): string | undefined {
  if (encoded.length - from !== LENGTH) return undefined;
  let held = 0;
  let bits = -2;
  let at = 0;
  for (let i = from; i < encoded.length; i++) {
    const value = digitValues[encoded.charCodeAt(i)] ?? NONE;
    // the first digit has three bits
    if (value === NONE || (i === from && value > 7)) return undefined;
    held = ((held << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
  }
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The value of each character code of ASCII; `NONE` for what is no digit. */
function valuesOf(digits: string): Uint8Array {
  const values = new Uint8Array(128).fill(NONE);
  for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;
  return values;
}
