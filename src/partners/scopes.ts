/** Scopes and actions. A *scope* is what a partner asks for; an *action* is what the fan granted. @see spec §5.13 */

export const STANDARD_SCOPES = ['openid', 'profile', 'offline_access'] as const;

/** Scopes for acting on behalf of the fan; each is also the name of an action. */
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

/** The action that each operation of the Fan API requires: spec §4.1, and `fetchWallet` beside it (D-284). */
export const REQUIRED_ACTIONS = {
  fetchTickets: 'fan:tickets:read',
  createAuthorization: 'fan:listings:write',
  executeClaim: 'fan:claims:write',
  fetchWallet: 'fan:claims:write',
} as const satisfies Record<string, Action>;

export const ALL_SCOPES: readonly string[] = [...STANDARD_SCOPES, ...ACTION_SCOPES];

export type Scope = (typeof STANDARD_SCOPES)[number] | Action;

/** Whether a scope can be used today: no operation requires the other actions, which are for later operations. */
export function isInUse(scope: Scope): boolean {
  const required: readonly Scope[] = [...STANDARD_SCOPES, ...Object.values(REQUIRED_ACTIONS)];
  return required.includes(scope);
}

/** The default scopes of a new client. */
export const SCOPES_IN_USE: readonly Scope[] = [...STANDARD_SCOPES, ...ACTION_SCOPES].filter(isInUse);

/** A description of a scope for staff. */
interface ScopeText {
  group: string;
  says: string;
}

export const SCOPE_TEXTS: Readonly<Record<Scope, ScopeText>> = {
  openid: { group: 'Sign-in', says: 'Sign the fan in: an ID token with the fan’s ID.' },
  profile: { group: 'Sign-in', says: 'Basic profile data about the fan, in addition to the ID.' },
  offline_access: { group: 'Sign-in', says: 'A refresh token, so that access lasts for 30 days instead of a minute.' },
  'fan:read': { group: 'Account', says: 'Read general information about the fan’s account.' },
  'fan:write': { group: 'Account', says: 'Change general settings of the fan’s account.' },
  'fan:profile:read': { group: 'Account', says: 'Read the details in the fan’s profile.' },
  'fan:profile:write': { group: 'Account', says: 'Change the details in the fan’s profile.' },
  'fan:tickets:read': { group: 'Tickets', says: 'List the upcoming tickets that the fan shares: GET /tickets.' },
  'fan:tickets:write': { group: 'Tickets', says: 'Make changes to the fan’s tickets.' },
  'fan:claims:write': {
    group: 'Tickets',
    says: 'Claim tickets transferred to the fan: POST /claims/execute, GET /wallet.',
  },
  'fan:listings:read': { group: 'Listings', says: 'See which of the fan’s tickets are up for sale.' },
  'fan:listings:write': { group: 'Listings', says: 'Have listings and cancellations co-signed: POST /authorizations.' },
  'fan:waitlist:read': { group: 'Waitlist and cart', says: 'See which events the fan is waiting for.' },
  'fan:waitlist:write': { group: 'Waitlist and cart', says: 'Put the fan on a waitlist or take them off it.' },
  'fan:cart:read': { group: 'Waitlist and cart', says: 'See the tickets in the fan’s cart.' },
  'fan:cart:write': { group: 'Waitlist and cart', says: 'Put tickets in the fan’s cart or take them out.' },
};

/** @see RFC 6749 §3.3 */
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** The distinct scopes of a space-delimited text, in order; undefined where it is malformed or empty. Extra spaces are ignored. */
export function parseScope(text: string): string[] | undefined {
  const tokens = text.split(' ').filter((token) => token !== '');
  const sound = tokens.length > 0 && tokens.every((token) => SCOPE_TOKEN.test(token));
  return sound ? [...new Set(tokens)] : undefined;
}

/** The actions among scopes, in their order. */
export function actionsOf(scopes: readonly string[]): Action[] {
  return scopes.filter((scope): scope is Action => (ACTION_SCOPES as readonly string[]).includes(scope));
}
