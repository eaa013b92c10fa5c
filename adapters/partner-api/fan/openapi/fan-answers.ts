import { CHAIN_FIXES } from '../../../../src/platform/chain-error.ts';
import { ERRORS } from '../../../../src/platform/errors.ts';
import { type HeaderName, RATE_LIMIT } from './headers.ts';
import { type Answer, type Examples, jsonBody, schemaOf } from './operation.ts';

/** An answer to a request with `Prefer: explain`. */
const EXPLAINED = {
  summary: 'With Preference-Applied: explain',
  value: {
    transactions: [
      {
        accepted: false,
        instructions: [],
        rules: [
          {
            rule: 'encoding',
            passed: false,
            message:
              'a transaction is a non-empty text of hex digit pairs or of padded standard base64 (neither of the two).',
            fix: CHAIN_FIXES.encoding,
          },
        ],
      },
    ],
  },
};

/** As `success`, or the explanation that the client asked for instead. */
export function successOrExplanation(...[description, shape, examples, more]: Parameters<typeof success>): Answer {
  const either = `${description} With \`Preference-Applied: explain\` the explanation of each transaction.`;
  const content = jsonBody(shape, { ...examples, explained: EXPLAINED });
  const schema = { anyOf: [content.schema, schemaOf('ExplainResponse')] };
  const answer = success(either, shape, {}, { ...more, headers: ['Preference-Applied'] });
  return { ...answer, content: { ...content, schema } };
}

/** A success of the Fan API. @param shape name of the body's schema */
export function success(
  description: string,
  shape: string,
  examples: Examples,
  more: Pick<Answer, 'links'> & { headers?: HeaderName[] } = {},
): Answer {
  return {
    description,
    headers: ['Cache-Control', ...RATE_LIMIT, ...(more.headers ?? [])],
    content: jsonBody(shape, examples),
    ...(more.links && { links: more.links }),
  };
}

/** A refusal of the Fan API. @param messages an example of a message for each code */
function refusal(
  description: string,
  messages: Readonly<Record<string, string>>,
  { headers = [], codes = Object.keys(messages) }: { headers?: readonly HeaderName[]; codes?: readonly string[] } = {},
): Answer {
  const examples = Object.entries(messages).map(([code, message]) => [code, { value: { message } }]);
  return {
    description,
    headers: ['Cache-Control', ...headers],
    errorCodes: codes,
    content: jsonBody('ErrorResponse', Object.fromEntries(examples)),
  };
}

/** The refusal of a request that is too large or too slow, whose message says no more than its description. */
const unread = (description: string) => refusal(description, { invalid_request: description });

/** The codes of a status that a partner may see. */
function codesOf(status: number): string[] {
  return Object.entries(ERRORS)
    .filter(([, error]) => error.status === status && (error.kind === 'token' || error.kind === 'request'))
    .map(([code]) => code);
}

const BAD_QUERY = refusal('A parameter is invalid; the message names it.', {
  invalid_request: 'limit must be a whole number from 1 to 200',
});
const BAD_BODY = refusal(
  'The body or a transaction in it is invalid; the message names which, and the rule.',
  {
    invalid_request: 'transactions must be a list of 1 to 4 strings',
    encoding:
      'transactions[0]: a transaction is a non-empty text of hex digit pairs or of padded standard base64 (neither of the two).',
  },
  { codes: ['invalid_request', ...Object.keys(CHAIN_FIXES)] },
);

/** What every operation may answer. @see spec §7 */
export const EVERY: Record<number, Answer> = {
  401: refusal(
    'The access token is missing, expired or invalid, its grant was revoked, or the user did not grant the required action.',
    {
      access_token_missing: 'An access token is required: Authorization: Bearer <token>.',
      access_token_expired: 'The access token has expired.',
      grant_revoked: 'The access of this token has been revoked.',
      action_not_granted: 'The user has not granted the action fan:listings:write.',
    },
    { headers: ['WWW-Authenticate'], codes: codesOf(401) },
  ),
  403: refusal(
    'The access token does not include the required scope.',
    { scope_missing: 'The access token does not include the required scope fan:tickets:read.' },
    { headers: ['WWW-Authenticate'] },
  ),
  414: unread('The URL is longer than 16 KiB.'),
  429: refusal(
    'Too many calls for this grant.',
    { rate_limited: 'Too many requests; try again in 12 s.' },
    { headers: ['Retry-After', ...RATE_LIMIT] },
  ),
  431: refusal('The header fields together are longer than 16 KiB.', {
    invalid_request: 'The header fields are longer than 16 KiB.',
  }),
  500: refusal('The service failed.', { internal: 'Something went wrong on our side.' }),
  503: refusal(
    'Something that this service needs is down for the moment. Repeat the call where it has `Retry-After`.',
    {
      unavailable: 'The service is unavailable for the moment; try again.',
      cluster_missing: 'Listings and claims are not set up for production.',
    },
    { headers: ['Retry-After'] },
  ),
};

/** The refusals of an operation with a query. */
export const WITH_QUERY: Record<number, Answer> = { 400: BAD_QUERY, ...EVERY };

/** The refusals of an operation with a body. */
export const WITH_BODY: Record<number, Answer> = {
  ...EVERY,
  400: BAD_BODY,
  404: refusal('The requested ticket or listing was not found.', {
    not_found: 'transactions[0]: There is no such ticket or listing.',
  }),
  408: unread('The request did not arrive in time.'),
  413: unread('The body is larger than 64 KiB.'),
  415: refusal('The body is not `application/json`, or has a `Content-Encoding`.', {
    invalid_request: 'Content-Type must be application/json.',
  }),
};

/** The refusals of a poll for notifications. */
export const POLL_ANSWERS: Record<number, Answer> = {
  400: refusal('The body is invalid; the message names the member.', {
    invalid_request: 'ack must be a list of up to 1,000 jti',
  }),
  401: refusal(
    'The token is missing or invalid, its endpoint is disabled, or the client is not enabled.',
    {
      access_token_missing: 'An access token is required: Authorization: Bearer <token>.',
      access_token_invalid: 'This is not the token of an endpoint that polls.',
      access_token_malformed: 'The Authorization header must be: Bearer <token>.',
    },
    { headers: ['WWW-Authenticate'] },
  ),
  ...Object.fromEntries([408, 413, 415].map((status) => [status, WITH_BODY[status] as Answer])),
  ...Object.fromEntries([414, 429, 431, 500, 503].map((status) => [status, EVERY[status] as Answer])),
};
