import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphqlEndpoint } from '../../../adapters/admin/graphql.ts';
import { requestId } from '../../../adapters/http/request-id.ts';
import { findLocalAdmin } from '../../../src/staff/make-link.ts';
import { createStaffToken } from '../../../src/staff/staff-tokens.ts';
import { startSession } from '../../../src/staff/start-session.ts';
import type { TestApp } from '../../support/start-app.ts';
import { testApp } from '../../support/test-app.ts';

let cookie: string;

const app = await testApp();
beforeAll(async () => {
  cookie = await signedInCookie(app);
});

async function signedInCookie(of: TestApp): Promise<string> {
  const context = of.context();
  const admin = await findLocalAdmin(context);
  const secret = await startSession(context, admin.id, { authenticatedAt: context.now(), replaces: undefined });
  await context.em.flush();
  return `${of.config.adminUrl.startsWith('https') ? '__Host-' : ''}fan_staff=${secret}`;
}

interface Answer {
  status: number;
  body: { data?: Record<string, unknown> | null; errors?: { message: string; extensions: { code?: string } }[] };
}

async function post(body: unknown, headers: Record<string, string | undefined> = {}): Promise<Answer> {
  const all = { 'content-type': 'application/json', 'x-console': '1', cookie, ...headers };
  const given = Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  const answer = await fetch(`${app.origin}/admin/graphql`, {
    method: 'POST',
    headers: given,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

const QUESTION = { query: '{ partners { totalCount } }' };

test('a signed-in browser is answered', async () => {
  expect(await post(QUESTION)).toEqual({ status: 200, body: { data: { partners: { totalCount: 1 } } } });
});

describe('who may call', () => {
  test.each([
    ['no cookie', { cookie: undefined }, 401],
    ['a cookie of nobody', { cookie: 'fan_staff=ss_nobody' }, 401],
    ['a token of nobody', { cookie: undefined, authorization: 'Bearer st_nobody' }, 401],
    ['no console header, so another site may have caused it', { 'x-console': undefined }, 403],
    ['the origin of another site', { origin: 'https://evil.example' }, 403],
    ['a page of another site, as the browser says', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', { 'content-type': 'text/plain' }, 415],
  ] as [string, Record<string, string | undefined>, number][])('is refused: %s', async (_, headers, status) => {
    const answer = await post(QUESTION, headers);
    expect(answer.status).toBe(status);
    expect(answer.body.data).toBeUndefined();
    expect(answer.body.errors?.[0]?.message).toBeTruthy();
  });

  test('a token needs neither cookie nor console header, and has only its scopes', async () => {
    const context = app.context();
    const owner = await findLocalAdmin(context);
    const { value } = await createStaffToken(
      context,
      { name: 'Nightly', scopes: ['console:read'], days: 1 },
      { id: owner.id, name: owner.name, email: null, role: 'admin', authenticatedAt: context.now(), scopes: null },
    );
    const headers = { cookie: undefined, 'x-console': undefined, authorization: `Bearer ${value}` };
    expect(await post(QUESTION, headers)).toMatchObject({
      status: 200,
      body: { data: { partners: { totalCount: 1 } } },
    });
    const register = 'mutation { registerPartner(name: "By token") { ... on Refusal { code } } }';
    expect(await post({ query: register }, headers)).toMatchObject({
      body: { data: { registerPartner: { code: 'forbidden' } } },
    });
  });

  test('GET is not answered: a link can neither read nor change', async () => {
    const query = encodeURIComponent(QUESTION.query);
    const answer = await fetch(`${app.origin}/admin/graphql?query=${query}`, { headers: { cookie, 'x-console': '1' } });
    expect(answer.status).toBe(405);
  });
});

/** Partners of clients of partners of clients. */
function deep(levels: number): string {
  let selection = '{ id }';
  for (let level = 0; level < levels; level += 1) selection = `{ nodes { partner { clients ${selection} } } }`;
  return `{ clients ${selection.replace('{ id }', '{ totalCount }')} }`;
}

describe('abuse is refused, and quickly', () => {
  const aliases = (count: number, field: string) =>
    `{ ${Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ')} }`;
  test.each([
    ['deep', deep(4), /depth/],
    ['wide', `{ ${'partners { totalCount nodes { id name createdAt } } '.repeat(80)} }`, /breadth/],
    ['aliased', aliases(400, '__typename'), /30 aliases/],
    [
      'costly',
      aliases(
        4,
        'clients(first: 100) { nodes { history(first: 100) { nodes { id at actor action subject details } } } }',
      ),
      /complexity/,
    ],
    ['of many words', aliases(1_500, '__typename'), /token/i],
    [
      'with fragments in a circle',
      'query { ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
      /fragment/i,
    ],
  ])('a query that is %s', async (_, query, reason) => {
    const started = performance.now();
    const answer = await post({ query });
    expect(performance.now() - started).toBeLessThan(500);
    expect(answer.body.data ?? null).toBeNull();
    expect(answer.body.errors?.[0]?.message).toMatch(reason);
  });

  test('a batch', async () => {
    const answer = await post([QUESTION, QUESTION]);
    expect(answer.status).toBe(400);
  });

  test('a giant body', async () => {
    expect((await post({ query: `{ partners { totalCount } } # ${'x'.repeat(1_100_000)}` })).status).toBe(413);
  });

  test('half a character: the database could not hold it', async () => {
    const query = 'mutation ($name: String!) { registerPartner(name: $name) { ... on Refusal { code } } }';
    const halves = (name: string) => `{"query":${JSON.stringify(query)},"variables":{"name":"${name}"}}`;
    expect((await post(halves('a\\ud83c'))).status).toBe(400);
    expect(await post(halves('Whole \\ud83c\\udf9f'))).toEqual({
      status: 200,
      body: { data: { registerPartner: {} } },
    });
  });

  test('what is no JSON, and what is no GraphQL', async () => {
    expect((await post('{')).status).toBe(400);
    const answer = await post({ query: '{ partners {' });
    expect(answer.body.errors?.[0]?.message).toMatch(/syntax/i);
  });
});

describe('in production the schema is told to nobody', () => {
  let server: Server;
  beforeAll(async () => {
    const endpoint = graphqlEndpoint({ ...app.runtime, config: { ...app.config, production: true } }, async () => {});
    const koa = new Koa().use(requestId() as Koa.Middleware).use(endpoint);
    server = createServer(koa.callback()).listen(0);
    await once(server, 'listening');
  });
  afterAll(() => server?.close());

  test.each([
    ['introspection', '{ __schema { types { name } } }', /introspection/i],
    ['names that are nearly right', '{ partnerz { totalCount } }', /Cannot query field "partnerz"(?!.*mean)/],
  ])('%s', async (_, query, message) => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://localhost:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-console': '1', cookie },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await answer.json()) as Answer['body'];
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.message).toMatch(message);
  });

  test('while development helps', async () => {
    expect((await post({ query: '{ partnerz { totalCount } }' })).body.errors?.[0]?.message).toMatch(
      /mean "partners?"/,
    );
    expect((await post({ query: '{ __schema { queryType { name } } }' })).body.data).toBeTruthy();
  });
});
