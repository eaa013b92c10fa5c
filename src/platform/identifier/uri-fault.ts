import { codePointOf } from './name-fault.ts';

/** @see RFC 3986 §2 */
const NOT_OF_A_URI = /%(?![0-9A-Fa-f]{2})|[^\w.~:/?#[\]@!$&'()*+,;=%-]/u;
/** Captures the host as RFC 3986 §3.2 parses it. */
const WITH_HOST = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^/?#@\]]*\]|[^/?#@:[\]]*)(?::\d*)?(?:[/?#]|$)/;

/**
 * Why programs may parse an address differently, continuing "the address …"; undefined where they don't. Browsers follow the WHATWG's
 * rules, which repair much, and others RFC 3986: both must find the same host.
 */
export function uriFault(uri: string): string | undefined {
  const [wrong] = NOT_OF_A_URI.exec(uri) ?? [];
  if (wrong === '%') return 'has a % without two hexadecimal digits after it';
  if (wrong !== undefined) return `has a character that a URI can not have (${codePointOf(wrong)}); percent-encode it`;
  if (!URL.canParse(uri)) return 'is not an absolute URI';
  const host = WITH_HOST.exec(uri)?.[1];
  if (!host) return 'must begin with https:// and a host';
  const { hostname } = new URL(uri);
  return host.toLowerCase() === hostname
    ? undefined
    : `has a host that browsers read in another way; write ${hostname}`;
}
