import { beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Client } from '../../../src/entities/client.ts';
import { Fan } from '../../../src/entities/fan.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { SandboxKit, TestUser } from '../../../src/entities/test-user.ts';
import type { TicketType } from '../../../src/entities/ticket.ts';
import { Wallet } from '../../../src/entities/wallet.ts';
import { type Id, uuidOf } from '../../../src/platform/identifier/type-id.ts';
import { createClientKit } from '../../../src/sandbox/create-client-kit.ts';
import { createTestEvent, type TestEventPlan } from '../../../src/sandbox/create-test-event.ts';
import { describeKit } from '../../../src/sandbox/starter-kit.ts';
import { grantPermit, grantPermits, restorePermits, revokePermits } from '../../../src/sandbox/test-permits.ts';
import { createTestUser, createTestUsers, freeTestPhones } from '../../../src/sandbox/test-users.ts';
import { numberOf } from '../../../src/sign-in/fan/find-fans.ts';
import { makeClient, newPartner } from '../../support/make-client.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { refused } from '../../support/refused.ts';
import { testApp } from '../../support/test-app.ts';
import { waitingForALock } from '../../support/waiting-for-a-lock.ts';

const app = await testApp();

/** Test users, many at once, and permits granted, revoked and restored. */
const ACTOR = 'staff:ann';
const PLAN = {
  name: 'An Evening',
  venue: null,
  startsAt: new Date('2040-01-01T18:00:00Z'),
  endsAt: new Date('2040-01-01T21:00:00Z'),
  ticketTypes: ['Standing'],
};

const context = app.context();
const partner = await context.em.findOneOrFail(Partner, { name: 'Front Row' });
const [ticketType] = createTestEvent(context, { ...PLAN, partner }, ACTOR).ticketTypes as [TicketType];
await context.em.flush();

function plan(fanIds: string[]) {
  return { partnerId: partner.id, ticketTypeId: ticketType.id, fanIds };
}

describe('test users', () => {
  it('spec §5.6: are made up to 50 at once, each with a number of its own from the range kept for fiction, a code and a wallet, also by two calls at the same time', async () => {
    const made = await Promise.all(
      [1, 2].map(() => createTestUsers(app.context(), { partnerId: partner.id, count: 50 }, ACTOR)),
    );
    const phones = made.flat().map(({ fan }) => numberOf(fan));
    expect(new Set(phones).size).toBe(100);
    expect(phones.every((phone) => /^\+1[2-9]\d\d55501\d\d$/.test(phone))).toBe(true);
    for (const { fan, testUser, wallet } of made.flat().slice(0, 20)) {
      expect([fan.mode, testUser.code]).toEqual(['sandbox', expect.stringMatching(/^\d{6}$/)]);
      expect(await app.context().em.count(Wallet, { fan: fan.id, address: wallet.address })).toBe(1);
    }
    const audited = await app.context().em.count(AuditEntry, { actor: ACTOR, action: 'test_user.created' });
    expect(audited).toBe(100);
  });

  it.each([0, 51, 1.5])('are refused where %d are asked for', async (count) => {
    const made = createTestUsers(app.context(), { partnerId: partner.id, count }, ACTOR);
    await expect(made).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('permits', () => {
  let fan: string;
  let tokens: Awaited<ReturnType<typeof signIn>>;
  beforeEach(async () => {
    const [user] = await createTestUsers(app.context(), { partnerId: partner.id, count: 1 }, ACTOR);
    if (!user) throw new Error('no test user');
    fan = user.fan.id;
    tokens = await signIn(app, { phone: numberOf(user.fan), code: user.testUser.code });
  });

  const grantTwo = async () =>
    (await grantPermits(app.context(), plan([fan, fan]), ACTOR)).map(({ id }) => id) as [Id<'perm'>, Id<'perm'>];

  async function listed(): Promise<unknown[]> {
    return (await callFan(app, '/tickets', tokens.access_token)).body.tickets as unknown[];
  }

  it('show their tickets when granted, hide them at once when revoked, and show them again when restored', async () => {
    const granted = await grantPermits(app.context(), plan([fan, fan]), ACTOR);
    expect(await listed()).toHaveLength(2);
    const permitIds = granted.map(({ id }) => id);
    const revoked = await revokePermits(app.context(), { permitIds, reason: 'the wrong event' }, ACTOR);
    expect(revoked.every(({ revokedAt }) => revokedAt !== null)).toBe(true);
    expect(await listed()).toHaveLength(0);
    const restored = await restorePermits(app.context(), permitIds, ACTOR);
    expect(restored.every(({ revokedAt }) => revokedAt === null)).toBe(true);
    expect(await listed()).toHaveLength(2);
    const about = { subject: permitIds[0] ?? '' };
    const entries = await app.context().em.find(AuditEntry, about, { orderBy: { id: 'asc' } });
    expect(entries.map(({ action, details }) => [action, details.reason])).toEqual([
      ['permit.granted', undefined],
      ['permit.revoked', 'the wrong event'],
      ['permit.restored', undefined],
    ]);
  });

  it('of a set are revoked all or none: one that is already revoked keeps the others alive', async () => {
    const [one, other] = await grantTwo();
    await revokePermits(app.context(), { permitIds: [one], reason: 'first' }, ACTOR);
    const revoking = revokePermits(app.context(), { permitIds: [other, one], reason: 'second' }, ACTOR);
    await expect(revoking).rejects.toMatchObject({ code: 'conflict' });
    expect(await listed()).toHaveLength(1);
  });

  it('are revoked once where two members of staff revoke at the same time', async () => {
    const [permit] = await grantPermits(app.context(), plan([fan]), ACTOR);
    const permitIds = [permit?.id ?? ''];
    const outcomes = await Promise.allSettled(
      ['staff:ann', 'staff:bob'].map((actor) => revokePermits(app.context(), { permitIds, reason: 'race' }, actor)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const audited = await app.context().em.count(AuditEntry, { subject: permitIds[0] ?? '', action: 'permit.revoked' });
    expect(audited).toBe(1);
  });

  it('are locked in the order of their identifiers, wherever their rows lie, so that nothing deadlocks', async () => {
    const [first, second] = (await grantTwo()).sort() as [Id<'perm'>, Id<'perm'>];
    const { em } = app.context();
    await em.execute('update permit set chain_slot = 1 where id = ?', [uuidOf('perm', first)]);
    // with these, the rows are read as they lie
    await em.execute('analyze permit');
    const { revoked } = await em.transactional(async (holder) => {
      const free = 'select 1 from permit where id = ? for update skip locked';
      const lock = (id: Id<'perm'>) => holder.execute<unknown[]>(free, [uuidOf('perm', id)]);
      expect(await lock(first)).toHaveLength(1);
      const revoked = revokePermits(app.context(), { permitIds: [second, first], reason: 'order' }, ACTOR);
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
      expect(await lock(second)).toHaveLength(1);
      return { revoked };
    });
    expect(await revoked).toHaveLength(2);
  });

  it('of production are never touched from the sandbox', async () => {
    const [permit] = await grantPermits(app.context(), plan([fan]), ACTOR);
    const { em } = app.context();
    await em.execute(
      `update event set mode = 'production' where id in (select event_id from ticket_type tt
      join ticket t on t.ticket_type_id = tt.id join permit p on p.ticket_id = t.id where p.tix_permit_id = ?)`,
      [permit?.tixPermitId],
    );
    const revoking = revokePermits(app.context(), { permitIds: [permit?.id ?? ''], reason: 'not mine' }, ACTOR);
    await expect(revoking).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(grantPermits(app.context(), plan([fan]), ACTOR)).rejects.toMatchObject({ code: 'invalid_request' });
    await em.execute(`update event set mode = 'sandbox'`);
  });

  it('are not granted to another partner’s test user, nor for another partner’s event', async () => {
    const stranger = await newPartner(app);
    const foreignUser = grantPermits(app.context(), { ...plan([fan]), partnerId: stranger.id }, ACTOR);
    await expect(foreignUser).rejects.toMatchObject({ code: 'invalid_request' });
    const [theirs] = await createTestUsers(app.context(), { partnerId: stranger.id, count: 1 }, ACTOR);
    const ownUser = { ...plan([theirs?.fan.id ?? '']), partnerId: stranger.id };
    await expect(grantPermits(app.context(), ownUser, ACTOR)).rejects.toThrow('a test event of another partner');
  });

  it('are not granted for an event that is over', async () => {
    const late = { ...app.context(), now: () => PLAN.endsAt };
    await expect(grantPermits(late, plan([fan]), ACTOR)).rejects.toThrow('is over');
  });
});

async function kitFor(clientId: string, requestKey: string) {
  return createClientKit(app.context(), { clientId, requestKey }, 'staff:ann');
}

describe('a client’s starter kit', () => {
  it('is all that a first call needs: its test user signs in at the client and lists three tickets', async () => {
    const clientId = await makeClient(app);
    const kit = await kitFor(clientId, 'first');
    const context = app.context();
    const client = await context.em.findOneOrFail(Client, { id: clientId });
    const testUser = await context.em.findOneOrFail(TestUser, { fan: kit.fan.id }, { populate: ['fan'] });
    const { test_users, ...configuration } = await describeKit(context, client, [testUser]);
    expect(configuration).toMatchObject({ client_id: clientId, auth_url: app.origin, api_url: `${app.origin}/fan` });
    const [user] = test_users;
    const tokens = await signIn(app, { clientId, phone: user?.phone ?? '', code: user?.code ?? '' });
    const { body } = await callFan(app, '/tickets', tokens.access_token);
    expect((body.tickets as { event_name: string }[]).map(({ event_name }) => event_name)).toEqual(
      Array.from({ length: 3 }, () => 'Opening Night'),
    );
  });

  it('is made once for one key, by a second click, at the same time too; another key makes another', async () => {
    const clientId = await makeClient(app);
    const [one, same] = await Promise.all([kitFor(clientId, 'a'), kitFor(clientId, 'a')]);
    expect(same.id).toBe(one.id);
    expect((await kitFor(clientId, 'a')).id).toBe(one.id);
    expect((await kitFor(clientId, 'b')).id).not.toBe(one.id);
    const { em } = app.context();
    expect(await em.count(SandboxKit, { client: clientId })).toBe(2);
    expect(await em.count(Permit, { ticket: { owner: one.fan.id } })).toBe(3);
    expect(await em.count(AuditEntry, { subject: clientId, action: 'sandbox_kit.created' })).toBe(2);
  });

  it('waits for others who choose test phone numbers, so that two never choose the same', async () => {
    const clientId = await makeClient(app);
    const { chosen, making } = await app.context().em.transactional(async (em) => {
      const chosen = await freeTestPhones(em, 1);
      const making = kitFor(clientId, 'a');
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(1);
      return { chosen, making };
    });
    expect(chosen).toHaveLength(1);
    expect((await making).requestKey).toBe('a');
  });

  it('is refused for a production client and without a key, and leaves nothing behind', async () => {
    const production = await makeClient(app, { mode: 'production', redirectUris: ['https://example.com/callback'] });
    const before = await app.context().em.count(TestUser);
    await expect(kitFor(production, 'a')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(kitFor(await makeClient(app), '')).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await app.context().em.count(TestUser)).toBe(before);
  });
});

describe('a test event', () => {
  it.each<[string, Partial<TestEventPlan>]>([
    ['endsAt', { endsAt: new Date('2029-01-01') }],
    ['ticketTypes', { ticketTypes: ['Standing', 'Standing'] }],
    ['ticketTypes', { ticketTypes: [' '] }],
    ['ticketTypes', { ticketTypes: ['x'.repeat(121)] }],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['venue', { venue: 'x'.repeat(201) }],
    ['endsAt must be after startsAt.', { endsAt: PLAN.startsAt }],
    ['ticketTypes must have 1 to 50 entries.', { ticketTypes: [] }],
    ['name must have no control characters.', { name: 'a\0b' }],
    ['venue must have no invisible characters (U+202E).', { venue: 'Hall \u202E2' }],
    ['ticketTypes: each must have no invisible characters (U+200B).', { ticketTypes: ['VIP\u200B'] }],
    ['timeZone', { timeZone: 'Berlin' }],
  ])('with a bad %s is refused by its name: %o', (field, changes) => {
    const create = () => createTestEvent(context, { ...PLAN, ...changes }, 'staff:ann');
    expect(create).toThrow(refused('invalid_request', field) as Error);
  });

  it('has onchain identifiers of its own, and so have its tickets', async () => {
    const [one, two] = [createTestEvent(context, PLAN, 'staff:ann'), createTestEvent(context, PLAN, 'staff:ann')];
    expect(one.event.tixEventId).not.toBe(two.event.tixEventId);
    const { fan } = await createTestUser(context, partner, 'staff:ann');
    const [ticketType] = one.ticketTypes;
    if (!ticketType) throw new Error('the event has ticket types');
    const granted = [1, 2].map(() => grantPermit(context, { fan, partner, ticketType }, 'staff:ann'));
    await context.em.flush();
    for (const identifiers of [
      granted.map(({ ticket }) => ticket.tixTicketId),
      granted.map(({ permit }) => permit.tixPermitId),
    ]) {
      expect(new Set(identifiers).size).toBe(2);
      for (const identifier of identifiers) expect(identifier).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
    }
  });
});

describe('test phone numbers', () => {
  it('are not given out twice within one unit of work', async () => {
    const { em, now } = app.context();
    const phones = await freeTestPhones(em, 150);
    for (const phone of phones) em.create(Fan, { mode: 'sandbox', phone, createdAt: now() });
    const more = await freeTestPhones(em, 150);
    expect(more.filter((phone) => phones.includes(phone))).toEqual([]);
  });

  it('go on to the last of 26,000, are found wherever they are left, and then are refused', async () => {
    const { em } = app.context();
    const left = await freeTestPhones(em, 1_000);
    expect(new Set(left).size).toBe(1_000);
    await em.execute(`insert into fan (id, mode, phone, created_at)
      select gen_random_uuid(), 'sandbox', '+1' || area || '55501' || lpad(line::text, 2, '0'), now()
      from generate_series(200, 999) area, generate_series(0, 99) line on conflict do nothing`);
    const [last] = left;
    await expect(freeTestPhones(em, 1)).rejects.toMatchObject({ code: 'unavailable' });
    await em.execute(`delete from fan where phone = ?`, [last]);
    expect(await freeTestPhones(app.context().em, 1)).toEqual([last]);
    expect(await em.count(Fan)).toBeGreaterThan(26_000);
  });
});
