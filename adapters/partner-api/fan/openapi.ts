/**
 * The OpenAPI description of the Fan API and its authorization server, made from the shapes that the API itself checks with.
 *
 *   node adapters/partner-api/fan/openapi.ts     writes openapi.json beside this file (`npm run generate` also formats it)
 *
 * An operation is one entry of `FAN_OPERATIONS` or `AUTH_OPERATIONS`, a shape one entry of `SHAPES` or `AUTH_SHAPES`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { authServerMetadataUrl } from '../../../src/oauth/metadata.ts';
import { SCOPE_TABLE } from '../../../src/partners/scope-table.ts';
import { ALL_SCOPES } from '../../../src/partners/scopes.ts';
import {
  ExplainedAccount,
  ExplainedInstruction,
  ExplainedRule,
  ExplainedTransaction,
  ExplainResponse,
} from './explain-wire.ts';
import { AUTH_OPERATIONS } from './openapi/auth-operations.ts';
import { AUTH_SHAPES } from './openapi/auth-shapes.ts';
import { FAN_OPERATIONS } from './openapi/fan-operations.ts';
import { HEADERS, type HeaderName } from './openapi/headers.ts';
import { POLL_OPERATION, WEBHOOK_SHAPES, WEBHOOKS } from './openapi/notifications.ts';
import type { Answer, Operation } from './openapi/operation.ts';
import {
  CreateAuthorizationRequest,
  CreateAuthorizationResponse,
  ErrorResponse,
  ExecuteClaimRequest,
  ExecuteClaimResponse,
  ExecutedClaim,
  FetchTicketsResponse,
  FetchWalletResponse,
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
  FetchWalletResponse,
  ErrorResponse,
  ExplainedAccount,
  ExplainedInstruction,
  ExplainedRule,
  ExplainedTransaction,
  ExplainResponse,
  ...AUTH_SHAPES,
  ...WEBHOOK_SHAPES,
};

/** @see D-279 */
const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'Sandbox only: with `explain` each transaction is judged by every rule, and nothing is signed, submitted or written. Any text may then stand for a transaction. In production it is ignored (RFC 7240 §2).',
  schema: { type: 'string' },
  example: 'explain',
};

const FAN_TAG = 'Fan API';
const AUTH_TAG = 'Authorization server';

const BESIDE = 'Not part of the specification: an addition to the contract.';

interface Urls {
  authUrl: string;
  apiUrl: string;
}

/**
 * The description as a JSON document.
 * @param urls where an installation has its authorization server and its Fan API
 */
export function describeFanApi(
  urls: Urls = { authUrl: 'http://localhost:3000', apiUrl: 'http://localhost:3000/fan' },
): Record<string, unknown> {
  const operations = [...FAN_OPERATIONS, POLL_OPERATION, ...AUTH_OPERATIONS];
  const shared = sharedAnswers(operations);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fan API',
      version: VERSION,
      description:
        'What a partner application can do for a fan who has authorized it, and the authorization server that issues its access tokens. Query parameters that an operation does not know are ignored; one that it knows is given once, as name=value. What is marked `x-beside-contract` is not part of the specification.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: urls.apiUrl, description: 'The Fan API. Sandbox and production have the same address.' }],
    tags: [
      { name: FAN_TAG, description: 'Tickets, listings and claims of a fan, with an access token of the fan.' },
      { name: 'Events', description: 'What you are told of grants, tickets, claims and listings without asking.' },
      { name: AUTH_TAG, description: 'Sign-in, tokens and keys (OAuth 2.0, OpenID Connect).' },
    ],
    paths: pathsOf(operations, urls, shared),
    webhooks: WEBHOOKS,
    components: {
      schemas: schemas(),
      headers: HEADERS,
      responses: Object.fromEntries([...shared].map(([answer, name]) => [name, responseOf(answer)])),
      securitySchemes: securitySchemes(urls),
    },
  };
}

/** Names the answers that several operations have, such as `fan-401`. */
function sharedAnswers(operations: Operation[]): Map<Answer, string> {
  const seen = new Set<Answer>();
  const shared = new Map<Answer, string>();
  for (const { server, answers } of operations) {
    for (const [status, answer] of Object.entries(answers)) {
      if (!seen.has(answer)) {
        seen.add(answer);
      } else if (!shared.has(answer)) {
        const name = `${server === undefined ? 'fan' : 'auth'}-${status}`;
        const taken = [...shared.values()].filter((other) => other.startsWith(name)).length;
        shared.set(answer, taken === 0 ? name : `${name}-${taken + 1}`);
      }
    }
  }
  return shared;
}

function pathsOf(
  operations: Operation[],
  urls: Urls,
  shared: Map<Answer, string>,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const item = paths[operation.path] ?? serverOf(operation, urls);
    paths[operation.path] = item;
    item[operation.method] = describe(operation, shared);
  }
  return paths;
}

/** A path item of its own server, where that is not the Fan API. */
function serverOf({ server }: Operation, { authUrl }: Urls): Record<string, unknown> {
  if (server === undefined) return {};
  const url = server === 'auth' ? authUrl : new URL(authServerMetadataUrl(authUrl)).origin;
  return { servers: [{ url, description: 'The authorization server.' }] };
}

function describe(
  { id, server, tag, summary, description, beside, explains, scopes, parameters, body, answers }: Operation,
  shared: Map<Answer, string>,
) {
  const asked = [...(parameters ? parametersOf(parameters) : []), ...(explains ? [PREFER] : [])];
  return {
    operationId: id,
    tags: [tag ?? (server === undefined ? FAN_TAG : AUTH_TAG)],
    summary,
    description: beside ? `${description} ${BESIDE}` : description,
    ...(beside && { 'x-beside-contract': true }),
    security: securityOf(scopes),
    ...(asked.length > 0 && { parameters: asked }),
    ...(body && {
      requestBody: { required: true, content: { [body.type]: { schema: body.schema, examples: body.examples } } },
    }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => {
        const name = shared.get(answer);
        return [status, name === undefined ? responseOf(answer) : { $ref: `#/components/responses/${name}` }];
      }),
    ),
  };
}

function securityOf(scopes: Operation['scopes']): Record<string, readonly string[]>[] {
  if (scopes === 'none') return [];
  return scopes === 'endpoint' ? [{ notificationEndpoint: [] }] : [{ oauth2: scopes }];
}

function parametersOf(given: NonNullable<Operation['parameters']>): unknown[] {
  return Object.entries(given.shape.shape).map(([name, field]) => ({
    name,
    in: given.in,
    required: !z.safeParse(field, undefined).success,
    description: given.descriptions[name],
    // the parsed type: `limit` is a number, which a query has as text
    schema: bare(z.toJSONSchema(field, { io: 'output' })),
  }));
}

function responseOf({ description, headers: named = [], errorCodes, content, links }: Answer) {
  const names: HeaderName[] = ['X-Request-Id', ...named];
  return {
    description,
    headers: {
      ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      ...(errorCodes && { 'X-Error-Code': errorCode(errorCodes) }),
    },
    ...(content && { content: { [content.type]: { schema: content.schema, examples: content.examples } } }),
    ...(links && { links }),
  };
}

function errorCode(codes: readonly string[]) {
  const description = 'A stable code for what the message says.';
  return { required: true, description, schema: { type: 'string', enum: codes }, example: codes[0] };
}

function securitySchemes({ authUrl }: Urls): Record<string, unknown> {
  const url = (path: string) => `${authUrl}/oauth2/${path}`;
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Authorization code with PKCE (S256). Clients are public. See the discovery document of the issuer.',
      flows: {
        authorizationCode: {
          authorizationUrl: url('authorize'),
          tokenUrl: url('token'),
          refreshUrl: url('token'),
          scopes: Object.fromEntries(ALL_SCOPES.map((scope) => [scope, SCOPE_TABLE[scope].says])),
        },
      },
    },
    notificationEndpoint: {
      type: 'http',
      scheme: 'bearer',
      description: 'The token of an endpoint for events, from the partner workspace. It belongs on your server.',
    },
  };
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
