import type { ErrorCode } from '../../../src/platform/errors.ts';
import type { OAuthErrorCode } from '../../../src/platform/oauth-error.ts';

/** What the catalogue of errors has beside the tables of the code: why it usually happens, and what an answer says. */
export interface ErrorNote {
  cause: string;
  /** The message or `error_description` of an example. */
  example: string;
}

/** Codes of the Fan API. A test compares them with those that a partner can meet. */
export const API_NOTES: Partial<Record<ErrorCode, ErrorNote>> = {
  invalid_request: {
    cause:
      'A field is missing, unknown or out of range, or a query parameter occurs twice. Also with other statuses: 413 (the body is over 64 KiB), 414 (the URL is over 16 KiB), 415 (the body is not `application/json`, or has a `Content-Encoding`), 431 (the header fields are over 16 KiB together), 408 (the request did not arrive in time) and 501 (no such HTTP method).',
    example: 'type: must be list or cancel.',
  },
  access_token_missing: {
    cause: 'The `Authorization` header is missing, or a proxy on your side drops it.',
    example: 'The request has no access token.',
  },
  access_token_malformed: {
    cause:
      'The header is not `Bearer`, a space and a JWT: for example a refresh token was sent, or the token was cut off.',
    example: 'The access token is not a JWT.',
  },
  access_token_invalid: {
    cause: 'The ID token was sent, a token of another issuer, or one with another audience; or its bytes were changed.',
    example: 'The access token is invalid: its aud is wrong.',
  },
  access_token_expired: {
    cause:
      'Access tokens live for a short time, and this one was used too late. Or the clock of your server is slow, so that it refreshes too late.',
    example: 'The access token has expired.',
  },
  grant_revoked: {
    cause:
      'The fan ended your access in the portal, you revoked a token of this grant, staff stopped it, or a refresh token was used twice.',
    example: 'The access of this token has been revoked.',
  },
  action_not_granted: {
    cause: 'The fan cleared its checkbox when allowing access, or turned it off later in the portal.',
    example: 'The user has not granted the action fan:listings:write.',
  },
  scope_missing: {
    cause: 'The authorize request or a refresh did not ask for the scope.',
    example: 'The access token does not include the required scope fan:claims:write.',
  },
  not_found: {
    cause:
      'The ticket was sold or its listing cancelled meanwhile, it belongs to another fan, is not in the grant, is of the other mode, or its event is over (a listing can still be cancelled then). For a listing, the ticket may be listed already; for a cancellation, it may have no listing; a claim may name another listing than the present one, or another claim of it may be in progress.',
    example: 'transactions[0]: the ticket was not found.',
  },
  unknown_route: {
    cause: 'The path is misspelled, or does not begin with the address of the Fan API.',
    example: 'There is no /fan/ticket here.',
  },
  method_not_allowed: {
    cause: 'Each path has one method, for example POST for `/authorizations`, and another one was used.',
    example: 'PUT is not allowed here.',
  },
  rate_limited: {
    cause: 'Your application made more calls for one fan (one grant) within a minute than the limit allows.',
    example: 'Too many requests; try again in 12 s.',
  },
  internal: {
    cause: 'A fault of this service, logged with the request ID. Your request may be right.',
    example: 'Something went wrong on our side.',
  },
  unavailable: {
    cause:
      'The database or the Solana cluster cannot be reached, a transfer is not confirmed yet, or staff have stopped signing. Claims that were started continue.',
    example: 'The Solana cluster can not be reached for the moment; try again.',
  },
  cluster_missing: {
    cause: 'The ticketing company has not set up a Solana cluster for the mode of your client.',
    example: 'No Solana cluster is set up for production: listings and claims do not work.',
  },
};

/** Where an error of the authorization server is met. */
type Where = 'authorize' | 'token' | 'userinfo';

export const OAUTH_NOTES: Record<OAuthErrorCode | 'server_error', ErrorNote & { where: Where[] }> = {
  invalid_request: {
    where: ['authorize', 'token'],
    cause:
      'A parameter is missing, repeated or malformed. At the token endpoint also: the code, verifier, redirect URI or client ID does not belong to this sign-in. Malformed HTTP has this code too, with the status 405, 413, 414, 431 or 501.',
    example: 'code_challenge is required (PKCE)',
  },
  invalid_client: {
    where: ['token'],
    cause:
      'Your library sends a client secret or an `Authorization` header. Clients are public: set its authentication method to `none`.',
    example: 'clients are public: send client_id in the form, and no secret',
  },
  invalid_grant: {
    where: ['token'],
    cause:
      'The refresh token was used before, has expired 30 days after the sign-in, its grant has ended, or it was issued to another client.',
    example: 'refresh_token is invalid, expired or revoked',
  },
  invalid_scope: {
    where: ['authorize', 'token'],
    cause:
      'The scope is not registered for your client, is misspelled, or a refresh asks for more than the first request.',
    example: 'scope fan:cart:write is not allowed for this client',
  },
  invalid_token: {
    where: ['userinfo'],
    cause:
      'The access token is missing, malformed, expired or revoked, or it is the ID token. Also from the consent receipt.',
    example: 'The access token has expired.',
  },
  unauthorized_client: {
    where: ['authorize'],
    cause: 'The client is a production client that is not enabled yet, or staff have stopped it.',
    example: 'this client is not enabled',
  },
  unsupported_grant_type: {
    where: ['token'],
    cause:
      '`grant_type` is missing, misspelled, or one that this service does not have, such as `client_credentials` or `password`.',
    example: 'grant_type must be authorization_code or refresh_token',
  },
  unsupported_response_type: {
    where: ['authorize'],
    cause: 'Your library asks for the implicit or the hybrid flow, such as `response_type=token`.',
    example: 'response_type must be code',
  },
  access_denied: {
    where: ['authorize'],
    cause: 'The fan chose "Deny".',
    example: 'the fan denied access',
  },
  login_required: {
    where: ['authorize'],
    cause:
      'Your library tries a silent sign-in (`prompt=none`), often in a hidden frame. There is no session that it could use.',
    example: 'the fan must sign in; prompt=none can not be met',
  },
  request_not_supported: {
    where: ['authorize'],
    cause: 'Your library sent the parameters as a request object (a JWT).',
    example: 'request objects are not supported',
  },
  request_uri_not_supported: {
    where: ['authorize'],
    cause:
      'Your library sent a `request_uri`, an address of the parameters, instead of the parameters (for example by PAR).',
    example: 'request_uri is not supported',
  },
  temporarily_unavailable: {
    where: ['authorize', 'token', 'userinfo'],
    cause: 'With 503: part of the service is down. With 429: too many token requests from your address were refused.',
    example: 'the service is unavailable for the moment; try again',
  },
  server_error: {
    where: ['authorize', 'token', 'userinfo'],
    cause: 'A fault of this service. It is logged with the request ID.',
    example: 'something went wrong on our side',
  },
};
