import { createServer } from 'node:http';
import { isNonNullType } from 'graphql';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { graphqlEndpoint } from '../../../../adapters/consoles/admin/graphql.ts';
import { requestId } from '../../../../adapters/http/request-id.ts';
import { schema } from '../../../../schema/schema.ts';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { createServiceAccount } from '../../../../src/people/staff/service-accounts.ts';
import type { Id } from '../../../../src/platform/identifier/type-id.ts';
import { listen } from '../../../support/listen.ts';
import { newSession } from '../../../support/new-session.ts';
import { sampleOf } from '../../../support/sample-value.ts';
import { testApp } from '../../../support/test-app.ts';

const app = await testApp();
const cookie = `fan_staff=${await newSession(app)}`;

interface Answer {
  status: number;
  headers: Headers;
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
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
}

const QUESTION = { query: '{ partners { totalCount } }' };
const ANSWERED = { status: 200, body: { data: { partners: { totalCount: 1 } } } };

test('a signed-in browser is answered', async () => {
  expect(await post(QUESTION)).toMatchObject(ANSWERED);
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

  test('GET is not answered: a link can neither read nor change', async () => {
    const query = encodeURIComponent(QUESTION.query);
    const answer = await fetch(`${app.origin}/admin/graphql?query=${query}`, {
      headers: { cookie, 'x-console': '1' },
    });
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
    const before = process.cpuUsage();
    const answer = await post({ query });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
    expect(answer.body.data ?? null).toBeNull();
    expect(answer.body.errors?.[0]?.message).toMatch(reason);
  });

  test.each([
    ['a batch', [QUESTION, QUESTION], 400],
    ['a giant body', { query: `{ partners { totalCount } } # ${'x'.repeat(1_100_000)}` }, 413],
    ['what is no JSON', '{', 400],
  ])('%s', async (_, body, status) => {
    expect((await post(body)).status).toBe(status);
  });

  test('half of a surrogate pair, which the database could not store', async () => {
    const query = 'mutation ($name: String!) { registerPartner(name: $name) { ... on Refusal { code } } }';
    const halves = (name: string) => `{"query":${JSON.stringify(query)},"variables":{"name":"${name}"}}`;
    expect((await post(halves('a\\ud83c'))).status).toBe(400);
    expect(await post(halves('Whole \\ud83c\\udf9f'))).toMatchObject({
      status: 200,
      body: { data: { registerPartner: {} } },
    });
  });

  test('a text that is no GraphQL', async () => {
    const answer = await post({ query: '{ partners {' });
    expect(answer.body.errors?.[0]?.message).toMatch(/syntax/i);
  });
});

describe('in production nobody learns the schema', () => {
  let server: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    const endpoint = graphqlEndpoint({ ...app.runtime, config: { ...app.config, production: true } }, async () => {});
    const koa = new Koa().use(requestId() as Koa.Middleware).use(endpoint);
    server = await listen(createServer(koa.callback()));
  });
  afterAll(() => server.stop());

  test.each([
    ['introspection', '{ __schema { types { name } } }', /introspection/i],
    ['names that are nearly right', '{ partnerz { totalCount } }', /Cannot query field "partnerz"(?!.*mean)/],
  ])('%s', async (_, query, message) => {
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-console': '1', cookie },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await answer.json()) as Answer['body'];
    expect(data ?? null).toBeNull();
    expect(errors?.[0]?.message).toMatch(message);
  });

  test('in development the answer suggests the right name', async () => {
    expect((await post({ query: '{ partnerz { totalCount } }' })).body.errors?.[0]?.message).toMatch(
      /mean "partners?"/,
    );
    expect((await post({ query: '{ __schema { queryType { name } } }' })).body.data).toBeTruthy();
  });
});

describe('service accounts', () => {
  let account: { id: Id<'sva'>; value: string };

  beforeAll(async () => {
    account = await make(['inventory:write', 'console:read'], 6_000);
  });

  async function make(scopes: string[], callsPerMinute: number) {
    const wish = { name: 'Box office', scopes, days: 1, callsPerMinute };
    const { account, value } = await createServiceAccount(app.context(), wish, 'system');
    return { id: account.id, value };
  }

  const call = (value: string, query: string) =>
    post({ query }, { cookie: undefined, 'x-console': undefined, authorization: `Bearer ${value}` });

  /** All but what a service account with every right that it can have may change. */
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ extensions }) => {
    const { pothosOptions } = extensions as { pothosOptions?: { authScopes?: { right?: string } } };
    return pothosOptions?.authScopes?.right !== 'inventory:write';
  });

  test.each(mutations.map((field) => [field.name, field] as const))(
    'a service account is refused %s',
    async (name, field) => {
      const required = field.args.filter((argument) => isNonNullType(argument.type));
      const given = required.map((argument) => `${argument.name}: ${sampleOf(argument.type)}`).join(', ');
      const query = `mutation { ${name}${given && `(${given})`} { __typename ... on Refusal { code } } }`;
      const { body } = await call(account.value, query);
      expect(body.data?.[name]).toMatchObject({ code: 'forbidden' });
    },
  );

  test('it reads what it may, and is refused the audit log and what is for people', async () => {
    expect((await call(account.value, '{ partners { nodes { name } } }')).body.data?.partners).toBeDefined();
    for (const query of ['{ auditEntries { nodes { id } } }', '{ viewer { id } }', '{ myTokens { nodes { id } } }']) {
      const { body } = await call(account.value, query);
      expect(body.errors?.[0]?.extensions.code).toBe('forbidden');
    }
    const csv = await fetch(`${app.config.adminUrl}/audit.csv`, {
      headers: { authorization: `Bearer ${account.value}` },
    });
    expect(csv.status).toBe(403);
    await csv.text();
  });

  test('a refusal is on record with the account and its token', async () => {
    await call(account.value, 'mutation { rotateKeys { __typename } }');
    const where = { actor: `service:${account.id}`, action: 'staff.refused' };
    const entries = await app.context().em.find(AuditEntry, where);
    const entry = entries.find(({ details }) => details.operation === 'rotateKeys');
    expect(entry).toMatchObject({
      subject: account.id,
      details: { right: 'keys:rotate', staffToken: expect.stringMatching(/^svt_/) },
    });
  });

  test('its token is no session: the console’s sign-in and cookie do not take it', async () => {
    const cookies = `fan_staff=${account.value}; __Host-fan_staff=${account.value}`;
    expect((await post({ query: '{ viewer { id } }' }, { cookie: cookies })).status).toBe(401);
  });

  test('each account has a limit of its own, and learns when to call again', async () => {
    const [few, many] = await Promise.all([make(['console:read'], 2), make(['console:read'], 50)]);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await call(few.value, '{ scopes { name } }')).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const refused = await call(few.value, '{ scopes { name } }');
    expect(refused.body.errors?.[0]).toMatchObject({
      message: expect.stringContaining('2 calls a minute'),
      extensions: { code: 'rate_limited' },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(many.value, '{ scopes { name } }')).status).toBe(200);
  });
});
