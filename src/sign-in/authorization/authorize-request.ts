/**
 * The checks of an authorization request, in their order. Until the client and redirect URI are verified, a refusal is shown in
 * the browser (DomainError); after that it goes to the partner by redirect (OAuthError with `redirect`).
 * @see RFC 6749 §4.1.2.1, spec §5.4
 *
 * @module
 */

import type { Client } from '../../entities/client.ts';
import { isCodeChallenge } from '../../oauth/pkce.ts';
import { isUsable } from '../../partners/client/usable-client.ts';
import { matchesRedirectUri } from '../../partners/redirect-uri.ts';
import { parseScope } from '../../partners/scopes.ts';
import { DomainError } from '../../platform/errors.ts';
import { uriFault } from '../../platform/identifier/uri-fault.ts';
import { OAuthError, type OAuthErrorCode } from '../../platform/oauth-error.ts';

/** An authorization request that passed every check. */
export interface AuthorizeRequest {
  redirectUri: string;
  /** Space-delimited, each scope once. */
  scope: string;
  state: string;
  codeChallenge: string;
  nonce: string | null;
  loginHint: string | null;
  uiLocales: string | null;
}

export const STATE_MAX_BYTES = 4096;
/** Longer hints are ignored. */
const HINT_MAX_LENGTH = 512;
const NONCE_MAX_LENGTH = 1024;

/** What a fan reads; the request log adds the URI that was sent. */
export const NOT_REGISTERED =
  'The redirect_uri of the link is not one that this app has registered. It must match exactly.';

/** The one `client_id` of the request. @throws DomainError where there is none, or several */
export function requestedClientId(parameters: URLSearchParams): string {
  const [id, ...more] = parameters.getAll('client_id');
  if (!id)
    throw new DomainError('invalid_request', 'The link has no client_id, so it is not clear which app you came from.');
  if (more.length > 0) throw new DomainError('invalid_request', 'The link names client_id more than once.');
  return id;
}

/** Runs every check. @throws DomainError while the redirect URI is not verified; OAuthError with `redirect` after */
export function checkAuthorizeRequest(given: URLSearchParams, client: Client): AuthorizeRequest {
  const redirectUri = checkRedirectUri(given, client);
  const parameters = withoutEmpty(given);
  const refuse: Refuse = (error, description) => {
    throw new OAuthError(error, description, { redirectUri, state: returnableState(given) });
  };
  checkResponseType(parameters, refuse);
  checkDuplicates(given, refuse);
  checkRequestObjects(parameters, refuse);
  checkResponseMode(parameters, refuse);
  const scope = checkScope(parameters, client, refuse);
  const state = checkState(parameters, refuse);
  const codeChallenge = checkPkce(parameters, refuse);
  checkMode(parameters, refuse);
  const nonce = checkNonce(parameters, refuse);
  if (!isUsable(client)) refuse('unauthorized_client', 'this client is not enabled');
  checkPrompt(parameters, refuse);
  return {
    redirectUri,
    scope,
    state,
    codeChallenge,
    nonce,
    loginHint: hint(parameters, 'login_hint'),
    uiLocales: hint(parameters, 'ui_locales'),
  };
}

/** A parameter without a value counts as omitted, but must not be repeated either. @see RFC 6749 §3.1 */
function withoutEmpty(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([, value]) => value !== ''));
}

type Refuse = (error: OAuthErrorCode, description: string) => never;

function checkRedirectUri(parameters: URLSearchParams, client: Client): string {
  const [uri, ...more] = parameters.getAll('redirect_uri');
  if (!uri)
    throw new DomainError(
      'invalid_request',
      'The link has no redirect_uri, so it is not clear where to send you back.',
    );
  if (more.length > 0) throw new DomainError('invalid_request', 'The link names redirect_uri more than once.');
  if (!matchesRedirectUri(uri, client)) {
    const fault = uriFault(uri);
    throw new DomainError(
      'invalid_request',
      fault === undefined ? NOT_REGISTERED : `The redirect_uri of the link ${fault}.`,
    );
  }
  return uri;
}

function checkResponseType(parameters: URLSearchParams, refuse: Refuse): void {
  const type = parameters.get('response_type');
  if (!type) refuse('invalid_request', 'response_type is required');
  if (type !== 'code') refuse('unsupported_response_type', 'response_type must be code');
}

/** @see RFC 6749 §3.1: parameters must not be included more than once */
function checkDuplicates(parameters: URLSearchParams, refuse: Refuse): void {
  for (const name of new Set(parameters.keys())) {
    if (parameters.getAll(name).length > 1)
      refuse('invalid_request', `${printable(name)} must not be given more than once`);
  }
}

function checkRequestObjects(parameters: URLSearchParams, refuse: Refuse): void {
  if (parameters.has('request')) refuse('request_not_supported', 'request objects are not supported');
  if (parameters.has('request_uri')) refuse('request_uri_not_supported', 'request_uri is not supported');
}

/** @see OAuth 2.0 Multiple Response Type Encoding Practices §2.1 */
function checkResponseMode(parameters: URLSearchParams, refuse: Refuse): void {
  const mode = parameters.get('response_mode');
  if (mode !== null && mode !== 'query') refuse('invalid_request', 'response_mode must be query');
}

function checkScope(parameters: URLSearchParams, client: Client, refuse: Refuse): string {
  const text = parameters.get('scope');
  if (!text) return refuse('invalid_request', 'scope is required');
  const scopes = parseScope(text) ?? refuse('invalid_scope', 'scope must be scopes, separated by spaces');
  const refused = scopes.find((scope) => !client.scopes.includes(scope));
  if (refused !== undefined) refuse('invalid_scope', `scope ${printable(refused)} is not allowed for this client`);
  return scopes.join(' ');
}

function checkState(parameters: URLSearchParams, refuse: Refuse): string {
  const state = parameters.get('state');
  if (!state) return refuse('invalid_request', 'state is required');
  if (returnableState(parameters) === undefined) {
    return refuse('invalid_request', `state must be at most ${STATE_MAX_BYTES} bytes of UTF-8`);
  }
  return state;
}

/** The state, where it can be returned byte for byte: given once, valid UTF-8, not too long. */
function returnableState(parameters: URLSearchParams): string | undefined {
  const [state, ...more] = parameters.getAll('state');
  if (!state || more.length > 0 || state.includes('\uFFFD') || state.includes('\0')) return undefined;
  return Buffer.byteLength(state) <= STATE_MAX_BYTES ? state : undefined;
}

/** @see RFC 7636 §4.3, §4.4.1: `plain` is refused, also when it is only the default of a missing method */
function checkPkce(parameters: URLSearchParams, refuse: Refuse): string {
  const challenge = parameters.get('code_challenge');
  if (!challenge) return refuse('invalid_request', 'code_challenge is required (PKCE)');
  const method = parameters.get('code_challenge_method');
  if (method !== 'S256') return refuse('invalid_request', 'code_challenge_method must be S256');
  if (!isCodeChallenge(challenge))
    return refuse('invalid_request', 'code_challenge must be the base64url of a SHA-256 (43 characters)');
  return challenge;
}

function checkMode(parameters: URLSearchParams, refuse: Refuse): void {
  const mode = parameters.get('mode');
  if (mode !== null && mode !== 'sandbox' && mode !== 'production')
    refuse('invalid_request', 'mode must be sandbox or production');
}

function checkNonce(parameters: URLSearchParams, refuse: Refuse): string | null {
  const nonce = parameters.get('nonce');
  if (nonce && (nonce.length > NONCE_MAX_LENGTH || nonce.includes('\0'))) {
    refuse('invalid_request', `nonce must be at most ${NONCE_MAX_LENGTH} characters`);
  }
  return nonce || null;
}

/** Every authorization authenticates the fan, so `none` can never be met; other values change nothing. @see OIDC Core §3.1.2.1 */
function checkPrompt(parameters: URLSearchParams, refuse: Refuse): void {
  const prompts = (parameters.get('prompt') ?? '').split(' ');
  if (!prompts.includes('none')) return;
  if (prompts.length > 1) refuse('invalid_request', 'prompt=none must stand alone');
  refuse('login_required', 'the fan must sign in; prompt=none can not be met');
}

function hint(parameters: URLSearchParams, name: string): string | null {
  const value = parameters.get(name);
  return value && value.length <= HINT_MAX_LENGTH && !value.includes('\0') ? value : null;
}

/** @see RFC 6749 §4.1.2.1: the characters of an error_description */
function printable(text: string): string {
  return text.slice(0, 80).replace(/[^\x20\x21\x23-\x5B\x5D-\x7E]/g, '?');
}
