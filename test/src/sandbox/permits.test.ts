import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../src/entities/audit-entry.ts';
import { Partner } from '../../../src/entities/partner.ts';
import type { TicketType } from '../../../src/entities/ticket.ts';
import { numberOf } from '../../../src/fan/number-of.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { uuidOf } from '../../../src/identifier/type-id.ts';
import { registerPartner } from '../../../src/partner/register-partner.ts';
import { restorePermits, revokePermits } from '../../../src/sandbox/change-permits.ts';
import { createTestEvent } from '../../../src/sandbox/create-test-event.ts';
import { createTestUsers } from '../../../src/sandbox/create-test-users.ts';
import { grantPermits } from '../../../src/sandbox/grant-permits.ts';
import { callFan, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { waitingForALock } from '../../support/waiting-for-a-lock.ts';

/** Test users, many at once, and permits granted, revoked and restored. */
const ACTOR = 'staff:ann';
const PLAN = {
  name: 'An Evening',
  venue: null,
  startsAt: new Date('2040-01-01T18:00:00Z'),
  endsAt: new Date('2040-01-01T21:00:00Z'),
  ticketTypes: ['Standing'],
};

let partner: Partner;
let ticketType: TicketType;
const app = await testApp();
beforeAll(async () => {
  const context = app.context();
  partner = await context.em.findOneOrFail(Partner, { name: 'Front Row' });
  [ticketType] = createTestEvent(context, { ...PLAN, partner }, ACTOR).ticketTypes as [TicketType];
  await context.em.flush();
});

function plan(fanIds: string[]) {
  return { partnerId: partner.id, ticketTypeId: ticketType.id, fanIds };
}

describe('test users', () => {
  it('are made up to 50 at once, each with a number of its own, also by two calls at the same time', async () => {
    const made = await Promise.all(
      [1, 2].map(() => createTestUsers(app.context(), { partnerId: partner.id, count: 50 }, ACTOR)),
    );
    const phones = made.flat().map(({ fan }) => numberOf(fan));
    expect(new Set(phones).size).toBe(100);
    expect(phones.every((phone) => /^\+1[2-9]\d\d55501\d\d$/.test(phone))).toBe(true);
    const audited = await app.context().em.count(AuditEntry, { actor: ACTOR, action: 'test_user.created' });
    expect(audited).toBe(100);
  });

  it.each([0, 51, 1.5])('are refused where %d are asked for', async (count) => {
    const refused = createTestUsers(app.context(), { partnerId: partner.id, count }, ACTOR);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it.each(['ptn_00000000000000000000000000', 'nonsense'])('are refused for a partner that is not there', async (id) => {
    const refused = createTestUsers(app.context(), { partnerId: id, count: 1 }, ACTOR);
    await expect(refused).rejects.toMatchObject({ code: 'not_found' });
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
    const entries = await app
      .context()
      .em.find(AuditEntry, { subject: permitIds[0] ?? '' }, { orderBy: { id: 'asc' } });
    expect(entries.map(({ action, details }) => [action, details.reason])).toEqual([
      ['permit.granted', undefined],
      ['permit.revoked', 'the wrong event'],
      ['permit.restored', undefined],
    ]);
  });

  it('of a set are revoked all or none: one that is already revoked keeps the others alive', async () => {
    const [one, other] = (await grantPermits(app.context(), plan([fan, fan]), ACTOR)).map(({ id }) => id);
    if (!one || !other) throw new Error('no permits');
    await revokePermits(app.context(), { permitIds: [one], reason: 'first' }, ACTOR);
    const refused = revokePermits(app.context(), { permitIds: [other, one], reason: 'second' }, ACTOR);
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
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

  it('are locked by their identifiers, wherever their rows lie: nobody waits in a circle', async () => {
    const [first, second] = (await grantPermits(app.context(), plan([fan, fan]), ACTOR)).map(({ id }) => id).sort();
    if (!first || !second) throw new Error('no permits');
    const { em } = app.context();
    await em.execute('update permit set chain_slot = 1 where id = ?', [uuidOf('perm', first)]);
    // with these, the rows are read as they lie
    await em.execute('analyze permit');
    const { revoked } = await em.transactional(async (holder) => {
      const lock = (id: string) =>
        holder.execute<unknown[]>('select 1 from permit where id = ? for update skip locked', [
          uuidOf('perm', knownId('perm', id)),
        ]);
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
    const refused = revokePermits(app.context(), { permitIds: [permit?.id ?? ''], reason: 'not mine' }, ACTOR);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(grantPermits(app.context(), plan([fan]), ACTOR)).rejects.toMatchObject({ code: 'invalid_request' });
    await em.execute(`update event set mode = 'sandbox'`);
  });

  it('are not granted to another partner’s test user, nor for another partner’s event', async () => {
    const context = app.context();
    const stranger = await registerPartner(context, `Stranger ${fan}`, ACTOR);
    await context.em.flush();
    const foreignUser = grantPermits(app.context(), { ...plan([fan]), partnerId: stranger.id }, ACTOR);
    await expect(foreignUser).rejects.toMatchObject({ code: 'invalid_request' });
    const [theirs] = await createTestUsers(app.context(), { partnerId: stranger.id, count: 1 }, ACTOR);
    const ownUser = { ...plan([theirs?.fan.id ?? '']), partnerId: stranger.id };
    await expect(grantPermits(app.context(), ownUser, ACTOR)).rejects.toThrow('a test event of another partner');
  });

  it('are not granted for an event that is over', async () => {
    await expect(grantPermits({ ...app.context(), now: () => PLAN.endsAt }, plan([fan]), ACTOR)).rejects.toThrow(
      'is over',
    );
  });
});
