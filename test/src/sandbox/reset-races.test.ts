import { beforeEach, describe, expect, it } from 'vitest';
import { Partner } from '../../../src/entities/partner.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { TestUser } from '../../../src/entities/test-user.ts';
import { TicketType } from '../../../src/entities/ticket.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { uuidOf } from '../../../src/identifier/type-id.ts';
import { createClientKit } from '../../../src/sandbox/create-client-kit.ts';
import { grantPermits } from '../../../src/sandbox/grant-permits.ts';
import { resetSandbox } from '../../../src/sandbox/reset-sandbox.ts';
import { authorize, callLogin, login, type Started, verifyPhone } from '../../support/partner.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { waitingForALock } from '../../support/waiting-for-a-lock.ts';

/** What meets a reset of a partner's sandbox: it waits or is refused, but never in a circle, and leaves nothing behind. */
const ACTOR = 'staff:ann';

let app: TestApp;
let partner: Partner;
beforeEach(async () => {
  app = await startApp();
  partner = await app.context().em.findOneOrFail(Partner, { name: 'Front Row' });
  return () => app.stop();
});

const reset = () =>
  resetSandbox(app.context(), { partnerId: partner.id, confirm: 'Front Row', keepTestUsers: false }, ACTOR);

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
  it('a consent for selected tickets comes too late, and neither waits for the other in a circle', async () => {
    const started = await atConsent();
    const offer = await login<{ tickets: { id: string }[] }>(app, started, 'consent.options');
    const choice = { actions: [], mode: 'selected', ticketIds: offer.tickets.map(({ id }) => id) };
    const [done, consent] = await meetAt(
      'authorization_session',
      uuidOf('sess', knownId('sess', started.sessionId)),
      reset,
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
    const [done, granted] = await meetAt('partner', uuidOf('ptn', partner.id), reset, () =>
      grantPermits(app.context(), plan, ACTOR),
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
