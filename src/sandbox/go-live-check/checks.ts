/**
 * The go-live check: the service plays a hostile authorization server and API against a partner's own sandbox client, and watches
 * what it does. A run has an issuer, keys, codes and tokens of its own; none of them works anywhere else, and nothing here reads or
 * signs with what is real: no fan, no ticket, no grant, no key of the key ring. This table has every check: what it does to the
 * app, what is expected, and how it is judged.
 *
 * @see OpenID conformance suite, relying-party tests (`oidcc-client-test-…`); RFC 9700; RFC 9207
 * @module
 */
import {
  judgeForeignMarketplace,
  judgeLostRefresh,
  judgeRateLimited,
  judgeRefreshRace,
  judgeRevokedGrant,
  judgeTamperedListing,
  judgeUnauthorizedStorm,
} from './judge-calls.ts';
import {
  judgeCallback,
  judgeIdToken,
  judgeMissingAtHash,
  judgeNonce,
  judgeOrdinary,
  judgeRotatedKeys,
  judgeSlowAnswer,
  judgeSpentCode,
  judgeUserinfo,
} from './judge-sign-in.ts';
import { type Finding, QUIET_SECONDS, RETRY_AFTER_SECONDS, type Watched } from './watched.ts';

/** How the hostile server differs from the real one. */
export interface Behaviour {
  callback?: 'wrong_state' | 'wrong_issuer' | 'spent_code';
  idToken?:
    | 'wrong_issuer'
    | 'wrong_audience'
    | 'wrong_nonce'
    | 'expired'
    | 'no_subject'
    | 'wrong_at_hash'
    | 'no_at_hash';
  signature?: 'none' | 'broken' | 'rotated';
  userinfo?: 'other_subject';
  api?: 'expired_at_first' | 'unauthorized' | 'rate_limited' | 'revoked';
  /** `lost`: the token is rotated, and the connection breaks before the answer. */
  refresh?: 'refused' | 'lost';
  listing?: 'tampered_second' | 'foreign_marketplace';
  /** `code`, `refresh`: the token endpoint is slow in answering. */
  slow?: 'code' | 'refresh';
}

export interface Check {
  /** Stable, for programs. */
  name: string;
  title: string;
  /** What the hostile server does. */
  does: string;
  /** When it passes. */
  expects: string;
  /** What the partner does, where it is more than a sign-in and a call of the API. */
  how?: string;
  /** Where it comes from. */
  source: string;
  behaviour: Behaviour;
  judge(watched: Watched): Finding;
}

const STOPS = 'The app shows an error, and uses none of the tokens.';

/** The check that the others build on. */
export const ORDINARY = 'ordinary-sign-in';

const idToken = (
  name: string,
  title: string,
  behaviour: Behaviour,
  what: string,
  more: { source: string; optional?: string },
): Check => ({
  name,
  title,
  does: `The ID token comes ${what}.`,
  expects: more.optional === undefined ? STOPS : `${STOPS} ${more.optional}`,
  source: more.source,
  behaviour,
  judge: (watched) => judgeIdToken(watched, { what, ...(more.optional !== undefined && { optional: more.optional }) }),
});

/** Every check, in the order in which a run goes best. */
export const CHECKS: readonly Check[] = [
  {
    name: ORDINARY,
    title: 'Ordinary sign-in',
    does: 'Everything is as it should be.',
    expects: 'The code is exchanged with the verifier of its challenge, and the access token is used.',
    source: 'oidcc-client-test',
    behaviour: {},
    judge: judgeOrdinary,
  },
  {
    name: 'wrong-state',
    title: 'Wrong state',
    does: 'The callback has another state than the request.',
    expects: 'The code is not sent to the token endpoint.',
    source: 'RFC 6749 §10.12, RFC 9700 §4.7',
    behaviour: { callback: 'wrong_state' },
    judge: (watched) => judgeCallback(watched, 'with the wrong state'),
  },
  {
    name: 'wrong-issuer',
    title: 'Mixed-up issuer',
    does: 'The callback names another issuer in iss. The discovery document announces the parameter.',
    expects: 'The code is not sent to the token endpoint.',
    source: 'RFC 9207 §2.4',
    behaviour: { callback: 'wrong_issuer' },
    judge: (watched) => judgeCallback(watched, 'from another issuer'),
  },
  {
    name: 'wrong-nonce',
    title: 'Wrong nonce',
    does: 'The ID token has another nonce than the request.',
    expects: `The request has a nonce. ${STOPS}`,
    source: 'oidcc-client-test-nonce-invalid',
    behaviour: { idToken: 'wrong_nonce' },
    judge: judgeNonce,
  },
  idToken('id-token-issuer', 'ID token: wrong iss', { idToken: 'wrong_issuer' }, 'with another issuer', {
    source: 'oidcc-client-test-invalid-iss',
  }),
  idToken('id-token-audience', 'ID token: wrong aud', { idToken: 'wrong_audience' }, 'for another client', {
    source: 'oidcc-client-test-invalid-aud',
  }),
  idToken('id-token-expired', 'ID token: expired', { idToken: 'expired' }, 'two hours late', {
    source: 'OIDC Core §3.1.3.7, 9',
  }),
  idToken('id-token-subject', 'ID token: no sub', { idToken: 'no_subject' }, 'without a sub', {
    source: 'oidcc-client-test-missing-sub',
  }),
  idToken('id-token-unsigned', 'ID token: alg none', { signature: 'none' }, 'unsigned, with alg none', {
    source: 'RFC 8725 §3.1; discovery lists RS256 only',
  }),
  idToken(
    'id-token-signature',
    'ID token: bad signature',
    { signature: 'broken' },
    'with a signature that is not valid',
    {
      source: 'oidcc-client-test-invalid-sig-rs256',
      optional:
        'OIDC Core §3.1.3.7 lets a client rely on TLS in the code flow; one that checks the signature is safer.',
    },
  ),
  idToken(
    'at-hash-wrong',
    'ID token: wrong at_hash',
    { idToken: 'wrong_at_hash' },
    'with the at_hash of another access token',
    {
      source: 'OIDC Core §3.1.3.8',
      optional: 'The standard leaves the comparison to the client in the code flow; one that compares is safer.',
    },
  ),
  {
    name: 'at-hash-missing',
    title: 'ID token: no at_hash',
    does: 'The ID token has no at_hash.',
    expects: 'The sign-in goes on: at_hash is optional in the code flow.',
    source: 'OIDC Core §3.1.3.6',
    behaviour: { idToken: 'no_at_hash' },
    judge: judgeMissingAtHash,
  },
  {
    name: 'rotated-keys',
    title: 'Rotated keys',
    does: 'The ID token is signed with a key that was published when the check began.',
    expects: 'The sign-in goes on: an app that checks signatures reads the keys again.',
    how: 'Where your app keeps keys, restart it first: libraries do not read them again within a minute.',
    source: 'oidcc-client-test-signing-key-rotation-just-before-signing',
    behaviour: { signature: 'rotated' },
    judge: judgeRotatedKeys,
  },
  {
    name: 'userinfo-subject',
    title: 'Userinfo of somebody else',
    does: 'Userinfo names another sub than the ID token.',
    expects: 'No call follows. An app that does not read userinfo has nothing to do here.',
    source: 'oidcc-client-test-userinfo-invalid-sub',
    behaviour: { userinfo: 'other_subject' },
    judge: judgeUserinfo,
  },
  {
    name: 'replayed-code',
    title: 'Replayed code',
    does: 'The callback has a code that was used before. The token endpoint refuses it.',
    expects: 'The code is sent once, and not again.',
    source: 'RFC 6749 §4.1.2',
    behaviour: { callback: 'spent_code' },
    judge: judgeSpentCode,
  },
  {
    name: 'slow-answer',
    title: 'Slow answer',
    does: 'The token endpoint answers after five seconds.',
    expects: 'The code is sent once: a second time would end every token of the sign-in.',
    source: 'RFC 6749 §4.1.2',
    behaviour: { slow: 'code' },
    judge: judgeSlowAnswer,
  },
  {
    name: 'refresh-race',
    title: 'Refresh from two tabs',
    does: 'The first access token has expired at once, and the answer to a refresh is slow.',
    expects: 'Each refresh token is sent once, and both callers go on with the new access token.',
    how: 'Sign in, then call the API from two tabs or two processes at the same time.',
    source: 'RFC 9700 §4.14.2',
    behaviour: { api: 'expired_at_first', slow: 'refresh' },
    judge: judgeRefreshRace,
  },
  {
    name: 'lost-refresh',
    title: 'Lost answer to a refresh',
    does: 'The first access token has expired at once. The refresh works, and the connection breaks before its answer.',
    expects:
      'The refresh token is not sent again, or only within the retry window of the client. Otherwise it is advice: browsers send it again by themselves.',
    how: 'Use a browser for an app that keeps refresh tokens in browsers.',
    source: 'RFC 9700 §4.14.2, RFC 9110 §9.2.2',
    behaviour: { api: 'expired_at_first', refresh: 'lost' },
    judge: judgeLostRefresh,
  },
  {
    name: 'unauthorized-storm',
    title: 'Nothing but 401',
    does: 'The API answers each call with 401, also with a fresh access token.',
    expects: 'One refresh and one more try for each caller, then an end: six calls and three refreshes at most.',
    source: 'RFC 6750 §3.1',
    behaviour: { api: 'unauthorized' },
    judge: judgeUnauthorizedStorm,
  },
  {
    name: 'rate-limited',
    title: '429 with Retry-After',
    does: `The API answers the first call with 429, and asks for ${RETRY_AFTER_SECONDS} seconds.`,
    expects: 'No call comes before that.',
    source: 'RFC 6585 §4, RFC 9110 §10.2.3',
    behaviour: { api: 'rate_limited' },
    judge: judgeRateLimited,
  },
  {
    name: 'revoked-grant',
    title: 'Access ended by the fan',
    does: 'The API answers 401 grant_revoked, and a refresh is invalid_grant.',
    expects: 'One refresh at most, then no more calls: the fan is asked to sign in again.',
    source: 'RFC 6749 §5.2',
    behaviour: { api: 'revoked', refresh: 'refused' },
    judge: judgeRevokedGrant,
  },
  {
    name: 'tampered-listing',
    title: 'Tampered listing',
    does: 'The first listing comes back with its message as it was sent, the second one with a changed message. Neither has a real co-signature.',
    expects: 'Only the unchanged transaction is sent to the cluster.',
    how: 'Set the Solana RPC address of your app to the one of this check, then list twice. Without that it can’t be observed.',
    source: 'the guide “Listing”',
    behaviour: { listing: 'tampered_second' },
    judge: judgeTamperedListing,
  },
  {
    name: 'foreign-marketplace',
    title: 'Listing on a foreign marketplace',
    does: 'Every listing is refused with 404, as one on a marketplace that the client has not registered.',
    expects: 'The app says so. It neither sends the transaction to the cluster nor sends the same listing again.',
    how: 'Set the Solana RPC address of your app to the one of this check, then list once.',
    source: 'the guide “Listing”',
    behaviour: { listing: 'foreign_marketplace' },
    judge: judgeForeignMarketplace,
  },
];

/** How long a check waits for quiet, for texts. */
export const QUIET = QUIET_SECONDS;

export function checkNamed(name: string): Check | undefined {
  return CHECKS.find((check) => check.name === name);
}
