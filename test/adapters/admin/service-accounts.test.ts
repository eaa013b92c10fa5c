import { type GraphQLField, isNonNullType } from 'graphql';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../../schema/schema.ts';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { createServiceAccount } from '../../../src/staff/service-accounts.ts';
import { sampleOf } from '../../support/sample-value.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

let account: { id: Id<'sva'>; value: string };
beforeAll(async () => {
  account = await make(['inventory:write', 'console:read'], 6_000);
});

async function make(scopes: string[], callsPerMinute: number) {
  const wish = { name: 'Box office', scopes, days: 1, callsPerMinute };
  const { account, value } = await createServiceAccount(app.context(), wish, 'system');
  return { id: account.id, value };
}

interface Answer {
  data?: Record<string, { code?: string } | null>;
  errors?: { message: string; extensions: { code: string } }[];
}

async function call(value: string, query: string): Promise<{ status: number; headers: Headers; body: Answer }> {
  const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
  const answer = await fetch(`${app.config.adminUrl}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer };
}

/** What a service account with every right that it can have may change. */
const MAY = new Set(rightsOfMutations().flatMap(([name, right]) => (right === 'inventory:write' ? [name] : [])));

function rightsOfMutations(): [name: string, right: string | undefined][] {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => {
    const { pothosOptions } = field.extensions as { pothosOptions?: { authScopes?: { right?: string } } };
    return [field.name, pothosOptions?.authScopes?.right];
  });
}

const mutations: GraphQLField<unknown, unknown>[] = Object.values(schema.getMutationType()?.getFields() ?? {});

test.each(mutations.filter(({ name }) => !MAY.has(name)).map((field) => [field.name, field] as const))(
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

test('an account without console:read does not read', async () => {
  const writer = await make(['inventory:write'], 100);
  const { body } = await call(writer.value, '{ partners { nodes { name } } }');
  expect(body.errors?.[0]?.extensions.code).toBe('forbidden');
});

test('its token is no session: the console’s sign-in and cookie do not take it', async () => {
  const cookie = `fan_staff=${account.value}; __Host-fan_staff=${account.value}`;
  const answer = await fetch(`${app.config.adminUrl}/graphql`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'x-console': '1' },
    body: JSON.stringify({ query: '{ viewer { id } }' }),
  });
  expect(answer.status).toBe(401);
  await answer.text();
});

test('each account has a limit of its own, and is told when to come again', async () => {
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
