import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Client } from '../../../src/entities/client.ts';
import { openOrm } from '../../../src/entities/orm.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { provideStarterKit } from '../../../src/sandbox/starter-kit.ts';
import { createDatabase } from '../../support/database.ts';
import { testApp } from '../../support/test-app.ts';

/** The exact shape of a starter kit. */
const StarterKit = z.strictObject({
  client_id: z.string().regex(/^client_[0-9a-z]{26}$/),
  redirect_uris: z.array(z.url()),
  scopes: z.array(z.string()),
  refresh_retry_window: z.literal(0),
  test_users: z
    .array(
      z.strictObject({
        id: z.string().regex(/^usr_[0-9a-z]{26}$/),
        phone: z.string().regex(/^\+1\d{3}55501\d{2}$/),
        code: z.string().regex(/^\d{6}$/),
        wallet_address: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/),
      }),
    )
    .length(2),
  auth_url: z.url(),
  api_url: z.url(),
  login_url: z.url(),
  admin_url: z.url(),
  rpc_url: z.url().nullable(),
});

/** The standard scopes, and the actions that an operation of the Fan API requires (spec §4.1). */
const SCOPES = 'openid profile offline_access fan:tickets:read fan:listings:write fan:claims:write';
const database = await createDatabase();
afterAll(() => database.drop());
const first = await testApp({ databaseUrl: database.url });

async function everything() {
  const tables = 'partner client fan test_user wallet event ticket_type ticket permit audit_entry'.split(' ');
  const { em } = first.context();
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) rows[table] = await em.execute(`select * from ${table} order by 1`);
  return rows;
}

it('the starter kit has exactly the shape of its file', () => {
  const kit = StarterKit.parse(first.kit);
  expect(kit).toMatchObject({
    auth_url: first.origin,
    api_url: `${first.origin}/fan`,
    login_url: `${first.origin}/login`,
    admin_url: `${first.origin}/admin`,
  });
});

it('it has one partner and one sandbox client with the scopes that have an endpoint and the redirect URIs', async () => {
  const { em } = first.context();
  expect(await em.count(Partner)).toBe(1);
  const [client, ...more] = await em.find(Client, {});
  expect(more).toEqual([]);
  expect(client).toMatchObject({ id: first.kit.client_id, mode: 'sandbox', status: 'sandbox-ready' });
  expect([...first.kit.scopes].sort()).toEqual(SCOPES.split(' ').sort());
  expect(first.kit.redirect_uris).toEqual([
    `${first.origin}/playground/callback`,
    'http://localhost:4000/callback',
    'http://127.0.0.1:4000/callback',
    'http://localhost:4000/auth/callback/fan',
  ]);
});

it('a second start changes nothing', async () => {
  const before = await everything();
  const { redirect_uris, ...kit } = first.kit;
  expect(await provideStarterKit(first.context())).toMatchObject(kit);
  expect(await everything()).toEqual(before);
});

it('it has the playground at the port that the service runs on, also where an earlier start had another', async () => {
  const authUrl = 'http://localhost:3999';
  const moved = { ...first.context(), config: { ...first.config, authUrl } };
  const kit = await provideStarterKit(moved);
  expect(kit).toMatchObject({ auth_url: authUrl, client_id: first.kit.client_id });
  expect(kit?.redirect_uris[0]).toBe(`${authUrl}/playground/callback`);
  expect(kit?.redirect_uris).toEqual(expect.arrayContaining(first.kit.redirect_uris));
  expect(await provideStarterKit(moved)).toEqual(kit);
});

it('it has two test users, three events and several permits of each, made by the functions that staff use: each is audited', async () => {
  const { em } = first.context();
  const entries = await em.find(AuditEntry, {});
  const count = (action: string) => entries.filter((entry) => entry.action === action).length;
  expect({
    partner: count('partner.registered'),
    client: count('client.registered'),
    users: count('test_user.created'),
    events: count('test_event.created'),
    permits: count('permit.granted'),
  }).toEqual({ partner: 1, client: 1, users: 2, events: 3, permits: 7 });
  expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['system']));
  for (const { id } of first.kit.test_users) {
    expect(await em.count(Permit, { ticket: { owner: id }, revokedAt: null })).toBeGreaterThan(1);
  }
});

it('a plan says how many test users and tickets it has, and what its client may', async () => {
  const { url, drop } = await createDatabase();
  const scopes = ['openid', 'fan:tickets:read'] as const;
  const orm = await openOrm(url, 2, () => {});
  const context = { ...first.context(), em: orm.em.fork() };
  const kit = await provideStarterKit(context, {
    users: 3,
    tickets: 6,
    redirectUris: ['https://a.example/cb'],
    scopes,
  });
  expect(kit).toMatchObject({ redirect_uris: [`${first.origin}/playground/callback`, 'https://a.example/cb'], scopes });
  const held = await orm.em.fork().execute('select count(*)::int as count from ticket group by owner_id');
  expect(held).toEqual([{ count: 6 }, { count: 6 }, { count: 6 }]);
  await orm.close();
  await drop();
});

it('a database that has clients of its own gets none', async () => {
  const { em } = first.context();
  await em.execute(`update partner set name = 'Somebody else'`);
  const before = await everything();
  expect(await provideStarterKit(first.context())).toBeUndefined();
  expect(await everything()).toEqual(before);
  await em.execute(`update partner set name = 'Front Row'`);
});
