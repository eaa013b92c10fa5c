export interface OperationTexts {
  /** Where partners call it: method and path, and what tells two calls of one path apart. Else a name. */
  label: string;
  /** A sentence without its full stop, for a call that succeeded, and for one that was refused. */
  done: string;
  refused: string;
}

const texts = (label: string, done: string, refused: string): OperationTexts => ({ label, done, refused });

/** The closed list of operations, each with its texts, in the order of a fan's way through them. */
export const OPERATIONS = {
  'authorize.start': texts('/oauth2/authorize', 'The app sent the fan to sign in', 'The app tried to start a sign-in'),
  'authorize.hand_over': texts(
    'GET /oauth2/hand-over',
    'The sign-in moved to the login host',
    'The sign-in could not move to the login host',
  ),
  'login.page': texts('Sign-in: page', 'The sign-in page opened', 'The sign-in page could not open'),
  'login.session.get': texts('Sign-in: state', 'The sign-in page loaded its state', 'The sign-in page could not load'),
  'login.phone.sendCode': texts('Sign-in: send code', 'A code was sent to the fan', 'The fan asked for a code'),
  'login.phone.verifyCode': texts('Sign-in: check code', 'The fan verified the phone number', 'The fan entered a code'),
  'login.phone.change': texts(
    'Sign-in: change fan',
    'The fan went back to use another number',
    'The fan tried to use another number',
  ),
  'login.passkey.ask': texts('Sign-in: ask for a passkey', 'The fan chose a passkey', 'The fan asked for a passkey'),
  'login.passkey.answer': texts('Sign-in: check passkey', 'The fan signed in with a passkey', 'The fan used a passkey'),
  'login.passkey.begin': texts(
    'Sign-in: begin a passkey',
    'The fan began to make a passkey',
    'The fan tried to make a passkey',
  ),
  'login.passkey.add': texts('Sign-in: add a passkey', 'The fan added a passkey', 'The fan tried to add a passkey'),
  'login.passkey.decline': texts(
    'Sign-in: decline a passkey',
    'The fan wanted no passkey for now',
    'The fan tried to decline a passkey',
  ),
  'login.continuity.startNew': texts(
    'Sign-in: start a new account',
    'The holder of the number started a new account',
    'The holder of the number tried to start a new account',
  ),
  'login.continuity.askSupport': texts(
    'Sign-in: code for support',
    'The holder of the number got a code for support',
    'The holder of the number asked for a code for support',
  ),
  'login.consent.options': texts(
    'Sign-in: consent options',
    'The fan saw the consent page',
    'The consent page could not load',
  ),
  'login.consent.grant': texts('Sign-in: allow', 'The fan allowed access', 'The fan tried to allow access'),
  'login.consent.deny': texts('Sign-in: deny', 'The fan denied access', 'The fan tried to deny access'),
  'portal.page': texts('Fan’s apps: page', 'The apps page opened', 'The apps page could not open'),
  'portal.session.get': texts('Fan’s apps: state', 'The apps page loaded its state', 'The apps page could not load'),
  'portal.session.end': texts('Fan’s apps: sign out', 'The fan signed out', 'The fan tried to sign out'),
  'portal.phone.sendCode': texts(
    'Fan’s apps: send code',
    'A code was sent for the apps page',
    'The fan asked for a code for the apps page',
  ),
  'portal.phone.verifyCode': texts(
    'Fan’s apps: check code',
    'The fan verified the phone number on the apps page',
    'The fan entered a code on the apps page',
  ),
  'portal.passkey.ask': texts(
    'Fan’s apps: ask for a passkey',
    'The fan chose to open the apps page with a passkey',
    'The fan tried to open the apps page with a passkey',
  ),
  'portal.passkey.answer': texts(
    'Fan’s apps: check passkey',
    'The fan opened the apps page with a passkey',
    'The fan used a passkey on the apps page',
  ),
  'portal.continuity.startNew': texts(
    'Fan’s apps: start a new account',
    'The holder of the number started a new account on the apps page',
    'The holder of the number tried to start a new account on the apps page',
  ),
  'portal.continuity.askSupport': texts(
    'Fan’s apps: code for support',
    'The holder of the number got a code for support on the apps page',
    'The holder of the number asked for a code for support on the apps page',
  ),
  'portal.passkeys.list': texts(
    'Fan’s apps: passkeys',
    'The fan viewed the passkeys',
    'The fan tried to view the passkeys',
  ),
  'portal.passkeys.begin': texts(
    'Fan’s apps: begin a passkey',
    'The fan began to make a passkey on the apps page',
    'The fan tried to make a passkey on the apps page',
  ),
  'portal.passkeys.add': texts(
    'Fan’s apps: add a passkey',
    'The fan added a passkey on the apps page',
    'The fan tried to add a passkey on the apps page',
  ),
  'portal.passkeys.remove': texts(
    'Fan’s apps: remove a passkey',
    'The fan removed a passkey',
    'The fan tried to remove a passkey',
  ),
  'portal.number.sendCode': texts(
    'Fan’s apps: code for a new number',
    'A code was sent to the fan’s new number',
    'The fan asked for a code for a new number',
  ),
  'portal.number.verifyCode': texts(
    'Fan’s apps: change number',
    'The fan changed the phone number',
    'The fan entered a code for a new number',
  ),
  'portal.apps.list': texts('Fan’s apps: list', 'The fan viewed the apps', 'The fan tried to view the apps'),
  'portal.apps.ticketOptions': texts(
    'Fan’s apps: ticket options',
    'The fan viewed the tickets to choose from',
    'The fan tried to view the tickets to choose from',
  ),
  'portal.apps.turnActionOff': texts(
    'Fan’s apps: turn off an action',
    'The fan turned an action off',
    'The fan tried to turn an action off',
  ),
  'portal.apps.turnActionOn': texts(
    'Fan’s apps: turn on an action',
    'The fan turned an action on',
    'The fan tried to turn an action on',
  ),
  'portal.apps.chooseTickets': texts(
    'Fan’s apps: choose tickets',
    'The fan changed the tickets of an app',
    'The fan tried to change the tickets of an app',
  ),
  'portal.apps.revoke': texts(
    'Fan’s apps: end access',
    'The fan ended an app’s access',
    'The fan tried to end an app’s access',
  ),
  'portal.apps.revokeAll': texts(
    'Fan’s apps: end all access',
    'The fan ended the access of all apps',
    'The fan tried to end the access of all apps',
  ),
  'portal.receipt': texts(
    'Fan’s apps: receipt',
    'The fan downloaded a consent receipt',
    'The fan tried to download a consent receipt',
  ),
  'portal.history.list': texts(
    'Fan’s apps: history',
    'The fan viewed the history',
    'The fan tried to view the history',
  ),
  'token.request': texts(
    'POST /oauth2/token',
    'The app called the token endpoint',
    'The app called the token endpoint',
  ),
  'token.exchange': texts(
    'POST /oauth2/token (authorization code)',
    'The app exchanged its code for tokens',
    'The app tried to exchange a code for tokens',
  ),
  'token.refresh': texts(
    'POST /oauth2/token (refresh)',
    'The app refreshed its tokens',
    'The app tried to refresh its tokens',
  ),
  'token.revoke': texts('POST /oauth2/revoke', 'The app revoked a token', 'The app tried to revoke a token'),
  'userinfo.read': texts(
    'GET /oauth2/userinfo',
    'The app read the fan’s user info',
    'The app tried to read the fan’s user info',
  ),
  'receipts.read': texts(
    'GET /oauth2/grants/{grant_id}/receipt',
    'The app downloaded the consent receipt',
    'The app tried to download the consent receipt',
  ),
  'metadata.read': texts(
    'Discovery and keys',
    'The discovery document or the keys were read',
    'The discovery document or the keys could not be read',
  ),
  'tickets.list': texts('GET /tickets', 'The app read the tickets', 'The app tried to read the tickets'),
  'listings.sign': texts(
    'POST /authorizations',
    'The app had transactions co-signed',
    'The app tried to have transactions co-signed',
  ),
  'wallet.read': texts('GET /wallet', 'The app read the wallet address', 'The app tried to read the wallet'),
  'listings.explain': texts('POST /authorizations (explain)', 'Listings were explained', 'Listings not explained'),
  'claims.execute': texts('POST /claims/execute', 'The app claimed tickets', 'The app tried to claim tickets'),
  'claims.explain': texts('POST /claims/execute (explain)', 'Claims were explained', 'Claims not explained'),
  'notifications.poll': texts(
    'POST /notifications/poll',
    'The app polled for events',
    'The app tried to poll for events',
  ),
  'sandbox.read': texts(
    'GET /sandbox',
    'What is simulated for the app was read',
    'What is simulated for the app could not be read',
  ),
  'sandbox.change': texts(
    'POST /sandbox/…',
    'What is simulated for the app was changed',
    'What is simulated for the app could not be changed',
  ),
  'graphql.query': texts(
    'Console: read',
    'Staff viewed data in the console',
    'Staff tried to view data in the console',
  ),
  'graphql.mutation': texts('Console: change', 'Staff made a change', 'Staff tried to make a change'),
  'page.file': texts(
    'Page files',
    'A page or one of its files was loaded',
    'A page or one of its files could not be loaded',
  ),
  'workspace.query': texts('Partner workspace: read', 'A partner viewed its data', 'A partner tried to view its data'),
  'workspace.mutation': texts('Partner workspace: change', 'A partner changed data', 'A partner tried to change data'),
  'inventory.import': texts('POST /admin/import', 'A file of rows was imported', 'A file could not be imported'),
  'inventory.import_run': texts(
    'GET /admin/import/{run}',
    'The state of an import was read',
    'The state of an import could not be read',
  ),
  'inventory.failures': texts(
    'GET /admin/import/{run}/failures',
    'The failed rows of an import were downloaded',
    'The failed rows of an import could not be downloaded',
  ),
  other: texts('Other calls', 'Another call', 'Another call'),
} as const satisfies Record<string, OperationTexts>;

export type Operation = keyof typeof OPERATIONS;
