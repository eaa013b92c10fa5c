/**
 * The OpenAPI description of the Fan API, made from the shapes that the API itself checks with.
 *
 *   node adapters/fan/openapi.ts     writes openapi.json beside this file (`npm run generate` also formats it)
 *
 * An operation is one entry of `OPERATIONS`, a shape one entry of `SHAPES`; nothing else needs a change.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ACTION_SCOPES, type Action, REQUIRED_ACTIONS } from '../../src/oauth/scopes.ts';
import {
  ExplainedAccount,
  ExplainedInstruction,
  ExplainedRule,
  ExplainedTransaction,
  ExplainResponse,
} from './explain-wire.ts';
import {
  CreateAuthorizationRequest,
  CreateAuthorizationResponse,
  ErrorResponse,
  ExecuteClaimRequest,
  ExecuteClaimResponse,
  ExecutedClaim,
  FetchTicketsQuery,
  FetchTicketsResponse,
  Ticket,
} from './wire.ts';

export const OPENAPI_FILE = join(import.meta.dirname, 'openapi.json');

/** Spec §9. */
const VERSION = '1.0.0';

/** Bodies by the name that they have in the specification. */
const SHAPES = {
  Ticket,
  FetchTicketsResponse,
  CreateAuthorizationRequest,
  CreateAuthorizationResponse,
  ExecuteClaimRequest,
  ExecutedClaim,
  ExecuteClaimResponse,
  ErrorResponse,
  ExplainedAccount,
  ExplainedInstruction,
  ExplainedRule,
  ExplainedTransaction,
  ExplainResponse,
};
type ShapeName = keyof typeof SHAPES;

interface Operation {
  id: string;
  method: 'get' | 'post';
  path: string;
  scope: Action;
  summary: string;
  description: string;
  /** The query's shape, and a sentence for each of its parameters. */
  query?: { shape: z.ZodObject; descriptions: Record<string, string> };
  body?: ShapeName;
  response: { shape: ShapeName; description: string; headers?: HeaderName[] };
  refusals: (keyof typeof REFUSALS)[];
  /** Whether a sandbox client may ask for an explanation in place of the result. */
  explains?: true;
}

const HEADERS = {
  'X-Request-Id': 'Identifies the request in logs; name it when you ask for help.',
  'X-Error-Code': 'A stable code for what the message says.',
  'WWW-Authenticate': 'RFC 6750 §3.',
  'Retry-After': 'Seconds to wait.',
  'RateLimit-Limit': 'Calls per minute and grant.',
  'RateLimit-Remaining': 'Calls left in this minute.',
  'RateLimit-Reset': 'Seconds until all calls are there again.',
  'Preference-Applied': '`explain`, where the request was explained and nothing was executed (RFC 7240).',
  Link: 'rel="next": the next page, where there is one (RFC 8288).',
} as const;
type HeaderName = keyof typeof HEADERS;

const RATE_LIMIT: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Answers that are no success; the body is always an ErrorResponse. @see spec §7 */
const REFUSALS = {
  400: { description: 'A parameter, the body or a transaction in it is invalid; the message names it.', headers: [] },
  401: {
    description:
      'The access token is missing, expired or invalid, its grant was revoked, or the user did not grant the required action.',
    headers: ['WWW-Authenticate'],
  },
  403: { description: 'The access token does not include the required scope.', headers: ['WWW-Authenticate'] },
  404: { description: 'The requested ticket or listing was not found.', headers: [] },
  413: { description: 'The body is larger than 64 KiB.', headers: [] },
  415: { description: 'The body is not application/json, or has a Content-Encoding.', headers: [] },
  429: { description: 'Too many calls for this grant.', headers: ['Retry-After', ...RATE_LIMIT] },
  503: { description: 'Something that this service needs is away for the moment.', headers: ['Retry-After'] },
} as const satisfies Record<number, { description: string; headers: readonly HeaderName[] }>;

/** What can go wrong with an operation that has a body. */
const WITH_BODY: Operation['refusals'] = [400, 401, 403, 404, 413, 415, 429, 503];

const OPERATIONS: Operation[] = [
  {
    id: 'fetchTickets',
    method: 'get',
    path: '/tickets',
    scope: REQUIRED_ACTIONS.fetchTickets,
    summary: 'Lists the future tickets of the authenticated user',
    description:
      'Tickets of events that have not ended, within the grant and the mode of the token, ordered by the start of the event. A sandbox token sees the tickets of sandbox test users that have a permit for this integration.',
    query: {
      shape: FetchTicketsQuery,
      descriptions: {
        event_id:
          'A service event identifier or an onchain event identifier (`tix_event_id`). One that matches no event, whatever it looks like, gives an empty list.',
        limit: 'Tickets per page. Without it all of them come at once.',
        cursor: 'From the `Link` header of the page before.',
      },
    },
    response: { shape: 'FetchTicketsResponse', description: 'The tickets.', headers: [...RATE_LIMIT, 'Link'] },
    refusals: [400, 401, 403, 429, 503],
  },
  {
    id: 'createAuthorization',
    method: 'post',
    path: '/authorizations',
    scope: REQUIRED_ACTIONS.createAuthorization,
    summary: 'Signs transactions that create or cancel a listing',
    description:
      "Each transaction has exactly one listing instruction of the ticket program, of the kind that `type` names, and at most a compute limit and a compute price beside it. All are judged as one set: either all come back with the fan's signature and the co-signer's, or none. The program's IDL is at `/idl.json`.",
    body: 'CreateAuthorizationRequest',
    response: { shape: 'CreateAuthorizationResponse', description: 'The signed transactions.' },
    refusals: WITH_BODY,
    explains: true,
  },
  {
    id: 'executeClaim',
    method: 'post',
    path: '/claims/execute',
    scope: REQUIRED_ACTIONS.executeClaim,
    summary: 'Claims tickets by signed transfer transactions',
    description:
      'Each transaction is fully signed and has exactly one `transfer_permit_v1` instruction, to the wallet of the authenticated user. All are judged before any is submitted. The same request again gives the same answer.',
    body: 'ExecuteClaimRequest',
    response: { shape: 'ExecuteClaimResponse', description: 'The tickets, now claimed for the user.' },
    refusals: WITH_BODY,
    explains: true,
  },
];

/**
 * The description as a JSON document.
 * @param urls where an installation has its authorization server and its Fan API
 */
export function describeFanApi(
  urls = { authUrl: 'http://localhost:3000', apiUrl: 'http://localhost:3000/fan' },
): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fan API',
      version: VERSION,
      description:
        'What a partner application can do for a fan who has authorized it. Query parameters that an operation does not know are ignored; one that it knows is given once, as name=value.',
    },
    servers: [{ url: urls.apiUrl }],
    paths: pathsOf(OPERATIONS),
    components: {
      schemas: schemas(),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
      ),
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, { description, headers }]) => [
          status,
          answer(description, 'ErrorResponse', ['X-Error-Code', ...headers]),
        ]),
      ),
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          description:
            'Authorization code with PKCE (S256). Clients are public. See the discovery document of the issuer.',
          flows: {
            authorizationCode: {
              authorizationUrl: `${urls.authUrl}/oauth2/authorize`,
              tokenUrl: `${urls.authUrl}/oauth2/token`,
              refreshUrl: `${urls.authUrl}/oauth2/token`,
              scopes: Object.fromEntries(ACTION_SCOPES.map((scope) => [scope, `Action ${scope}`])),
            },
          },
        },
      },
    },
  };
}

function pathsOf(operations: Operation[]): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? {};
    paths[operation.path] = item;
    item[operation.method] = describe(operation);
  }
  return paths;
}

function describe({ id, summary, description, scope, query, body, response, refusals, explains }: Operation) {
  return {
    operationId: id,
    summary,
    description,
    security: [{ oauth2: [scope] }],
    ...(query && { parameters: parametersOf(query) }),
    ...(explains && { parameters: [PREFER] }),
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: explains
        ? answerOrExplanation(response)
        : answer(response.description, response.shape, response.headers ?? RATE_LIMIT),
      ...Object.fromEntries(refusals.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

function parametersOf({ shape, descriptions }: NonNullable<Operation['query']>): unknown[] {
  return Object.entries(shape.shape).map(([name, field]) => ({
    name,
    in: 'query',
    required: !z.safeParse(field, undefined).success,
    description: descriptions[name],
    schema: bare(z.toJSONSchema(field)),
  }));
}

/** @see D-279 */
const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'Sandbox only: with `explain` each transaction is judged by every rule, and nothing is signed, submitted or written. Any text may then stand for a transaction. In production it is ignored (RFC 7240 §2).',
  schema: { type: 'string', examples: ['explain'] },
};

/** With `Preference-Applied`, the body is an explanation. */
function answerOrExplanation({ description, shape, headers = RATE_LIMIT }: Operation['response']) {
  const text = `${description} With \`Preference-Applied: explain\` the explanation of each transaction.`;
  const schemas = [shape, 'ExplainResponse'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const described = answer(text, shape, [...headers, 'Preference-Applied']);
  return { ...described, content: { 'application/json': { schema: { anyOf: schemas } } } };
}

function answer(description: string, shape: ShapeName, headers: readonly HeaderName[]) {
  const named = ['X-Request-Id', ...headers].map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return { description, headers: Object.fromEntries(named), content: json(shape) };
}

function json(shape: ShapeName) {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${shape}` } } };
}

/** Shapes that are parts of others are referred to by name. */
function schemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(SHAPES)) registry.add(shape, { id });
  const described = z.toJSONSchema(registry, { io: 'input', uri: (id) => `#/components/schemas/${id}` });
  return Object.fromEntries(Object.entries(described.schemas).map(([name, schema]) => [name, bare(schema)]));
}

/** In OpenAPI 3.1 the dialect is the document's, and a schema's name is its key. */
function bare({ $schema, $id, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema;
}

if (import.meta.main) writeFileSync(OPENAPI_FILE, `${JSON.stringify(describeFanApi(), null, 2)}\n`);
