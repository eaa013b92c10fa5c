import { beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Event } from '../../../src/entities/event.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { TestUser } from '../../../src/entities/test-user.ts';
import { TicketType } from '../../../src/entities/ticket.ts';
import { knownId } from '../../../src/platform/identifier/known-id.ts';
import { uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { createClientKit } from '../../../src/sandbox/create-client-kit.ts';
import { type ResetRequest, resetSandbox } from '../../../src/sandbox/reset-sandbox.ts';
import { grantPermits } from '../../../src/sandbox/test-permits.ts';
import {
  authorize,
  callFan,
  callLogin,
  login,
  postForm,
  refreshForm,
  type Started,
  signIn,
  verifyPhone,
} from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { waitingForALock } from '../../support/waiting-for-a-lock.ts';

/** A partner's sandbox is emptied in one transaction. */
const ACTOR = 'staff:ann';
let app: TestApp;
let partner: Partner;
beforeEach(async () => {
  app = await startApp();
  partner = await app.context().em.findOneOrFail(Partner, { name: 'Front Row' });
  return () => app.stop();
});

function reset(change: Partial<ResetRequest> = {}) {
  return resetSandbox(
    app.context(),
    { partnerId: partner.id, confirm: 'Front Row', keepTestUsers: false, ...change },
    ACTOR,
  );
}

describe('a reset', () => {
  it('ends permits, grants, sign-ins under way, the partner’s events and test users, and says which', async () => {
    const kit = await createClientKit(app.context(), { clientId: app.kit.client_id, requestKey: 'a' }, ACTOR);
    const tokens = await signIn(app);
    const started = await authorize(app);
    const done = await reset();
    expect(done.permits).toHaveLength(10);
    expect(done.grants).toEqual([tokens.grant_id]);
    expect(done.events).toEqual([kit.event.id]);
    expect(done.testUsers).toHaveLength(3);
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(401);
    expect((await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token))).body.error).toBe(
      'invalid_grant',
    );
    expect((await callLogin(app, started, 'session.get')).error?.data.reason).toBe('session_expired');
    const { em } = app.context();
    expect(await em.count(Permit, { partner, revokedAt: null })).toBe(0);
    expect(await em.count(TestUser)).toBe(0);
    const again = await createClientKit(app.context(), { clientId: app.kit.client_id, requestKey: 'a' }, ACTOR);
    expect(again.id).not.toBe(kit.id);
  });

  it('is on record: one entry for the whole, one for each thing that ended', async () => {
    const done = await reset();
    const entries = await app.context().em.find(AuditEntry, { actor: ACTOR }, { orderBy: { id: 'asc' } });
    const counts = { permits: 7, grants: 0, events: 0, testUsers: 2 };
    expect(entries.at(-1)).toMatchObject({ action: 'sandbox.reset', subject: partner.id, details: counts });
    expect(entries.filter(({ action }) => action === 'permit.revoked').map(({ subject }) => subject)).toEqual(
      done.permits,
    );
  });

  it('keeps test users where asked to, so that they sign in and see nothing', async () => {
    await reset({ keepTestUsers: true });
    const tokens = await signIn(app);
    expect((await callFan(app, '/tickets', tokens.access_token)).body.tickets).toEqual([]);
  });

  it('leaves another partner’s sandbox, events for everybody and production alone', async () => {
    const { em } = app.context();
    await em.execute(`insert into partner (id, name, created_at) values (gen_random_uuid(), 'Other', now())`);
    await em.execute(`update permit set partner_id = (select id from partner where name = 'Other')
      where id = (select min(id::text)::uuid from permit)`);
    await em.execute(`update event set mode = 'production' where name = 'City Derby'`);
    const before = await em.count(Event, { endsAt: { $gt: app.runtime.now() } });
    const done = await reset();
    // two of the seven are for the derby
    expect(done.permits).toHaveLength(4);
    expect(await app.context().em.count(Permit, { revokedAt: null })).toBe(3);
    expect(await app.context().em.count(Event, { endsAt: { $gt: app.runtime.now() } })).toBe(before);
  });

  it('changes nothing where the name is not confirmed', async () => {
    await expect(reset({ confirm: 'front row' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await app.context().em.count(Permit, { revokedAt: null })).toBe(7);
  });

  it('a second one at the same time finds nothing left', async () => {
    const both = await Promise.all([reset(), reset()]);
    expect(both.map(({ permits }) => permits.length).sort()).toEqual([0, 7]);
  });
});

/** What meets a reset of a partner's sandbox: it waits or is refused, but never in a circle, and leaves nothing behind. */
async function atConsent(): Promise<Started> {
  const started = await authorize(app);
  await verifyPhone(app, started);
  return started;
}

/** Begins the calls one after the other while a row is locked, each once the one before waits for a lock. */
async function meetAt<Calls extends (() => Promise<unknown>)[]>(table: string, uuid: string, ...calls: Calls) {
  const begun = await app.context().em.transactional(async (holder) => {
    await holder.execute(`select 1 from ${table} where id = ? for update`, [uuid]);
    const running: Promise<PromiseSettledResult<unknown>[]>[] = [];
    for (const call of calls) {
      running.push(Promise.allSettled([call()]));
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(running.length);
    }
    return { running };
  });
  return (await Promise.all(begun.running)).flat();
}

describe('beside a reset', () => {
  it('a consent for selected tickets comes too late, and the two do not deadlock', async () => {
    const started = await atConsent();
    const offer = await login<{ tickets: { id: string }[] }>(app, started, 'consent.options');
    const choice = { actions: [], mode: 'selected', ticketIds: offer.tickets.map(({ id }) => id) };
    const [done, consent] = await meetAt(
      'authorization_session',
      uuidOf('sess', knownId('sess', started.sessionId)),
      () => reset(),
      () => callLogin(app, started, 'consent.grant', choice),
    );
    expect(done).toMatchObject({ status: 'fulfilled' });
    expect(consent).toMatchObject({ value: { error: { data: { reason: 'wrong_step' } } } });
  });

  it('permits are granted to nobody whom it removes', async () => {
    const { em } = app.context();
    const testUser = await em.findOneOrFail(TestUser, { partner }, { orderBy: { fan: 'asc' } });
    const ticketType = await em.findOneOrFail(TicketType, { name: 'Day pass' });
    const plan = { partnerId: partner.id, ticketTypeId: ticketType.id, fanIds: [testUser.fan.id] };
    const [done, granted] = await meetAt(
      'partner',
      uuidOf('ptn', partner.id),
      () => reset(),
      () => grantPermits(app.context(), plan, ACTOR),
    );
    expect(done).toMatchObject({ status: 'fulfilled' });
    expect(granted).toMatchObject({ status: 'rejected', reason: { code: 'invalid_request' } });
    expect(await em.count(Permit, { partner, revokedAt: null })).toBe(0);
  });

  it('a starter kit that waits for it keeps no fan from consenting', async () => {
    const started = await atConsent();
    const { kit } = await app.context().em.transactional(async (holder) => {
      await holder.execute('select 1 from partner where id = ? for update', [uuidOf('ptn', partner.id)]);
      const kit = createClientKit(app.context(), { clientId: app.kit.client_id, requestKey: 'a' }, ACTOR);
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
      const choice = { actions: [], mode: 'all_current_future', ticketIds: [] };
      expect((await callLogin(app, started, 'consent.grant', choice)).status).toBe(200);
      return { kit };
    });
    expect((await kit).requestKey).toBe('a');
  });
});
