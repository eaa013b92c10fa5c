import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/database/prepared.ts';
import { Claim } from '../../../src/entities/claim.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { Listing, ListingSignature } from '../../../src/entities/listing.ts';
import { Notification, NotificationEndpoint } from '../../../src/entities/notification.ts';
import { Permit } from '../../../src/entities/permit.ts';
import { Ticket } from '../../../src/entities/ticket.ts';
import { narrowGrants } from '../../../src/grant/narrow-grants.ts';
import { type Id, uuidOf } from '../../../src/identifier/type-id.ts';
import { bodyOf } from '../../../src/notification/notification-body.ts';
import { createTestUsers } from '../../../src/sandbox/create-test-users.ts';
import { testApp } from '../../support/test-app.ts';
import { endpointOf, makeGrants } from './notification-stage.ts';

const app = await testApp();
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
  await context.em.nativeUpdate(
    ConsentGrant,
    { fan: owner },
    { revokedAt: new Date(), revokedReason: 'sandbox_reset' },
  );
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
    const { type, grantId, members } = bodyOf({
      ...row,
      id: String(row.id),
      jti: uuidOf('ntf', row.jti),
      grant_id: row.grantId ?? null,
      fan_id: row.fanId ?? null,
      occurred_at: row.occurredAt,
      expires_at: row.expiresAt,
    });
    return { type, grantId, ...members };
  });
}

describe('D-310: what a client is told of, whoever changes it', () => {
  it('a ticket that leaves the fan of a grant, or comes to them', async () => {
    await change(Ticket, ticket.id, { owner: other });
    await change(Ticket, ticket.id, { owner });
    await change(Ticket, ticket.id, { owner });
    const moved = { type: 'ticket.moved', grantId: grant, ticket_id: ticket.id, tix_ticket_id: ticket.tixTicketId };
    expect(await told()).toEqual([
      { ...moved, direction: 'out' },
      { ...moved, direction: 'in' },
    ]);
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

  it('a client of another partner is not told of a sandbox ticket', async () => {
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
    expect(await told()).toEqual([
      { ...changed, ticket_ids: [ticket.id] },
      { ...changed, ticket_ids: [] },
    ]);
  });

  it('a claim that is confirmed, and one that fails; not one on its way', async () => {
    const { em } = app.context();
    const at = { createdAt: new Date(), updatedAt: new Date() };
    const claim = em.create(Claim, {
      signature: ADDRESS,
      grant,
      permit: permit.id,
      signerWallet: ADDRESS,
      destinationWallet: ADDRESS,
      transaction: 'ff',
      recentBlockhash: ADDRESS,
      ...at,
    });
    await em.flush();
    await change(Claim, claim.id, { state: 'submitted' });
    await change(Claim, claim.id, { state: 'failed' });
    await change(Claim, claim.id, { state: 'confirmed' });
    const settled = {
      type: 'claim.settled',
      grantId: grant,
      ticket_id: ticket.id,
      tix_permit_id: permit.tixPermitId,
      transfer_id: ADDRESS,
    };
    expect(await told()).toEqual([
      { ...settled, state: 'failed' },
      { ...settled, state: 'confirmed' },
    ]);
  });

  it.each([
    [null, 1],
    ['expired', 1],
    ['revoked_by_fan', 0],
  ])('a listing that it had signed has ended, under a grant that is %s', async (reason, count) => {
    const { em } = app.context();
    const listing = em.create(Listing, { permit: permit.id, marketplace: ADDRESS, price: 5n, openedAt: new Date() });
    em.create(ListingSignature, {
      messageHash: crypto.randomUUID(),
      permit: permit.id,
      grant,
      action: 'list',
      sentence: 'List it.',
      signedAt: new Date(),
    });
    await em.flush();
    if (reason !== null) await change(ConsentGrant, grant, { revokedAt: new Date(), revokedReason: reason });
    await em.nativeDelete(Notification, {});
    await change(Listing, listing.id, { closedAt: new Date(), outcome: 'sold' });
    const ended = { type: 'listing.ended', grantId: grant, ticket_id: ticket.id, outcome: 'sold' };
    expect(await told()).toMatchObject(Array(count).fill(ended));
    await em.nativeDelete(ListingSignature, {});
  });
});
