import bs58 from 'bs58';
import { plainDigits } from '../../platform/plain-digits.ts';

/** In characters; the column is as long. */
export const MESSAGE_LENGTH = 500;

const REDACTED = '…';

/** A JWT, whole or in part: `eyJ` is how the base64url of `{"` begins. */
const JWT = /eyJ[\w-]+(?:\.[\w-]*)*/g;

/** Opaque secrets of this service, such as `ac_…` and `rt_…` (`identifier/secret-value.ts`). */
const OPAQUE = /\b[a-z]{2}_[\w-]{16,}/g;

/** A number with its country code, also percent-encoded, and a long number within a path or a query. */
const PHONE = /(?:[+＋]|%2B|\b00|(?<=[/=]))\d(?:[\s().-]{0,2}\d){6,}/gi;

/** Text without a gap, as long as a secret may be. */
const LONG = /[\w+/=~.%-]{20,}/g;
const SECRET_LENGTH = 20;

/** `application`, `x-www-form-urlencoded`, `oauth2`, `ENOTFOUND`: no secrets, however long. */
const WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+)(?:[-_.](?:[a-z]+|[A-Z]+))*\d{0,2}$/;
/** Identifiers of this service, and request IDs. */
const IDENTIFIER = /^[a-z]{3,8}_[0-9a-hjkmnp-tv-z]{26}$|^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The words before an account in a rule about transactions; elsewhere a secret may look like an address. */
const BEFORE_ADDRESS = /\b(?:calls|is) $/;
const ADDRESS_BYTES = 32;

/**
 * The message of an answer as the request log keeps it. Messages name fields and rules, not values; some quote a path or the name of a
 * parameter, in which a caller may have put anything. So text that looks like a secret or a phone number is left out, and the rest is
 * cut.
 */
export function redactMessage(message: string): string {
  return plainDigits(message.slice(0, 4 * MESSAGE_LENGTH))
    .replaceAll('\0', '')
    .replaceAll(JWT, REDACTED)
    .replaceAll(OPAQUE, REDACTED)
    .replaceAll(LONG, withoutSecrets)
    .replaceAll(PHONE, REDACTED)
    .slice(0, MESSAGE_LENGTH)
    .toWellFormed();
}

/** A path keeps its words. The rest of it is judged together, because base64 has slashes too. */
function withoutSecrets(text: string, at: number, message: string): string {
  if (BEFORE_ADDRESS.test(message.slice(0, at)) && isAddress(text)) return text;
  const parts = text.split('/');
  // a host is public, and what a partner mistypes most
  const host = message[at - 1] === ':' && text.startsWith('//') ? parts[2] : undefined;
  const unknown = parts.filter((part) => part !== host && !isHarmless(part));
  if (unknown.join('').length < SECRET_LENGTH) return text;
  return parts.map((part) => (unknown.includes(part) ? REDACTED : part)).join('/');
}

function isHarmless(part: string): boolean {
  const text = part.replace(/\.$/, '');
  return text === '' || WORD.test(text) || IDENTIFIER.test(text);
}

function isAddress(text: string): boolean {
  return bs58.decodeUnsafe(text.replace(/\.$/, ''))?.length === ADDRESS_BYTES;
}
