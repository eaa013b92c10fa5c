import { beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Event } from '../../../src/entities/event.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { TestUser } from '../../../src/entities/test-user.ts';
import { createClientKit } from '../../../src/sandbox/create-client-kit.ts';
import { type ResetRequest, resetSandbox } from '../../../src/sandbox/reset-sandbox.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { authorize, callFan, callLogin, postForm, refreshForm, signIn } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';

/** A partner's sandbox is emptied in one transaction. */
const ACTOR = 'staff:ann';

let database: TestDatabase;
let app: TestApp;
let partner: Partner;
beforeEach(async () => {
  database = await createDatabase();
  app = await startApp({ databaseUrl: database.url });
  partner = await app.context().em.findOneOrFail(Partner, { name: 'Front Row' });
  return async () => {
    await app.stop();
    await database.drop();
  };
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

  it('changes nothing where the name is not confirmed or there is no such partner', async () => {
    await expect(reset({ confirm: 'front row' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(reset({ partnerId: 'ptn_x' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await app.context().em.count(Permit, { revokedAt: null })).toBe(7);
  });

  it('a second one at the same time finds nothing left', async () => {
    const both = await Promise.all([reset(), reset()]);
    expect(both.map(({ permits }) => permits.length).sort()).toEqual([0, 7]);
  });
});
