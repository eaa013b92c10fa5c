/** Scopes and actions. A *scope* is what a partner asks for; an *action* is what the fan granted. @see spec §5.13 */

export const STANDARD_SCOPES = ['openid', 'profile', 'offline_access'] as const;

/** Scopes that stand for something a partner can do in the fan's name; each is also the name of an action. */
export const ACTION_SCOPES = [
  'fan:read',
  'fan:write',
  'fan:tickets:read',
  'fan:tickets:write',
  'fan:listings:read',
  'fan:listings:write',
  'fan:profile:read',
  'fan:profile:write',
  'fan:waitlist:read',
  'fan:waitlist:write',
  'fan:cart:read',
  'fan:cart:write',
  'fan:claims:write',
] as const;

export type Action = (typeof ACTION_SCOPES)[number];

export const ALL_SCOPES: readonly string[] = [...STANDARD_SCOPES, ...ACTION_SCOPES];

/** @see RFC 6749 §3.3 */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** The scopes of a space-delimited text, each once, in order; undefined where the text is malformed or empty. */
export function parseScope(text: string): string[] | undefined {
  const tokens = text.split(' ');
  return tokens.every((token) => SCOPE_TOKEN.test(token)) ? [...new Set(tokens)] : undefined;
}

/** The actions among scopes, in their order. */
export function actionsOf(scopes: readonly string[]): Action[] {
  return scopes.filter((scope): scope is Action => (ACTION_SCOPES as readonly string[]).includes(scope));
}
