/**
 * The closed list of operations, in the order in which a fan meets them. Each has a label (method and path of a call of partners, and
 * which call of that path it is, otherwise a name) and a sentence without its full stop, with variants for `[a call that succeeded|one
 * that was refused]`.
 */
export const OPERATIONS = {
  'authorize.start': ['/oauth2/authorize', 'The app [sent the fan to sign in|tried to start a sign-in]'],
  'authorize.hand_over': ['GET /oauth2/hand-over', 'The sign-in [moved|could not move] to the login host'],
  'login.page': ['Sign-in: page', 'The sign-in page [opened|could not open]'],
  'login.session.get': ['Sign-in: state', 'The sign-in page [loaded its state|could not load]'],
  'login.phone.sendCode': ['Sign-in: send code', '[A code was sent to the fan|The fan asked for a code]'],
  'login.phone.verifyCode': ['Sign-in: check code', 'The fan [verified the phone number|entered a code]'],
  'login.phone.change': ['Sign-in: change fan', 'The fan [went back|tried] to use another number'],
  'login.passkey.ask': ['Sign-in: ask for a passkey', 'The fan [chose|asked for] a passkey'],
  'login.passkey.answer': ['Sign-in: check passkey', 'The fan [signed in with|used] a passkey'],
  'login.passkey.begin': ['Sign-in: begin a passkey', 'The fan [began|tried] to make a passkey'],
  'login.passkey.add': ['Sign-in: add a passkey', 'The fan [added|tried to add] a passkey'],
  'login.passkey.decline': [
    'Sign-in: decline a passkey',
    'The fan [wanted no passkey for now|tried to decline a passkey]',
  ],
  'login.continuity.startNew': [
    'Sign-in: start a new account',
    'The holder of the number [started|tried to start] a new account',
  ],
  'login.continuity.askSupport': [
    'Sign-in: code for support',
    'The holder of the number [got|asked for] a code for support',
  ],
  'login.consent.options': ['Sign-in: consent options', 'The [fan saw the consent page|consent page could not load]'],
  'login.consent.grant': ['Sign-in: allow', 'The fan [allowed|tried to allow] access'],
  'login.consent.deny': ['Sign-in: deny', 'The fan [denied|tried to deny] access'],
  'portal.page': ['Fan’s apps: page', 'The apps page [opened|could not open]'],
  'portal.session.get': ['Fan’s apps: state', 'The apps page [loaded its state|could not load]'],
  'portal.session.end': ['Fan’s apps: sign out', 'The fan [signed|tried to sign] out'],
  'portal.phone.sendCode': ['Fan’s apps: send code', '[A code was sent|The fan asked for a code] for the apps page'],
  'portal.phone.verifyCode': [
    'Fan’s apps: check code',
    'The fan [verified the phone number|entered a code] on the apps page',
  ],
  'portal.passkey.ask': ['Fan’s apps: ask for a passkey', 'The fan [chose|tried] to open the apps page with a passkey'],
  'portal.passkey.answer': [
    'Fan’s apps: check passkey',
    'The fan [opened the apps page with a passkey|used a passkey on the apps page]',
  ],
  'portal.continuity.startNew': [
    'Fan’s apps: start a new account',
    'The holder of the number [started|tried to start] a new account on the apps page',
  ],
  'portal.continuity.askSupport': [
    'Fan’s apps: code for support',
    'The holder of the number [got|asked for] a code for support on the apps page',
  ],
  'portal.passkeys.list': ['Fan’s apps: passkeys', 'The fan [viewed|tried to view] the passkeys'],
  'portal.passkeys.begin': ['Fan’s apps: begin a passkey', 'The fan [began|tried] to make a passkey on the apps page'],
  'portal.passkeys.add': ['Fan’s apps: add a passkey', 'The fan [added|tried to add] a passkey on the apps page'],
  'portal.passkeys.remove': ['Fan’s apps: remove a passkey', 'The fan [removed|tried to remove] a passkey'],
  'portal.number.sendCode': [
    'Fan’s apps: code for a new number',
    '[A code was sent to the fan’s|The fan asked for a code for a] new number',
  ],
  'portal.number.verifyCode': [
    'Fan’s apps: change number',
    'The fan [changed the phone|entered a code for a new] number',
  ],
  'portal.apps.list': ['Fan’s apps: list', 'The fan [viewed|tried to view] the apps'],
  'portal.apps.ticketOptions': [
    'Fan’s apps: ticket options',
    'The fan [viewed|tried to view] the tickets to choose from',
  ],
  'portal.apps.turnActionOff': ['Fan’s apps: turn off an action', 'The fan [turned|tried to turn] an action off'],
  'portal.apps.turnActionOn': ['Fan’s apps: turn on an action', 'The fan [turned|tried to turn] an action on'],
  'portal.apps.chooseTickets': [
    'Fan’s apps: choose tickets',
    'The fan [changed|tried to change] the tickets of an app',
  ],
  'portal.apps.revoke': ['Fan’s apps: end access', 'The fan [ended|tried to end] an app’s access'],
  'portal.apps.revokeAll': ['Fan’s apps: end all access', 'The fan [ended|tried to end] the access of all apps'],
  'portal.receipt': ['Fan’s apps: receipt', 'The fan [downloaded|tried to download] a consent receipt'],
  'portal.history.list': ['Fan’s apps: history', 'The fan [viewed|tried to view] the history'],
  'token.request': ['POST /oauth2/token', 'The app called the token endpoint'],
  'token.exchange': [
    'POST /oauth2/token (authorization code)',
    'The app [exchanged its|tried to exchange a] code for tokens',
  ],
  'token.refresh': ['POST /oauth2/token (refresh)', 'The app [refreshed|tried to refresh] its tokens'],
  'token.revoke': ['POST /oauth2/revoke', 'The app [revoked|tried to revoke] a token'],
  'userinfo.read': ['GET /oauth2/userinfo', 'The app [|tried to ]read the fan’s user info'],
  'receipts.read': [
    'GET /oauth2/grants/{grant_id}/receipt',
    'The app [downloaded|tried to download] the consent receipt',
  ],
  'metadata.read': ['Discovery and keys', 'The discovery document or the keys [were|could not be] read'],
  'tickets.list': ['GET /tickets', 'The app [|tried to ]read the tickets'],
  'listings.sign': ['POST /authorizations', 'The app [had|tried to have] transactions co-signed'],
  'wallet.read': ['GET /wallet', 'The app [read the wallet address|tried to read the wallet]'],
  'listings.explain': ['POST /authorizations (explain)', 'Listings [were|not] explained'],
  'claims.execute': ['POST /claims/execute', 'The app [claimed|tried to claim] tickets'],
  'claims.explain': ['POST /claims/execute (explain)', 'Claims [were|not] explained'],
  'notifications.poll': ['POST /notifications/poll', 'The app [polled|tried to poll] for events'],
  'sandbox.read': ['GET /sandbox', 'What is simulated for the app [was|could not be] read'],
  'sandbox.change': ['POST /sandbox/…', 'What is simulated for the app [was|could not be] changed'],
  'graphql.query': ['Console: read', 'Staff [viewed|tried to view] data in the console'],
  'graphql.mutation': ['Console: change', 'Staff [made|tried to make] a change'],
  'page.file': ['Page files', 'A page or one of its files [was|could not be] loaded'],
  'workspace.query': ['Partner workspace: read', 'A partner [viewed|tried to view] its data'],
  'workspace.mutation': ['Partner workspace: change', 'A partner [changed|tried to change] data'],
  'inventory.import': ['POST /admin/import', 'A file [of rows was|could not be] imported'],
  'inventory.import_run': ['GET /admin/import/{run}', 'The state of an import [was|could not be] read'],
  'inventory.failures': [
    'GET /admin/import/{run}/failures',
    'The failed rows of an import [were|could not be] downloaded',
  ],
  other: ['Other calls', 'Another call'],
} as const satisfies Record<string, readonly [label: string, sentence: string]>;

export type Operation = keyof typeof OPERATIONS;
