import { beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { endExpiredGrants } from '../../../../src/oauth/grant/end-expired-grants.ts';
import { revokeGrant } from '../../../../src/oauth/grant/revoke-grant.ts';
import { type Id, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { countStatements } from '../../../support/count-statements.ts';
import { freezeClock } from '../../../support/freeze-clock.ts';
import { callFan, exchange, obtainCode, postForm, refresh, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

/** A grant that can do nothing more ends by itself. */
const TTL = 600;
const FAMILY = 7_200;
const CODE = 60;
const ONLINE = 'openid fan:tickets:read';
const env = { ACCESS_TOKEN_TTL: String(TTL), REFRESH_TOKEN_TTL: String(FAMILY) };
const app = await testApp({ env });
const beside = await testApp({ env, databaseUrl: app.config.databaseUrl ?? '' });
let clock: ReturnType<typeof freezeClock>;
beforeEach(() => {
  clock = freezeClock(app);
  beside.runtime.now = () => app.runtime.now();
  return () => clock[Symbol.dispose]();
});

const run = () => endExpiredGrants(app.context());

async function endOf(id: Id<'grant'>) {
  const { revokedReason } = await app.context().em.findOneOrFail(ConsentGrant, { id });
  return revokedReason;
}

async function audited(subject: Id<'grant'>) {
  const entries = await app.context().em.find(AuditEntry, { subject, action: 'grant.revoked' });
  return entries.map(({ actor, details }) => ({ actor, details }));
}

describe('a grant without a refresh token', () => {
  it('ends when its access token is over, not before; audited once', async () => {
    const { grant_id: id, access_token: token } = await signIn(app, { scope: ONLINE });
    clock.pass(TTL - 1);
    await run();
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
    clock.pass(CODE + 1);
    await run();
    await run();
    expect(await endOf(id)).toBe('expired');
    expect(await audited(id)).toEqual([{ actor: 'system', details: { reason: 'expired' } }]);
  });

  it('a code that is exchanged in its last second gives a token that lives as long as any', async () => {
    const obtained = await obtainCode(app, { scope: ONLINE });
    clock.pass(CODE - 1);
    const { access_token: token } = await exchange(app, obtained);
    clock.pass(TTL - 1);
    await run();
    expect((await callFan(app, '/tickets', token)).status).toBe(200);
  });

  it('a code that nobody exchanged: its grant ends too', async () => {
    await obtainCode(app, { scope: ONLINE });
    clock.pass(CODE + TTL);
    await run();
    const left = await app.context().em.find(ConsentGrant, { revokedAt: null, endsAfter: { $lte: app.runtime.now() } });
    expect(left).toEqual([]);
  });
});

describe('a grant with a refresh token', () => {
  it('lives until the last token of its last refresh is over', async () => {
    const first = await signIn(app);
    clock.pass(CODE + TTL);
    await run();
    clock.pass(FAMILY - CODE - TTL - 1);
    const [second] = await Promise.all([refresh(app, first.refresh_token), run(), endExpiredGrants(beside.context())]);
    clock.pass(TTL - 1);
    await Promise.all([run(), endExpiredGrants(beside.context())]);
    expect((await callFan(app, '/tickets', second.access_token)).status).toBe(200);
    expect(await endOf(first.grant_id)).toBeNull();
    clock.pass(2);
    await run();
    expect(await endOf(first.grant_id)).toBe('expired');
    expect((await refresh(app, second.refresh_token)).error).toBe('invalid_grant');
  });

  it('is looked at twice in its life: once more when it is due, and not in between', async () => {
    const { grant_id: id } = await signIn(app);
    const row = () => app.context().em.findOneOrFail(ConsentGrant, { id });
    const given = app.runtime.now().getTime();
    expect((await row()).endsAfter.getTime()).toBe(given + (CODE + TTL) * 1000);
    clock.pass(CODE + TTL);
    await run();
    expect((await row()).endsAfter.getTime()).toBe(given + (FAMILY + TTL) * 1000);
    clock.pass(1000);
    const { statements } = await countStatements(run);
    expect(statements.filter((text) => text.includes('consent_grant'))).toHaveLength(1);
  });
});

describe('several processes', () => {
  it('end each grant once, and leave alone what somebody holds', async () => {
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push((await signIn(app, { scope: ONLINE })).grant_id);
    const [held] = ids;
    if (!held) throw new Error('no grant');
    clock.pass(CODE + TTL);
    await app.context().em.transactional(async (tx) => {
      await tx.execute('select 1 from consent_grant where id = ? for update', [uuidOf('grant', held)]);
      await Promise.all([run(), endExpiredGrants(beside.context()), run(), endExpiredGrants(beside.context())]);
    });
    expect(await Promise.all(ids.map(endOf))).toEqual([null, 'expired', 'expired', 'expired']);
    for (const id of ids.slice(1)) expect(await audited(id)).toHaveLength(1);
    await run();
    expect(await endOf(held)).toBe('expired');
  });

  it('a grant that the fan ended first keeps that reason', async () => {
    const { grant_id: id, access_token: token } = await signIn(app, { scope: ONLINE });
    await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token });
    clock.pass(CODE + TTL);
    await run();
    expect(await endOf(id)).toBe('revoked_by_client');
  });
});

it('a thousand due grants need a handful of statements, and those that are over need none', async () => {
  const { pool } = app.runtime;
  const { rows } = await pool.query(
    `insert into consent_grant (id, fan_id, client_id, scope, actions, consented_actions, mode, ticket_ids, created_at, ends_after)
     select gen_random_uuid(), fan_id, client_id, 'openid', '{}', '{}', 'all_current_future', '{}', created_at - interval '1 day', created_at
     from (select * from consent_grant limit 1) one, generate_series(1, 2500) returning id`,
  );
  clock.pass(1);
  const { statements } = await countStatements(run);
  const ended = await pool.query(
    `select count(*)::int as n from consent_grant where id = any($1) and revoked_reason = 'expired'`,
    [rows.map(({ id }: { id: string }) => id)],
  );
  expect(ended.rows[0].n).toBe(2500);
  expect(statements.length).toBeLessThan(20);
  await pool.query('analyze consent_grant');
  const { rows: plan } = await pool.query(
    'explain select id from consent_grant where revoked_at is null and ends_after <= now() order by ends_after limit 1000',
  );
  expect(JSON.stringify(plan)).toContain('consent_grant_ends_after');
});

it('a grant that is revoked is audited once with its reason and keeps its first time, however often it is repeated', async () => {
  const { grant_id: id } = await signIn(app);
  const revoke = (reason: 'refresh_token_reuse' | 'code_reuse') =>
    revokeGrant(app.context(), { grantId: id, reason, actor: 'client:test' });
  await Promise.all(Array.from({ length: 5 }, () => revoke('refresh_token_reuse')));
  const { revokedAt } = await app.context().em.findOneOrFail(ConsentGrant, { id });
  clock.pass(60);
  await revoke('code_reuse');
  expect(await audited(id)).toEqual([{ actor: 'client:test', details: { reason: 'refresh_token_reuse' } }]);
  const after = await app.context().em.findOneOrFail(ConsentGrant, { id });
  expect(after).toMatchObject({ revokedAt, revokedReason: 'refresh_token_reuse' });
});
