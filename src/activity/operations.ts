/**
 * The request log and what is read from it: timelines (`read-timeline.ts`), charts (`read-dashboard.ts`) and the last use
 * of a grant (`last-use.ts`). This file is the closed list of operations; any other call is logged as `other`.
 *
 * @module
 */

/** Each operation with its texts in a timeline: when it succeeded, and when it was refused. */
export const OPERATIONS = {
  'authorize.start': ['The app sent the fan to sign in', 'The app wanted to send the fan to sign in'],
  'authorize.hand_over': ['The sign-in moved to the login host', 'The sign-in should have moved to the login host'],
  'login.page': ['The login page was opened', 'The login page should have opened'],
  'login.session.get': ['The login page asked where it stands', 'The login page asked where it stands'],
  'login.phone.sendCode': ['A code was sent to the phone', 'A code was asked for'],
  'login.phone.verifyCode': ['The phone was verified', 'A code was typed in'],
  'login.consent.options': ['The consent page was shown', 'The consent page was asked for'],
  'login.consent.grant': ['The fan consented', 'The fan wanted to consent'],
  'login.consent.deny': ['The fan said no', 'The fan wanted to say no'],
  'portal.page': ["The fan's page of apps was opened", "The fan's page of apps should have opened"],
  'portal.session.get': ['The page of apps asked who is there', 'The page of apps asked who is there'],
  'portal.session.end': ['The fan left the page of apps', 'The fan wanted to leave the page of apps'],
  'portal.phone.sendCode': ['A code was sent to see the apps', 'A code was asked for to see the apps'],
  'portal.phone.verifyCode': ['The phone was verified to see the apps', 'A code was typed in to see the apps'],
  'portal.apps.list': ['The fan looked at the apps', 'The fan wanted to look at the apps'],
  'portal.apps.ticketOptions': ['The fan looked at which tickets an app may have', 'The fan wanted to see tickets'],
  'portal.apps.takeBackAction': ['The fan took an action back', 'The fan wanted to take an action back'],
  'portal.apps.chooseTickets': ['The fan changed the tickets', 'The fan tried to change the tickets'],
  'portal.apps.revoke': ["The fan ended an app's access", "The fan wanted to end an app's access"],
  'portal.apps.revokeAll': ['The fan ended the access of all apps', 'The fan wanted to end the access of all apps'],
  'portal.apps.receipt': ['The fan fetched a consent receipt', 'The fan wanted to fetch a consent receipt'],
  'portal.history.list': ['The fan looked at what was done', 'The fan wanted to see what was done'],
  'token.request': ['The token endpoint was called', 'The token endpoint was called'],
  'token.exchange': ['The app exchanged its code for tokens', 'The app wanted to exchange a code for tokens'],
  'token.refresh': ['The app refreshed its tokens', 'The app wanted to refresh its tokens'],
  'token.revoke': ['The app gave a token back', 'The app wanted to give a token back'],
  'userinfo.read': ['The app asked who the fan is', 'The app wanted to know who the fan is'],
  'receipts.read': ['The app fetched the consent receipt', 'The app wanted to fetch the consent receipt'],
  'metadata.read': [
    'The discovery document or the keys were read',
    'The discovery document or the keys were asked for',
  ],
  'tickets.list': ['The app read the tickets', 'The app wanted to read the tickets'],
  'listings.sign': ['The app had transactions co-signed', 'The app wanted transactions co-signed'],
  'claims.execute': ['The app claimed tickets', 'The app wanted to claim tickets'],
  'graphql.query': ['Staff read in the console', 'Staff wanted to read in the console'],
  'graphql.mutation': ['Staff made a change', 'Staff wanted to make a change'],
  other: ['Another call', 'Another call'],
} as const satisfies Record<string, readonly [done: string, refused: string]>;

export type Operation = keyof typeof OPERATIONS;

/** Calls of the Fan API (spec §4.1). */
export const FAN_OPERATIONS = ['tickets.list', 'listings.sign', 'claims.execute'] as const satisfies Operation[];

/** The outcome of a request that was not refused. */
export const OK = 'ok';

/** The operation of a name that is composed at run time, such as `login.` and the name of a procedure. */
export function operationOf(name: string): Operation {
  return isOperation(name) ? name : 'other';
}

/** A request as a sentence. @param operation as stored; one that is no longer in the list appears under its name */
export function describeOperation(operation: string, outcome: string): string {
  const [done, refused] = isOperation(operation) ? OPERATIONS[operation] : [operation, operation];
  return outcome === OK ? `${done}.` : `${refused}: ${outcome.replaceAll('_', ' ')}.`;
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}
