import { beforeEach, describe, expect, it } from 'vitest';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { SETTLED_AFTER, settleEndedEvents } from '../../../../src/inventory/settle-events.ts';
import { inTransaction } from '../../../../src/platform/database/prepared.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { idOf, uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { holdTickets } from '../../../../src/sign-in/consent/check-tickets.ts';
import {
  CHAIN_SCOPE,
  type ChainApp,
  moreTickets,
  oneTicket,
  rows,
  type TestTicket,
} from '../../../support/chain-app.ts';
import { authorize, callFan, callLogin, signIn, type Tokens, verifyPhone } from '../../../support/partner.ts';
import { claim, listing, postFan, transfer, unseenBlockhash } from '../../../support/ticket-transactions.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';
import { reconcileStage } from '../../tickets/ticket/reconcile-stage.ts';

/** A ticket leaves a `selected` grant when its fan lets it go, or its event is over. */
const stage = await reconcileStage();
const { run, list, sell } = stage;
let app: ChainApp;
let ticket: TestTicket;
let other: TestTicket;
beforeEach(async () => {
  ({ app, ticket } = stage);
  other = await oneTicket(app, stage.seller);
});

/** The seller signs in and grants these tickets alone. */
function grantOnly(...tickets: TestTicket[]): Promise<Tokens> {
  const { phone, code } = stage.seller;
  return signIn(app, { scope: CHAIN_SCOPE, phone, code, mode: 'selected', ticketIds: tickets.map(({ id }) => id) });
}

async function granted({ grant_id: id }: Pick<Tokens, 'grant_id'>): Promise<string[]> {
  const grant = await app.context().em.findOneOrFail(ConsentGrant, { id });
  return grant.ticketIds.map((uuid) => idOf('tkt', uuid));
}

async function seen({ access_token: token }: Tokens): Promise<string[]> {
  const { body } = await callFan(app, '/tickets', token);
  return (body.tickets as { id: string }[]).map(({ id }) => id);
}

async function narrowings({ grant_id: id }: Tokens) {
  return rows(app, `select actor, details from audit_entry where action = 'grant.narrowed' and subject = $1`, [id]);
}

async function asksToList(tokens: Tokens): Promise<number> {
  const blockhash = await unseenBlockhash(app);
  const bytes = await listing(app, stage.market, ticket, stage.seller.wallet_address, { blockhash });
  const body = { type: 'list', transactions: [bytes.toString('hex')] };
  return (await postFan(app, '/authorizations', tokens.access_token, body)).status;
}

describe('a ticket that was sold', () => {
  it('leaves every selected grant of the fan who held it, and nothing else; each is audited', async () => {
    const both = await grantOnly(ticket, other);
    const alone = await grantOnly(ticket);
    const untouched = await grantOnly(other);
    await list();
    await run();
    expect(await granted(both)).toEqual([ticket.id, other.id]);
    await sell(stage.buyer.wallet_address);
    await run();
    expect([await granted(both), await granted(alone), await granted(untouched)]).toEqual([[other.id], [], [other.id]]);
    expect(await seen(alone)).toEqual([]);
    const entry = { actor: 'system', details: { reason: 'ticket_moved', tickets: [ticket.id] } };
    expect([await narrowings(both), await narrowings(alone), await narrowings(untouched)]).toEqual([
      [entry],
      [entry],
      [],
    ]);
  });

  it('is not granted again when it comes back: hidden from the list, refused for co-signing', async () => {
    const tokens = await grantOnly(ticket, other);
    expect(await asksToList(tokens)).toBe(200);
    await list();
    await sell(stage.buyer.wallet_address);
    await run();
    await list(stage.buyer);
    await sell(stage.seller.wallet_address);
    await run();
    expect(await stage.holds(stage.seller)).toBe(true);
    expect(await granted(tokens)).toEqual([other.id]);
    expect(await seen(tokens)).toEqual([other.id]);
    expect(await asksToList(tokens)).toBe(404);
  });

  it('leaves with the claim that took it, before the claim is answered', async () => {
    const tokens = await grantOnly(ticket, other);
    await list();
    await run();
    const answer = await claim(app, stage.buyer, [
      await transfer(app, stage.market, ticket, stage.buyer.wallet_address),
    ]);
    expect(answer.status).toBe(200);
    expect(await granted(tokens)).toEqual([other.id]);
  });
});

describe('a ticket of an event that is over', () => {
  it('leaves by the job, in every grant, however many; once', async () => {
    const endsAt = new Date(app.runtime.now().getTime() + 3_600_000);
    const soonOver = await moreTickets(app, stage.seller, { count: 2, endsAt, issue: false });
    const tokens = await grantOnly(...soonOver, other);
    await settleEndedEvents(app.context());
    expect(await granted(tokens)).toHaveLength(3);
    app.advance(3_600 + SETTLED_AFTER);
    await settleEndedEvents(app.context());
    await settleEndedEvents(app.context());
    app.resetClock();
    expect(await granted(tokens)).toEqual([other.id]);
    expect(await narrowings(tokens)).toEqual([
      { actor: 'system', details: { reason: 'event_ended', tickets: soonOver.map(({ id }) => id) } },
    ]);
  });

  it('leaves again where the event was put off after it had ended, and granted once more', async () => {
    const endsAt = new Date(app.runtime.now().getTime() + 3_600_000);
    const soonOver = await oneTicket(app, stage.seller, { endsAt, issue: false });
    app.advance(3_600 + SETTLED_AFTER);
    await settleEndedEvents(app.context());
    app.resetClock();
    await rows(app, `update event set ends_at = now() + interval '2 days' where tix_event_id = $1`, [
      soonOver.tixEventId,
    ]);
    const tokens = await grantOnly(soonOver, other);
    app.advance(2 * 86_400 + SETTLED_AFTER);
    await settleEndedEvents(app.context());
    app.resetClock();
    expect(await granted(tokens)).toEqual([other.id]);
  });
});

describe('a transfer and a choice of tickets that meet', () => {
  const waiting = () => waitingForALock(app);

  it('the transfer first: the consent that waited for it is refused', async () => {
    const { phone, code } = stage.seller;
    const started = await authorize(app, { scope: CHAIN_SCOPE });
    await verifyPhone(app, started, { phone, code });
    const choice = { actions: ['fan:tickets:read'], mode: 'selected', ticketIds: [other.id, ticket.id] };
    const consent = await app.context().em.transactional(async (tx) => {
      await tx.execute('select 1 from permit where tix_permit_id = ? for update', [ticket.permit]);
      await tx.execute('update ticket set owner_id = null where id = ?', [uuidOf('tkt', knownId('tkt', ticket.id))]);
      const call = callLogin(app, started, 'consent.grant', choice);
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
      return { call };
    });
    expect((await consent.call).error?.data.reason).toBe('invalid_selection');
    const again = await callLogin(app, started, 'consent.grant', { ...choice, ticketIds: [other.id] });
    expect(again.status).toBe(200);
  });

  it('the choice first: the transfer that waited for it takes the ticket out again', async () => {
    const tokens = await grantOnly(other);
    await list();
    await sell(stage.buyer.wallet_address);
    const reconciling = await inTransaction(app.runtime.pool, async (client) => {
      await holdTickets(client, knownId('usr', stage.seller.id), [knownId('tkt', ticket.id)]);
      const call = run();
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
      const tickets = [ticket, other].map(({ id }) => uuidOf('tkt', knownId('tkt', id)));
      const values = [tickets, uuidOf('grant', tokens.grant_id)];
      await client.query('update consent_grant set ticket_ids = $1 where id = $2', values);
      return { call };
    });
    await reconciling.call;
    expect(await granted(tokens)).toEqual([other.id]);
  });
});
