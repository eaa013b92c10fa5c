import { uriFault } from '../platform/identifier/uri-fault.ts';
import type { Mode } from '../platform/mode.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** RFC 8252 §8.3: `localhost` may resolve elsewhere, so any-port matching is for the literal addresses only. */
const LOOPBACK_LITERAL = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/.*)?$/;

/**
 * Why a redirect URI cannot be registered, for the person who typed it; undefined where it can.
 * @see RFC 6749 §3.1.2, RFC 9700 §2.1
 */
export function redirectUriFault(uri: string, mode: Mode): string | undefined {
  if (uri.length > 2000) return 'is longer than 2,000 characters';
  const fault = uriFault(uri);
  if (fault !== undefined) return fault;
  const url = new URL(uri);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (uri.includes('#')) return 'must have no fragment (#…)';
  if (uri.includes('*')) return 'must have no wildcard (*); register each URI';
  if (url.username || url.password) return 'must have no user name or password';
  if (url.protocol === 'http:' && mode === 'production') return 'must begin with https:// in production';
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname))
    return 'may begin with http:// only on localhost, 127.0.0.1 or [::1]';
  return undefined;
}

/**
 * Whether a requested redirect URI is registered: exact string match. A malformed one, from before registration refused it, matches
 * nothing: the browser would get it as it is.
 * @deviation RFC 8252 §7.3: where staff enabled `loopbackAnyPort`, the port of a loopback address may differ.
 */
export function matchesRedirectUri(
  requested: string,
  client: { redirectUris: readonly string[]; loopbackAnyPort: boolean },
): boolean {
  if (uriFault(requested) !== undefined) return false;
  if (client.redirectUris.includes(requested)) return true;
  if (!client.loopbackAnyPort) return false;
  const portless = withoutLoopbackPort(requested);
  return portless !== undefined && client.redirectUris.some((uri) => withoutLoopbackPort(uri) === portless);
}

/** A redirect URI as the request log keeps it: character for character, except what may be a secret. */
export function loggedRedirectUri(uri: string): string {
  const [address = '', ...rest] = uri.replace(/\/\/[^/?#]*@/, '//…@').split(/(?=[?#])/);
  return (
    address +
    rest
      .join('')
      .replace(/=[^&#]*/g, '=…')
      .replace(/#.+/, '#…')
  ).slice(0, 300);
}

/** Whether `loopbackAnyPort` applies to a redirect URI. */
export function isLoopbackLiteral(uri: string): boolean {
  return LOOPBACK_LITERAL.test(uri);
}

/** An origin on 127.0.0.1 or [::1] without its port; undefined for any other origin. */
export function portlessLoopback(origin: string): string | undefined {
  return /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?$/.exec(origin)?.[1];
}

/** The distinct origins of redirect URIs, from which a client's browser code calls. */
export function originsOf(redirectUris: readonly string[]): string[] {
  return [...new Set(redirectUris.map((uri) => new URL(uri).origin))];
}

/** Appends response parameters to a redirect URI, which stays byte for byte. */
export function withParameters(redirectUri: string, parameters: Record<string, string | undefined>): string {
  const query = Object.entries(parameters)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${query}`;
}

function withoutLoopbackPort(uri: string): string | undefined {
  const match = LOOPBACK_LITERAL.exec(uri);
  return match ? `http://${match[1]}${match[2] ?? ''}` : undefined;
}
