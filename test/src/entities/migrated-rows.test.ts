import { describe, expect, it } from 'vitest';
import { Client } from '../../../src/entities/client.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { EDITS_BESIDE_APPROVED } from '../../../src/entities/migrations/2026-11-26-edits-beside-approved.ts';
import { GRANT_ENDS } from '../../../src/entities/migrations/2026-11-26-grant-ends.ts';
import { endExpiredGrants } from '../../../src/oauth/grant/end-expired-grants.ts';
import { turnActionOff } from '../../../src/oauth/grant/switch-action.ts';
import { deleteOldFrom, inBatches } from '../../../src/platform/database/in-batches.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import type { Id } from '../../../src/platform/identifier/type-id.ts';
import { countStatements } from '../../support/count-statements.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { BOB, clientAt, edit, readClient, reviewsOf, step } from '../partners/client/production-client.ts';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });

it('the migration 2026-11-26-grant-ends reads back what was consented to, and ends no grant that lives', async () => {
  const untouched = await signIn(app);
  const narrowed = await signIn(app);
  const emptied = await signIn(app);
  const off = (grantIds: string[], action: 'fan:tickets:read' | 'fan:listings:write') =>
    turnActionOff(app.context(), knownId('usr', app.kit.test_users[0]?.id ?? ''), { grantIds, action });
  await off([narrowed.grant_id, emptied.grant_id], 'fan:tickets:read');
  await off([emptied.grant_id], 'fan:listings:write');
  const { pool } = app.runtime;
  await pool.query('alter table consent_grant drop column consented_actions, drop column ends_after');
  for (const statement of GRANT_ENDS) await pool.query(statement);
  const consented = async (id: Id<'grant'>) =>
    (await app.context().em.findOneOrFail(ConsentGrant, { id })).consentedActions.toSorted();
  const ids = [untouched, narrowed, emptied].map((tokens) => tokens.grant_id);
  const all = ['fan:listings:write', 'fan:tickets:read'];
  expect(await Promise.all(ids.map(consented))).toEqual([all, all, all]);
  await endExpiredGrants(app.context());
  expect((await callFan(app, '/tickets', untouched.access_token)).status).toBe(200);
});

const EDITED = ['https://resale.example/edited'];

const migrate = async () => {
  for (const statement of EDITS_BESIDE_APPROVED) await app.context().em.execute(statement);
};

/** A client whose edit took it back to review, as it was done before: the edit is in its row. */
async function sentBack(redirectUris: string[]): Promise<Client> {
  const { id } = await clientAt(app, 'enabled');
  const { version } = await edit(app, id, { redirectUris });
  await step(app, 'approve', id, BOB, { version });
  await edit(app, id, { redirectUris: EDITED, loopbackAnyPort: false });
  const row = { status: 'in_review' as const, redirectUris: EDITED, corsOrigins: ['https://resale.example'] };
  await app.context().em.nativeUpdate(Client, { id }, row);
  return readClient(app, id);
}

it('a client that an edit had taken back to review has its approved registration again, and the edit waits beside it', async () => {
  const approved = [
    'https://a.example/cb?x=1',
    'https://a.example:8443/cb',
    'https://b.example/',
    'https://b.example/2',
  ];
  const { id, version } = await sentBack(approved);
  await migrate();

  expect(await readClient(app, id)).toMatchObject({
    status: 'approved',
    redirectUris: approved,
    corsOrigins: ['https://a.example', 'https://a.example:8443', 'https://b.example'],
    scopes: ['openid', 'fan:tickets:read'],
    loopbackAnyPort: false,
    version: version + 1,
  });
  const open = (await reviewsOf(app, id)).at(-1);
  expect(open).toMatchObject({ decision: null, registration: { redirectUris: EDITED } });
  expect(open?.note).toContain('in force again');
  expect((await step(app, 'enable', id, BOB)).redirectUris).toEqual(approved);
  expect((await step(app, 'approve', id, BOB, { version: version + 2 })).redirectUris).toEqual(EDITED);
});

it.each(['https://A.example/', 'https://a.example:443/cb', 'https://xn--a.example:0443/cb'])(
  'a redirect URI that a URL would write otherwise leaves the client in its review: %s',
  async (uri) => {
    const { id, version } = await sentBack([uri]);
    await migrate();
    expect(await readClient(app, id)).toMatchObject({ status: 'in_review', redirectUris: EDITED, version });
    expect((await step(app, 'approve', id, BOB, { version })).status).toBe('approved');
  },
);

it('first reviews, and clients that are in force, are left alone', async () => {
  const clients = [await clientAt(app, 'in_review'), await clientAt(app, 'enabled'), await clientAt(app, 'draft')];
  await edit(app, clients[1]?.id ?? '', { redirectUris: EDITED });
  const before = await Promise.all(clients.map(({ id }) => readClient(app, id)));
  await migrate();
  for (const { id, version, status } of before) expect(await readClient(app, id)).toMatchObject({ version, status });
});

const deleteOld = deleteOldFrom('portal_session', 'expires_at');

const AMOUNT = 12_000;

const BEGAN = Date.now();

const ago = (seconds: number) => new Date(BEGAN - seconds * 1_000);

/** Half of them expire together. */
async function expire(): Promise<void> {
  await app.runtime.pool.query(
    `insert into portal_session (secret_hash, phone, mode, resend_at, code_expires_at, created_at, expires_at)
     select gen_random_uuid(), '+1555', 'production', $1, $1, $1, $1::timestamptz - greatest(0, i - ${AMOUNT / 2}) * interval '1 second'
     from generate_series(1, ${AMOUNT}) i`,
    [ago(0)],
  );
}

async function left(): Promise<number> {
  const { rows } = await app.runtime.pool.query<{ n: number }>('select count(*)::int as n from portal_session');
  return rows[0]?.n ?? 0;
}

describe('old rows', () => {
  it('go in batches, the oldest first, and no younger one goes with them', async () => {
    await expire();
    const { statements } = await countStatements(() => deleteOld(app.runtime.pool, ago(3_600)));
    expect(statements).toHaveLength(1);
    expect(await left()).toBe(AMOUNT / 2 + 3_600);
    const all = await countStatements(() => deleteOld(app.runtime.pool, ago(-60)));
    expect(all.statements).toHaveLength(2);
    expect(await left()).toBe(0);
  });

  it('are left for the next run where the time is over: the run ends with its batch', async () => {
    await expire();
    const limit = new AbortController();
    const { pool } = app.runtime;
    const { query } = pool;
    let batches = 0;
    pool.query = ((...call: unknown[]) => {
      // the service has statements of its own meanwhile
      if (JSON.stringify(call[0]).includes('delete from') && ++batches === 2) limit.abort();
      return Reflect.apply(query, pool, call);
    }) as typeof query;
    try {
      await deleteOld(pool, ago(-60), limit.signal);
    } finally {
      pool.query = query;
    }
    expect(batches).toBe(2);
    expect(await left()).toBe(AMOUNT - 2 * 5_000);
    await deleteOld(pool, ago(-60));
    expect(await left()).toBe(0);
  });

  it('that somebody is writing are waited for, and stay where they are not old any more', async () => {
    await expire();
    const { pool } = app.runtime;
    const client = await pool.connect();
    await client.query('begin');
    await client.query(
      `update portal_session set expires_at = now() + interval '1 day'
       where secret_hash = (select secret_hash from portal_session order by expires_at limit 1)`,
    );
    const deleting = deleteOld(pool, ago(-60));
    await client.query('select pg_sleep(0.3)');
    await client.query('commit');
    client.release();
    await deleting;
    await deleteOld(pool, ago(-60));
    expect(await left()).toBe(1);
    await pool.query('delete from portal_session');
  });
});

it('batches end with the first that is not whole', async () => {
  const sizes = [3, 3, 2, 3];
  await inBatches(3, async () => sizes.shift() ?? 0);
  expect(sizes).toEqual([3]);
});
