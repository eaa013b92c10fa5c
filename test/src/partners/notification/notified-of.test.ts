import { register } from 'prom-client';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Claim } from '../../../../src/entities/claim.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { Listing, ListingSignature } from '../../../../src/entities/listing.ts';
import { Notification, NotificationEndpoint } from '../../../../src/entities/notification.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { Ticket } from '../../../../src/entities/ticket.ts';
import { narrowGrants } from '../../../../src/oauth/grant/narrow-grants.ts';
import { expireNotifications } from '../../../../src/partners/notification/end-notifications.ts';
import { bodyOf } from '../../../../src/partners/notification/notification-body.ts';
import { readBacklog } from '../../../../src/partners/notification/read-backlog.ts';
import { createHeadReader, deferFollowers } from '../../../../src/partners/notification/waiting-heads.ts';
import { inTransaction } from '../../../../src/platform/database/prepared.ts';
import { type Id, type Uuid, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { createTestUsers } from '../../../../src/sandbox/test-users.ts';
import { measureWork } from '../../../support/measure-work.ts';
import { testApp } from '../../../support/test-app.ts';
import { endpointOf, makeGrants } from './notification-stage.ts';

const app = await testApp();
const { pool } = app.runtime;

describe('D-310: what a client is notified of, whoever changes it', () => {
  const ADDRESS = 'H5NmJi6twtj4fQrSzAtxVEifrD7jFeWxHYvW8A2XLY6w';
  let permit: Permit;
  let ticket: Ticket;
  let owner: Id<'usr'>;
  let other: Id<'usr'>;
  let grant: Id<'grant'>;

  beforeAll(async () => {
    const { em } = app.context();
    permit = await em.findOneOrFail(Permit, { revokedAt: null, partner: { $ne: null } }, { populate: ['ticket'] });
    ticket = permit.ticket;
    owner = ticket.owner?.id as Id<'usr'>;
    const [user] = await createTestUsers(app.context(), { count: 1 }, 'system');
    other = user?.fan.id as Id<'usr'>;
  });

  beforeEach(async () => {
    const context = app.context();
    await context.em.nativeDelete(NotificationEndpoint, {});
    // those of the tests before
    const ended = { revokedAt: new Date(), revokedReason: 'sandbox_reset' };
    await context.em.nativeUpdate(ConsentGrant, { fan: owner }, ended);
    await endpointOf(app, 'set_poll');
    grant = (await makeGrants(app, 1))[0] as Id<'grant'>;
    await context.em.nativeUpdate(ConsentGrant, { id: grant }, { fan: owner });
    await context.em.nativeUpdate(Ticket, { id: ticket.id }, { owner });
    await context.em.nativeDelete(Notification, {});
  });

  const change = <Entity extends object>(entity: new () => Entity, id: string, data: object) =>
    app.context().em.nativeUpdate(entity, { id } as never, data as never);

  /** What the client of the starter kit is told, as it is told. */
  async function told() {
    const rows = await app.context().em.find(Notification, {}, { orderBy: { id: 'asc' } });
    return rows.map((row) => {
      const { id, jti, grantId: grant_id = null, fanId: fan_id = null, occurredAt: occurred_at, expiresAt } = row;
      const ids = { id: String(id), jti: uuidOf('ntf', jti), grant_id, fan_id };
      const { type, grantId, members } = bodyOf({ ...row, ...ids, occurred_at, expires_at: expiresAt });
      return { type, grantId, ...members };
    });
  }

  it('a ticket that leaves the fan of a grant, or comes to them', async () => {
    await change(Ticket, ticket.id, { owner: other });
    await change(Ticket, ticket.id, { owner });
    await change(Ticket, ticket.id, { owner });
    const moved = { type: 'ticket.moved', grantId: grant, ticket_id: ticket.id, tix_ticket_id: ticket.tixTicketId };
    expect(await told()).toEqual(['out', 'in'].map((direction) => ({ ...moved, direction })));
  });

  it.each([
    ['a grant of other tickets', { mode: 'selected', ticketIds: [] }],
    ['a grant that may not see tickets', { actions: ['fan:listings:write'] }],
    ['a grant that has ended', { revokedAt: new Date(), revokedReason: 'revoked_by_fan' }],
  ])('%s is not told of a ticket', async (_, traits) => {
    await change(ConsentGrant, grant, traits);
    await app.context().em.nativeDelete(Notification, {});
    await change(Ticket, ticket.id, { owner: other });
    expect(await told()).toEqual([]);
  });

  it('a client of another partner is not notified of a sandbox ticket', async () => {
    await change(Permit, permit.id, { partner: null });
    await change(Ticket, ticket.id, { owner: other });
    expect(await told(), 'without a partner it is for everybody').toHaveLength(1);
    await app.context().em.nativeDelete(Notification, {});
    await app.runtime.pool.query(
      `with stranger as (insert into partner (id, name, created_at) values (gen_random_uuid(), 'Stranger', now()) returning id)
       update permit set partner_id = stranger.id from stranger where permit.id = $1`,
      [uuidOf('perm', permit.id)],
    );
    await change(Ticket, ticket.id, { owner });
    expect(await told()).toEqual([]);
    await change(Permit, permit.id, { partner: permit.partner?.id });
  });

  it('the tickets that a selected grant has left', async () => {
    await change(ConsentGrant, grant, { mode: 'selected', ticketIds: [uuidOf('tkt', ticket.id)] });
    const narrowing = { fans: [uuidOf('usr', owner)], tickets: [uuidOf('tkt', ticket.id)] };
    await inTransaction(app.runtime.pool, (client) =>
      narrowGrants(client, { ...narrowing, reason: 'ticket_moved', now: new Date(), requestOf: () => null }),
    );
    const changed = { type: 'grant.tickets_changed', grantId: grant, grant_mode: 'selected' };
    expect(await told()).toEqual([[ticket.id], []].map((ticket_ids) => ({ ...changed, ticket_ids })));
  });

  it('a claim that is confirmed, and one that fails; not one on its way', async () => {
    const { em } = app.context();
    const at = { createdAt: new Date(), updatedAt: new Date() };
    const wallets = { signerWallet: ADDRESS, destinationWallet: ADDRESS };
    const transaction = { signature: ADDRESS, transaction: 'ff', recentBlockhash: ADDRESS };
    const claim = em.create(Claim, { grant, permit: permit.id, ...wallets, ...transaction, ...at });
    await em.flush();
    for (const state of ['submitted', 'failed', 'confirmed']) await change(Claim, claim.id, { state });
    const ids = { ticket_id: ticket.id, tix_permit_id: permit.tixPermitId, transfer_id: ADDRESS };
    const settled = { type: 'claim.settled', grantId: grant, ...ids };
    expect(await told()).toEqual(['failed', 'confirmed'].map((state) => ({ ...settled, state })));
  });

  it.each([
    [null, 1],
    ['expired', 1],
    ['revoked_by_fan', 0],
  ])('a listing that it had signed has ended, under a grant that is %s', async (reason, count) => {
    const { em } = app.context();
    const listing = em.create(Listing, { permit: permit.id, marketplace: ADDRESS, price: 5n, openedAt: new Date() });
    const signed = { action: 'list', sentence: 'List it.', signedAt: new Date() } as const;
    em.create(ListingSignature, { messageHash: crypto.randomUUID(), permit: permit.id, grant, ...signed });
    await em.flush();
    if (reason !== null) await change(ConsentGrant, grant, { revokedAt: new Date(), revokedReason: reason });
    await em.nativeDelete(Notification, {});
    await change(Listing, listing.id, { closedAt: new Date(), outcome: 'sold' });
    const ended = { type: 'listing.ended', grantId: grant, ticket_id: ticket.id, outcome: 'sold' };
    expect(await told()).toMatchObject(Array(count).fill(ended));
    await em.nativeDelete(ListingSignature, {});
  });
});

describe('backlog', () => {
  let endpoint: NotificationEndpoint;

  beforeAll(async () => {
    endpoint = (await endpointOf(app, 'set_push', 'https://partner.example/events')).endpoint;
  });

  beforeEach(async () => {
    await pool.query('truncate notification cascade');
    await change({ failures: 0, pausedAt: null, disabledAt: null, format: 'set_push' });
  });

  const change = (data: Partial<NotificationEndpoint>) =>
    app.context().em.nativeUpdate(NotificationEndpoint, { id: endpoint.id }, data as object);

  /** @param minutes since it was written, of each @param dueMinutes since it was due */
  async function write(state: string, count: number, minutes: number, dueMinutes = minutes) {
    await pool.query(
      `insert into notification (jti, endpoint_id, lane, type, data, state, ended_at, occurred_at, due_at, expires_at)
     select gen_random_uuid(), $1, gen_random_uuid(), 'endpoint.test', '{}', $2, case when $2 <> 'waiting' then now() end, now(),
       now() - $5 * interval '1 minute', now() - $4 * interval '1 minute' + interval '3 days'
     from generate_series(1, $3::int)`,
      [uuidOf('nep', endpoint.id), state, count, minutes, dueMinutes],
    );
  }

  it('reports how many wait, how long, and how late attempts are', async () => {
    expect(await readBacklog(pool)).toEqual({ waiting: 0, oldestWaitingSeconds: 0, oldestDueSeconds: 0 });
    await write('waiting', 2, 30, 20);
    await write('waiting', 1, 10, -5);
    await write('delivered', 1, 90);
    const { waiting, oldestWaitingSeconds, oldestDueSeconds } = await readBacklog(pool);
    expect(waiting).toBe(3);
    expect(oldestWaitingSeconds / 60).toBeCloseTo(30, 0);
    expect(oldestDueSeconds / 60).toBeCloseTo(20, 0);
  });

  it.each([
    ['fails', { failures: 5 }],
    ['is paused', { pausedAt: new Date() }],
    ['is disabled', { disabledAt: new Date() }],
    ['polls', { format: 'set_poll' as const }],
  ])('we are not late at an endpoint that %s', async (_, data) => {
    await write('waiting', 1, 30);
    await change(data);
    expect(await readBacklog(pool)).toMatchObject({ waiting: 1, oldestDueSeconds: 0 });
  });

  it('reads a few rows, however many were delivered', async () => {
    await write('delivered', 20_000, 60);
    await write('waiting', 3, 5);
    await pool.query('vacuum analyze notification');
    const { rows } = await measureWork(app, () => readBacklog(pool));
    expect(rows).toBeLessThan(50);
  });

  it('what is given up is counted, by reason', async () => {
    await write('waiting', 3, 3 * 24 * 60 + 1);
    const countExpired = async () => {
      const metric = await register.getSingleMetric('notifications_dead_total')?.get();
      return metric?.values.find(({ labels }) => labels.reason === 'expired')?.value ?? Number.NaN;
    };
    const before = await countExpired();
    await expireNotifications(app.context());
    expect((await countExpired()) - before).toBe(3);
  });
});

describe('waiting heads', () => {
  let endpoint: Uuid;

  beforeAll(async () => {
    endpoint = uuidOf('nep', (await endpointOf(app, 'set_push', 'https://partner.example/events')).endpoint.id);
  });

  beforeEach(async () => void (await pool.query('delete from notification')));

  /** Notifications in turns of the lanes, due for an hour and later. @returns the lanes, in the order of their heads */
  async function fill(lanes: number, depth: number, startMs = 0): Promise<Uuid[]> {
    const { rows } = await pool.query<{ lane: Uuid }>(
      `with lanes as (select gen_random_uuid() as lane from generate_series(1, $2))
     insert into notification (jti, endpoint_id, lane, type, data, occurred_at, due_at, expires_at)
     select gen_random_uuid(), $1, lane, 'endpoint.test', '{}', now(),
       now() - interval '1 hour' + ($4 + row_number() over (order by at, lane)) * interval '1 ms', now() + interval '1 day'
     from lanes, generate_series(1, $3) at order by at, lane returning lane`,
      [endpoint, lanes, depth, startMs],
    );
    return rows.slice(0, lanes).map(({ lane }) => lane);
  }

  const reading = (busy: readonly Uuid[] = [], most = 32) => ({ now: new Date(), busy, most });

  it('however many notifications wait in a few lanes, a reading looks at a few hundred at most', async () => {
    const lanes = await fill(8, 400);
    await pool.query('analyze notification');
    let heads: readonly { lane: Uuid }[] = [];
    const { rows } = await measureWork(app, async () => {
      heads = await createHeadReader(pool, endpoint)(reading());
    });
    expect(heads.map(({ lane }) => lane)).toEqual(lanes);
    expect(rows).toBeLessThan(800);
  });

  it('lanes behind a long one that is on its way come in turn, and none is left out', async () => {
    const [long] = await fill(1, 150);
    const others = await fill(10, 2, 1_000);
    const read = createHeadReader(pool, endpoint);
    const busy = [long as Uuid];
    const rounds = [];
    for (let round = 0; round < 3; round++) rounds.push((await read(reading(busy, 4))).map(({ lane }) => lane));
    expect(rounds.map((lanes) => lanes.length)).toEqual([4, 4, 2]);
    expect(new Set(rounds.flat())).toEqual(new Set(others));
    expect(
      (await read(reading(busy, 4))).map(({ lane }) => lane),
      'from the beginning',
    ).toEqual(rounds[0]);
  });

  it('a lane whose first waits for its next attempt gives nothing, and its followers wait with it', async () => {
    const [lane] = await fill(1, 150);
    await pool.query(
      `update notification set due_at = now() + interval '1 hour' where id = (select min(id) from notification)`,
    );
    const read = createHeadReader(pool, endpoint);
    expect(await read(reading())).toEqual([]);
    await deferFollowers(pool, endpoint, new Date());
    const { rows } = await pool.query('select lane from notification where due_at <= now()');
    expect([lane, rows]).toEqual([lane, []]);
  });
});
