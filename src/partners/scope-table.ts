/** A scope: everything but its words for fans, which are `actions` in the catalogues of the languages. */
interface ScopeEntry {
  /** For the console, the playground and the OpenAPI description: scopes are listed by group. */
  group: string;
  /** What it is for, and the calls that it opens. */
  says: string;
  /** The operations of the Fan API that require it: spec §4.1, and `fetchWallet` beside it. */
  opens?: readonly string[];
  /** The word for fans, of `marks` in the catalogues, for what it does in their name. Without one, an action that acts is a change. */
  mark?: 'sells' | 'collects';
}

/** All scopes, in the order in which they are listed. Names that begin with `fan:` are actions. @see spec §5.13 */
export const SCOPE_TABLE = {
  openid: { group: 'Sign-in', says: 'Sign the fan in: an ID token with the fan’s ID.' },
  profile: { group: 'Sign-in', says: 'Accepted because many clients ask for it; it adds nothing to the fan’s ID.' },
  offline_access: { group: 'Sign-in', says: 'A refresh token, so that access lasts for 30 days instead of a minute.' },
  'fan:read': { group: 'Account', says: 'Read general information about the fan’s account.' },
  'fan:write': { group: 'Account', says: 'Change general settings of the fan’s account.' },
  'fan:profile:read': { group: 'Account', says: 'Read the details in the fan’s profile.' },
  'fan:profile:write': { group: 'Account', says: 'Change the details in the fan’s profile.' },
  'fan:tickets:read': {
    group: 'Tickets',
    says: 'List the upcoming tickets that the fan shares: GET /tickets.',
    opens: ['fetchTickets'],
  },
  'fan:tickets:write': { group: 'Tickets', says: 'Make changes to the fan’s tickets.' },
  'fan:claims:write': {
    group: 'Tickets',
    says: 'Claim tickets transferred to the fan: POST /claims/execute, GET /wallet.',
    opens: ['executeClaim', 'fetchWallet'],
    mark: 'collects',
  },
  'fan:listings:read': { group: 'Listings', says: 'See which of the fan’s tickets are up for sale.' },
  'fan:listings:write': {
    group: 'Listings',
    says: 'Have listings and cancellations co-signed: POST /authorizations.',
    opens: ['createAuthorization'],
    mark: 'sells',
  },
  'fan:waitlist:read': { group: 'Waitlist and cart', says: 'See which events the fan is waiting for.' },
  'fan:waitlist:write': { group: 'Waitlist and cart', says: 'Put the fan on a waitlist or take them off it.' },
  'fan:cart:read': { group: 'Waitlist and cart', says: 'See the tickets in the fan’s cart.' },
  'fan:cart:write': { group: 'Waitlist and cart', says: 'Put tickets in the fan’s cart or take them out.' },
} as const satisfies Record<string, ScopeEntry>;

const ENTRIES: Readonly<Record<string, ScopeEntry | undefined>> = SCOPE_TABLE;

/** The entry of a name; undefined for one that is no scope of this server. */
export function scopeEntry(name: string): ScopeEntry | undefined {
  return Object.hasOwn(ENTRIES, name) ? ENTRIES[name] : undefined;
}
