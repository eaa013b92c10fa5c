import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { addEndpoint } from '../../../../src/partners/notification/change-endpoint.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { CHAIN_SCOPE } from '../../../support/chain-app.ts';
import { type DescribedOperation, operationsOf } from '../../../support/openapi.ts';
import { signIn } from '../../../support/partner.ts';
import { expectDescribed, faults, type Received } from '../../../support/schema-checks.ts';
import { testChainApp } from '../../../support/test-chain-app.ts';
import { fitting, near } from './schema-arbitrary.ts';

/**
 * Requests that the OpenAPI description generates, valid and invalid, against the real service. No valid one is refused for its
 * shape, no invalid one is accepted, nothing is a 500, and every answer is one that is described.
 * `SCHEMA_SEED` and `SCHEMA_RUNS` look further than a usual run.
 */
const app = await testChainApp({ tokenFailureLimit: 1_000_000, env: { FAN_RATE_LIMIT: '1000000' } });
const RUNS = { seed: Number(process.env.SCHEMA_SEED ?? 15), numRuns: Number(process.env.SCHEMA_RUNS ?? 60) };

let token: string;
let endpointToken: string;
beforeAll(async () => {
  token = (await signIn(app, { scope: CHAIN_SCOPE })).access_token;
  const clientId = app.kit.client_id as Id<'client'>;
  const wish = { format: 'set_poll', types: ['grant.revoked'] } as const;
  endpointToken = (await addEndpoint(app.context(), clientId, wish, 'system')).secret ?? '';
});

interface Sent {
  query?: Record<string, unknown>;
  path?: Record<string, unknown>;
  body?: unknown;
}
type Described = ReturnType<typeof operationsOf>[number];

async function send({ path, method, operation, isFanApi }: Described, sent: Sent): Promise<Received> {
  const base = isFanApi ? app.config.apiUrl : app.config.authUrl;
  const url = new URL(base + path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(sent.path?.[name]))));
  for (const [name, value] of Object.entries(sent.query ?? {})) url.searchParams.set(name, asText(value));
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const isPoll = operation.operationId === 'pollNotifications';
  // an empty poll would be held
  const body =
    isPoll && isObject(sent.body) ? { ...sent.body, ...(isHeld(sent.body) && { returnImmediately: true }) } : sent.body;
  const answer = await fetch(url, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: {
      ...(operation.security.length > 0 && { authorization: `Bearer ${isPoll ? endpointToken : token}` }),
      ...(type !== undefined && { 'content-type': type }),
    },
    ...(type !== undefined && { body: type === 'application/json' ? JSON.stringify(body) : form(body) }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Whether a poll would wait where there is nothing. */
function isHeld(body: object): boolean {
  return !('returnImmediately' in body) || body.returnImmediately === false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function form(body: unknown): string {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return new URLSearchParams(fields.map(([name, value]) => [name, asText(value)])).toString();
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parameters as one object schema. @param place of the parameters */
function parametersOf({ parameters = [] }: DescribedOperation, place: 'query' | 'path') {
  const own = parameters.filter((parameter) => parameter.in === place && parameter.name !== 'cursor');
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Whether an answer refuses the shape of a request, not what it means. */
function refusesShape({ status, headers, text }: Received): boolean {
  const location = headers.get('location');
  if (location === null && status < 400) return false;
  if (headers.has('x-error-code')) return headers.get('x-error-code') === 'invalid_request';
  const told = location === null ? text : new URL(location).searchParams.get('error_description');
  return /(?:is required|must be|must not|must have)/.test(told ?? '');
}

/** Whether a request was accepted: it reached what it asked for. */
function accepted({ status, headers }: Received): boolean {
  const location = headers.get('location');
  return location === null ? status < 300 : new URL(location).searchParams.has('session_id');
}

/** The client and the redirect URI are those of the test; all else is generated. */
function asKnownClient(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return {
    ...value,
    ...('client_id' in value && typeof value.client_id === 'string' && { client_id: app.kit.client_id }),
    ...('redirect_uri' in value &&
      typeof value.redirect_uri === 'string' && { redirect_uri: 'http://localhost:4000/callback' }),
    ...('scope' in value && typeof value.scope === 'string' && { scope: 'openid' }),
  };
}

const OPERATIONS = operationsOf().map((described) => ({ ...described, name: described.operation.operationId }));

it.each(OPERATIONS)(
  'a request that fits the description: $name: is not refused for its shape, and its answer is described',
  async (described) => {
    const { operation } = described;
    const [content] = Object.values(operation.requestBody?.content ?? {});
    const requests = fc.record({
      query: fitting(parametersOf(operation, 'query')),
      path: fitting(parametersOf(operation, 'path')),
      body: content === undefined ? fc.constant(undefined) : fitting(content.schema),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ query, path, body }) => {
        const sent = { query: asKnownClient(query), path, body: asKnownClient(body) } as Sent;
        const received = await send(described, sent);
        expectDescribed(operation, received);
        expect([500, 413, 415]).not.toContain(received.status);
        expect(refusesShape(received), received.text + received.headers.get('location')).toBe(false);
      }),
      RUNS,
    );
  },
);

describe('a request that does not fit the description', () => {
  const withInput = OPERATIONS.filter(({ operation }) => operation.requestBody ?? operation.parameters);
  it.each(withInput)('$name: is refused, never by a 500, and its answer is described', async (described) => {
    const { operation } = described;
    const [content] = Object.values(operation.requestBody?.content ?? {});
    const schema = content?.schema ?? parametersOf(operation, operation.parameters?.[0]?.in ?? 'query');
    const isText = Object.keys(operation.requestBody?.content ?? {})[0] !== 'application/json';
    let unfit = 0;
    await fc.assert(
      fc.asyncProperty(near(schema), async (value) => {
        const given = asKnownClient(value);
        // in a query or a form everything is text
        const meant = isText ? asTexts(given) : given;
        const place = content ? 'body' : (operation.parameters?.[0]?.in ?? 'query');
        const received = await send(described, { [place]: meant });
        expectDescribed(operation, received);
        expect(received.status).not.toBe(500);
        if (faults(schema, typed(meant, schema)).length === 0) return;
        unfit += 1;
        expect(accepted(received), JSON.stringify(meant)).toBe(false);
      }),
      RUNS,
    );
    expect(unfit).toBeGreaterThan(5);
  });

  it.each(OPERATIONS.filter(({ operation }) => operation.security.length > 0))(
    '$name: without a token, and with a bad one, it is a described 401',
    async (described) => {
      const good = { token, endpointToken };
      for (token of ['', 'x', `${good.token}x`]) {
        endpointToken = token;
        const sent = { path: { grant: 'grant_01m82ekgesespvn0j2wygyasaf' }, body: {} };
        const received = await send(described, sent);
        expect(received.status).toBe(401);
        expectDescribed(described.operation, received);
      }
      ({ token, endpointToken } = good);
    },
  );
});

function asTexts(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, asText(field)]));
}

/** Texts as the description has them: numbers where it says so. */
function typed(value: unknown, schema: object): unknown {
  if (!('properties' in schema) || typeof value !== 'object' || value === null) return value;
  const properties = schema.properties as Record<string, { type?: string }>;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const isNumber = properties[name]?.type === 'integer' && /^\d+$/.test(field);
      return [name, isNumber ? Number(field) : field];
    }),
  );
}
