/**
 * Activity: what was asked of the service and how it ended. This room keeps the request log and its counts
 * (`activity-log.ts`), and reads them back as one story (`read-timeline.ts`), as charts (`read-dashboard.ts`) and for the
 * fan's own page (`last-use.ts`). This file is the closed list of what can be asked; everything else is `other`.
 */
interface Told {
  /** What happened, as the timeline tells it. */
  done: string;
  /** What was tried, where it was refused. */
  tried: string;
}

export const OPERATIONS = {
  'authorize.start': told('The app sent the fan to sign in', 'The app wanted to send the fan to sign in'),
  'authorize.hand_over': told('The sign-in moved to the login host', 'The sign-in should have moved to the login host'),
  'login.page': told('The login page was opened', 'The login page should have opened'),
  'login.session.get': told('The login page asked where it stands', 'The login page asked where it stands'),
  'login.phone.sendCode': told('A code was sent to the phone', 'A code was asked for'),
  'login.phone.verifyCode': told('The phone was verified', 'A code was typed in'),
  'login.consent.options': told('The consent page was shown', 'The consent page was asked for'),
  'login.consent.grant': told('The fan consented', 'The fan wanted to consent'),
  'login.consent.deny': told('The fan said no', 'The fan wanted to say no'),
  'portal.page': told("The fan's page of apps was opened", "The fan's page of apps should have opened"),
  'portal.session.get': told('The page of apps asked who is there', 'The page of apps asked who is there'),
  'portal.session.end': told('The fan left the page of apps', 'The fan wanted to leave the page of apps'),
  'portal.phone.sendCode': told('A code was sent to see the apps', 'A code was asked for to see the apps'),
  'portal.phone.verifyCode': told('The phone was verified to see the apps', 'A code was typed in to see the apps'),
  'portal.apps.list': told('The fan looked at the apps', 'The fan wanted to look at the apps'),
  'portal.apps.ticketOptions': told('The fan looked at which tickets an app may have', 'The fan wanted to see tickets'),
  'portal.apps.takeBackAction': told('The fan took an action back', 'The fan wanted to take an action back'),
  'portal.apps.chooseTickets': told('The fan chose tickets anew', 'The fan wanted to choose tickets anew'),
  'portal.apps.revoke': told("The fan ended an app's access", "The fan wanted to end an app's access"),
  'portal.apps.revokeAll': told('The fan ended the access of all apps', 'The fan wanted to end the access of all apps'),
  'portal.apps.receipt': told('The fan fetched a consent receipt', 'The fan wanted to fetch a consent receipt'),
  'portal.history.list': told('The fan looked at what was done', 'The fan wanted to see what was done'),
  'token.request': told('The token endpoint was called', 'The token endpoint was called'),
  'token.exchange': told('The app exchanged its code for tokens', 'The app wanted to exchange a code for tokens'),
  'token.refresh': told('The app refreshed its tokens', 'The app wanted to refresh its tokens'),
  'token.revoke': told('The app gave a token back', 'The app wanted to give a token back'),
  'userinfo.read': told('The app asked who the fan is', 'The app wanted to know who the fan is'),
  'receipts.read': told('The app fetched the consent receipt', 'The app wanted to fetch the consent receipt'),
  'metadata.read': told(
    'The discovery document or the keys were read',
    'The discovery document or the keys were asked for',
  ),
  'tickets.list': told('The app read the tickets', 'The app wanted to read the tickets'),
  'listings.sign': told('The app had transactions co-signed', 'The app wanted transactions co-signed'),
  'claims.execute': told('The app claimed tickets', 'The app wanted to claim tickets'),
  'graphql.query': told('Staff read in the console', 'Staff wanted to read in the console'),
  'graphql.mutation': told('Staff made a change', 'Staff wanted to make a change'),
  other: told('Another call', 'Another call'),
} as const satisfies Record<string, Told>;

export type Operation = keyof typeof OPERATIONS;

/** Calls of the Fan API (spec §4.1). */
export const FAN_OPERATIONS = ['tickets.list', 'listings.sign', 'claims.execute'] as const satisfies Operation[];

/** The operation of a name that is put together at run time, such as `login.` and the name of a procedure. */
export function operationOf(name: string): Operation {
  return Object.hasOwn(OPERATIONS, name) ? (name as Operation) : 'other';
}

/** How the timeline tells of a request. @param operation as stored; one that is no longer in the list is told by its name */
export function tellOperation(operation: string, outcome: string): string {
  const { done, tried } = Object.hasOwn(OPERATIONS, operation)
    ? OPERATIONS[operation as Operation]
    : told(operation, operation);
  return outcome === OK ? `${done}.` : `${tried}: ${outcome.replaceAll('_', ' ')}.`;
}

/** The outcome of a request that was not refused. */
export const OK = 'ok';

function told(done: string, tried: string): Told {
  return { done, tried };
}
