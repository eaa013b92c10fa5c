import { describe, expect, it } from 'vitest';
import { AuthorizationCode } from '../../../src/entities/authorization-code.ts';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { Claim } from '../../../src/entities/claim.ts';
import { PhoneTries } from '../../../src/entities/code-limits.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { ListingSignature } from '../../../src/entities/listing.ts';
import { Passkey } from '../../../src/entities/passkey.ts';
import { PhoneChallenge } from '../../../src/entities/phone-challenge.ts';
import { RefreshTokenFamily } from '../../../src/entities/refresh-token-family.ts';
import { purge, UNUSED } from '../../../src/entities/retention.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { setKillSwitch } from '../../../src/partners/kill-switch/kill-switch.ts';
import { newId } from '../../../src/platform/identifier/type-id.ts';
import { registerFan } from '../../../src/sign-in/fan/register-fan.ts';
import { authorize, callLogin, login, signIn } from '../../support/partner.ts';
import { giveTicket } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';

const DAY = 86_400;
const app = await testApp();
await signIn(app);
const started = await authorize(app);
await login(app, started, 'phone.sendCode', { phone: app.kit.test_users[0]?.phone });
await callLogin(app, started, 'phone.verifyCode', { code: '000000' });
async function counts() {
  const { em } = app.context();
  return {
    sessions: await em.count(AuthorizationSession),
    challenges: await em.count(PhoneChallenge),
    codes: await em.count(AuthorizationCode),
    tries: await em.count(PhoneTries),
    families: await em.count(RefreshTokenFamily),
    grants: await em.count(ConsentGrant),
  };
}

it('D-356: each table gets its turn, however much one of them has', async () => {
  const limit = new AbortController();
  const turns: string[] = [];
  const query = async ({ text }: { text: string }) => {
    const [, table] = /delete from (\w+)/.exec(text) ?? [];
    if (table !== undefined) turns.push(table);
    if (turns.length === 60) limit.abort();
    // the request log has one more day to drop each time
    return { rows: [{ count: 5_000, last: null, name: 'request_log_20260101' }] };
  };
  await purge({ ...app.context(), pool: { query } as never }, limit.signal);
  expect(turns).toHaveLength(60);
  expect(new Set(turns).size).toBe(23);
});

describe('the purge', () => {
  it('keeps what has just expired: a late click or a second use still gets its own answer', async () => {
    const before = await counts();
    expect(before).toEqual({ sessions: 2, challenges: 2, codes: 1, tries: 1, families: 1, grants: 1 });
    app.advance(DAY);
    await purge(app.context());
    expect(await counts()).toEqual(before);
  });

  it('a day later deletes sessions with their challenges, codes and tries; tokens and grants that live stay', async () => {
    app.advance(700);
    await purge(app.context());
    expect(await counts()).toEqual({ sessions: 0, challenges: 0, codes: 0, tries: 0, families: 1, grants: 1 });
  });

  it('leaves alone what is alive', async () => {
    const alive = await authorize(app);
    await purge(app.context());
    expect((await login(app, alive, 'session.get')).step).toBe('phone');
  });

  it('deletes a refresh token a day after its end; what the fan granted is kept', async () => {
    app.advance(31 * DAY);
    await purge(app.context());
    expect(await counts()).toMatchObject({ families: 0, grants: 1 });
  });
});

describe('after 24 months', () => {
  const MONTHS_24 = 730 * DAY;
  let numbers = 6660100;
  const newFan = () => registerFan(app.context(), 'production', `+1202${numbers++}`);
  const isThere = async ({ id }: Pick<Fan, 'id'>) => (await app.context().em.count(Fan, { id })) === 1;
  const endGrants = async () => {
    const { em, now } = app.context();
    await em.nativeUpdate(ConsentGrant, { revokedAt: null }, { revokedAt: now(), revokedReason: 'revoked_by_fan' });
  };
  /** After the purge that deletes grants, the one that deletes their fans. */
  const purgeTwice = async () => {
    for (const _ of [1, 2]) await purge(app.context());
  };

  it('ended grants go; those by which something was sold or claimed stay, and those that have not ended', async () => {
    const { em, now } = app.context();
    const phones = app.kit.test_users.map(({ phone, code }) => ({ phone, code }));
    const grants = [];
    for (const index of [0, 1, 0]) grants.push((await signIn(app, phones[index])).grant_id);
    const [gone = '', sold = '', claimed = ''] = grants;
    const { permit } = await giveTicket(app, await newFan());
    const signed = { permit, action: 'list', sentence: 'List', signedAt: now() } as const;
    await em.insert(ListingSignature, { ...signed, messageHash: 'h'.repeat(43), grant: sold } as never);
    const wallets = { signerWallet: 'a', destinationWallet: 'b', transaction: '', recentBlockhash: 'c' };
    const times = { createdAt: now(), updatedAt: now(), state: 'failed', signature: 'transfer' };
    await em.insert(Claim, { id: newId('clm'), grant: claimed, permit, ...wallets, ...times } as never);
    await endGrants();
    app.advance(MONTHS_24 - 60);
    await purge(app.context());
    expect(await em.count(ConsentGrant, { id: { $in: grants as never } })).toBe(3);
    const alive = (await signIn(app)).grant_id;
    app.advance(120);
    await purge(app.context());
    const left = await app.context().em.find(ConsentGrant, { id: { $in: [...grants, alive] as never } });
    expect(left.map(({ id }) => id).sort()).toEqual([sold, claimed, alive].sort());
    expect(left.map(({ id }) => id)).not.toContain(gone);
  });

  it('a fan who holds nothing and did nothing goes, with the wallet; everybody else stays', async () => {
    const { em, now } = app.context();
    const fans = {
      unused: await newFan(),
      holder: await newFan(),
      named: await newFan(),
      user: await newFan(),
      keeper: await newFan(),
      stopped: await newFan(),
    };
    const past = { startsAt: new Date('2026-01-05T18:00:00Z'), endsAt: new Date('2026-01-05T22:00:00Z') };
    await giveTicket(app, fans.holder, past);
    const { ticket } = await giveTicket(app, fans.holder, past);
    await em.nativeUpdate(Ticket, { id: ticket.id }, { namedHolder: fans.named.id });
    await setKillSwitch(app.context(), { kind: 'fan', fanId: fans.stopped.id }, 'fraud', 'staff:stf_test');
    app.advance(MONTHS_24 - DAY);
    await em.nativeUpdate(Fan, { id: fans.user.id }, { numberProvedAt: now() });
    const passkey = { id: newId('pky'), fan: fans.keeper.id, credentialId: 'c', publicKey: 'k', counter: 0, name: 'A' };
    await em.insert(Passkey, { ...passkey, transports: [], rpId: 'localhost', createdAt: now() } as never);
    await purgeTwice();
    expect(await isThere(fans.unused)).toBe(true);
    app.advance(DAY + 60);
    await purgeTwice();
    const there = [];
    for (const [name, fan] of Object.entries(fans)) if (await isThere(fan)) there.push(name);
    expect(there).toEqual(['holder', 'named', 'user', 'keeper', 'stopped']);
    expect(await em.count(Wallet, { fan: fans.unused.id })).toBe(0);
  });

  it('looks at every reference that would keep a row from being deleted', async () => {
    for (const { table, unless, with: other } of UNUSED) {
      const { rows } = await app.runtime.pool.query<{ name: string }>(
        `select k.conrelid::regclass || '.' || a.attname as name from pg_constraint k
           join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
         where k.confrelid = $1::regclass and k.contype = 'f' and k.confdeltype in ('a', 'r')`,
        [table],
      );
      const known = [...unless, ...(other ? [other.join('.')] : [])];
      expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
      expect(rows.length).toBeGreaterThan(3);
    }
  });

  it('goes on after rows that stay, a batch at a time', async () => {
    const { pool, now } = app.context();
    await pool.query(
      `insert into fan (id, mode, phone, number_vouched_at, created_at)
       select gen_random_uuid(), 'production', '+1999' || n, '2020-01-01T00:00:00Z'::timestamptz + n * '1 s'::interval, '2020-01-01'
       from generate_series(1000000, 1005100) n`,
    );
    const kept = await pool.query<{ id: string }>(
      `insert into kill_switch (id, kind, fan_id, reason, set_by, set_at)
       select gen_random_uuid(), 'fan', id, 'test', 'staff:test', $1 from fan where phone between '+19991000000' and '+19991004999'
       returning id`,
      [now()],
    );
    expect(kept.rowCount).toBe(5_000);
    await purge(app.context());
    const { rows } = await pool.query(`select count(*)::int as count from fan where phone like '+1999100%'`);
    expect(rows).toEqual([{ count: 5_000 }]);
  });
});
