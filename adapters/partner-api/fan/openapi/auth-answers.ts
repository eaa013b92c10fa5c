import { type HeaderName, RATE_LIMIT } from './headers.ts';
import { type Answer, type Examples, jsonBody } from './operation.ts';

/** An answer of the authorization server with a JSON body. @param shape name of the body's schema */
export function json(
  description: string,
  shape: string,
  examples: Examples,
  more: Pick<Answer, 'headers' | 'links'> = {},
): Answer {
  return { description, ...more, content: jsonBody(shape, examples) };
}

type Refusals = readonly (readonly [error: string, description: string])[];

/** An error answer. @param refusals `error` and `error_description`, one for each example @see RFC 6749 §5.2 */
export function oauthError(description: string, refusals: Refusals, headers: readonly HeaderName[] = []): Answer {
  const examples = refusals.map(([error, error_description], index) => [
    refusals.findIndex(([other]) => other === error) === index ? error : `${error}_${index + 1}`,
    { value: { error, error_description } },
  ]);
  return json(description, 'OAuthError', Object.fromEntries(examples), headers.length > 0 ? { headers } : {});
}

/** The refusal of a request that is too large or too slow, whose message says no more than its description. */
const unread = (description: string) => oauthError(description, [['invalid_request', description]]);

/** A page for the person at the browser. */
export function page(description: string, headers: readonly HeaderName[] = []): Answer {
  const value = '<!doctype html><html lang="en"><title>This link does not work</title></html>';
  return {
    description,
    headers: ['Cache-Control', ...headers],
    content: { type: 'text/html', schema: { type: 'string' }, examples: { page: { value } } },
  };
}

const TOO_LONG_URL = 'The URL is longer than 16 KiB.';
const TOO_LONG_HEAD = 'The header fields are longer than 16 KiB.';
const FAILED = 'something went wrong on our side';
const DOWN = 'the service is unavailable for the moment; try again';

/** What every endpoint that answers with JSON may answer. */
export const EVERY: Record<number, Answer> = {
  414: unread(TOO_LONG_URL),
  431: unread(TOO_LONG_HEAD),
  500: oauthError('The service failed.', [['server_error', FAILED]]),
  503: oauthError('Part of the service is down for the moment.', [['temporarily_unavailable', DOWN]], ['Retry-After']),
};

/** What an endpoint that reads a form may answer beside that. */
export const WITH_FORM: Record<number, Answer> = {
  ...EVERY,
  401: oauthError(
    'The client authenticated itself. Clients are public.',
    [['invalid_client', 'clients are public: send client_id in the form, no secret and no Authorization header']],
    ['WWW-Authenticate'],
  ),
  408: unread('The request did not arrive in time.'),
  413: unread('The body is larger than 64 KiB.'),
  415: oauthError('The body has a `Content-Encoding`.', [
    ['invalid_request', 'Content-Encoding is not supported: send the body as it is.'],
  ]),
};

/** What an endpoint that requires an access token may answer beside `EVERY`. */
export const WITH_TOKEN: Record<number, Answer> = {
  ...EVERY,
  401: oauthError(
    'The access token is missing, expired or invalid, or its grant was revoked.',
    [['invalid_token', 'The access token has expired.']],
    ['Cache-Control', 'WWW-Authenticate'],
  ),
};

export const TOO_MANY: Answer = oauthError(
  'Too many refused requests from this address. Requests that succeed are not counted.',
  [['temporarily_unavailable', 'too many refused requests; try again in 12 s']],
  ['Cache-Control', 'Retry-After', ...RATE_LIMIT],
);

/** What the pages of `/oauth2/authorize` answer instead of JSON. */
export const PAGES: Record<number, Answer> = {
  400: page('The app or its redirect URI is not known, so the browser cannot be sent back.'),
  414: page(TOO_LONG_URL),
  431: page(TOO_LONG_HEAD),
  500: page('The service failed.'),
  503: page('Part of the service is down for the moment.', ['Retry-After']),
};

export const FORM_ERRORS: Answer = oauthError('A field of the form is missing, repeated or wrong.', [
  ['invalid_request', 'code_verifier is required'],
  ['invalid_request', 'Invalid PKCE code_verifier'],
  ['invalid_grant', 'refresh_token is invalid, expired or revoked'],
  ['invalid_scope', 'scope is wider than the original grant'],
  ['unsupported_grant_type', 'grant_type must be authorization_code or refresh_token'],
]);
