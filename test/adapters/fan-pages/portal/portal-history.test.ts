import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { HistoryEntry } from '../../../../adapters/fan-pages/portal/ui/api.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { carryOutMoves } from '../../../../src/inventory/custody-move/carry-out-moves.ts';
import { type MoveOrder, orderMove } from '../../../../src/inventory/custody-move/order-move.ts';
import { endExpiredGrants } from '../../../../src/oauth/grant/end-expired-grants.ts';
import { reconcileStage } from '../../../src/tickets/ticket/reconcile-stage.ts';
import { CHAIN_SCOPE, type ChainApp, rows, type TestTicket } from '../../../support/chain-app.ts';
import { callFan, signIn } from '../../../support/partner.ts';
import {
  authorizeListing,
  claim,
  listing,
  postFan,
  randomAddress,
  transfer,
  unseenBlockhash,
} from '../../../support/ticket-transactions.ts';
import { openPortal } from './portal-calls.ts';

const stage = await reconcileStage();
let app: ChainApp;
let ticket: TestTicket;
beforeEach(() => {
  ({ app, ticket } = stage);
});

interface Page {
  entries: HistoryEntry[];
  before: string | null;
}

async function history(user = stage.seller) {
  await app.runtime.activity.flush();
  const portal = await openPortal(app).signIn(user);
  return { portal, page: await portal.get<Page>('history.list', {}) };
}

describe('the history', () => {
  it('has a ticket that this service moved away from the fan, and one that it moved to the fan', async () => {
    const context = app.context();
    const { id } = await context.em.findOneOrFail(Permit, { tixPermitId: ticket.permit });
    const order = { permitId: id, origin: 'a test', reason: 'The fan leaves.', actor: 'system' };
    const move = async (to: MoveOrder['to']) => {
      await context.em.transactional((em) => orderMove({ ...context, em }, { ...order, to }));
      await carryOutMoves(app.context());
    };
    await move({ fanId: stage.buyer.id });
    await move({ address: randomAddress() });
    const about = { kind: 'moved', eventName: expect.any(String), ticketTypeName: expect.any(String) };
    const told = { clientName: null, mode: null, signIns: 1 };
    const [newest] = (await history()).page.entries;
    expect(newest).toMatchObject({ ...told, fact: { ...about, way: 'given', wallet: stage.buyer.wallet_address } });
    const [out, received] = (await history(stage.buyer)).page.entries;
    expect(out?.fact).toMatchObject({ ...about, way: 'out' });
    expect(received?.fact).toMatchObject({ ...about, way: 'received' });
  });

  it('has co-signed listings with the sentence that was signed, and claims with their outcome', async () => {
    const blockhash = await unseenBlockhash(app);
    const bytes = await listing(app, stage.market, ticket, stage.seller.wallet_address, { blockhash });
    const signed = await authorizeListing(app, stage.seller, 'list', [bytes]);
    expect(signed.status).toBe(200);
    const [recorded] = await rows<{ sentence: string }>(
      app,
      'select sentence from listing_signature order by signed_at desc limit 1',
    );
    const [newest] = (await history()).page.entries;
    expect(newest?.fact).toEqual({
      kind: 'listing_signed',
      action: 'list',
      sentence: recorded?.sentence,
      price: '1000000000',
      landed: false,
      eventName: expect.any(String),
      ticketTypeName: expect.any(String),
    });
    await stage.list();
    const move = await transfer(app, stage.market, ticket, stage.buyer.wallet_address);
    expect((await claim(app, stage.buyer, [move])).status).toBe(200);
    const bought = (await history(stage.buyer)).page.entries.map(({ fact }) => fact);
    expect(bought[0]).toMatchObject({ kind: 'claim', state: 'confirmed', eventName: expect.any(String) });
  });

  it('has grants given, changed and ended, tickets that left, and what was refused', async () => {
    const { phone, code } = stage.seller;
    const tokens = await signIn(app, { scope: CHAIN_SCOPE, phone, code, mode: 'selected', ticketIds: [ticket.id] });
    const grantId = tokens.grant_id;
    await stage.list();
    await stage.sell(stage.buyer.wallet_address);
    await stage.run();
    const { portal } = await history();
    await portal.get('apps.chooseTickets', { grantIds: [grantId], mode: 'all_current_future' });
    await portal.get('apps.turnActionOff', { grantIds: [grantId], action: 'fan:listings:write' });
    for (let i = 0; i < 3; i++) await postFan(app, '/authorizations', tokens.access_token, {});
    await portal.get('apps.turnActionOn', { grantIds: [grantId], action: 'fan:listings:write' });
    await portal.get('apps.revoke', { clientId: app.kit.client_id });
    await callFan(app, '/tickets', tokens.access_token);
    const { page } = await history();
    const facts = page.entries.slice(0, 9).map(({ fact }) => fact);
    expect(facts).toEqual([
      { kind: 'refused', operation: 'tickets.list', outcome: 'grant_revoked', times: 1 },
      { kind: 'ended', by: 'fan' },
      { kind: 'action_turned_on', actions: ['fan:listings:write'] },
      { kind: 'refused', operation: 'listings.sign', outcome: 'action_not_granted', times: 3 },
      { kind: 'action_turned_off', actions: ['fan:listings:write'] },
      { kind: 'tickets_chosen', grantMode: 'all_current_future', tickets: 0 },
      { kind: 'tickets_left', reason: 'ticket_moved', tickets: 1 },
      expect.objectContaining({ kind: 'listing_signed', action: 'list' }),
      expect.objectContaining({ kind: 'granted' }),
    ]);
    expect(page.entries[0]).toMatchObject({ clientName: expect.any(String), mode: 'sandbox' });
  });

  it('a change of several sign-ins of one app is one entry, and says of how many', async () => {
    const { phone, code } = stage.buyer;
    const given = [];
    for (let i = 0; i < 3; i++) given.push(await signIn(app, { scope: CHAIN_SCOPE, phone, code }));
    const grantIds = given.map((tokens) => tokens.grant_id);
    const { portal } = await history(stage.buyer);
    // a millisecond passes whenever the clock is read
    const { now } = app.runtime;
    let passed = 0;
    app.runtime.now = () => new Date(now().getTime() + passed++);
    onTestFinished(() => {
      app.runtime.now = now;
    });
    await portal.get('apps.turnActionOff', { grantIds, action: 'fan:claims:write' });
    await portal.get('apps.revoke', { clientId: app.kit.client_id });
    const [ended, turnedOff, granted] = (await history(stage.buyer)).page.entries;
    expect(ended).toMatchObject({ fact: { kind: 'ended', by: 'fan' }, signIns: expect.any(Number) });
    expect(ended?.signIns).toBeGreaterThanOrEqual(3);
    expect(turnedOff).toMatchObject({ fact: { kind: 'action_turned_off' }, signIns: 3 });
    expect(granted).toMatchObject({ fact: { kind: 'granted' }, signIns: 1 });
  });

  it('says that access expired', async () => {
    const { phone, code } = stage.buyer;
    await signIn(app, { scope: 'openid fan:tickets:read', phone, code });
    app.advance(app.config.accessTokenTtl + 61);
    await endExpiredGrants(app.context());
    const { page } = await history(stage.buyer);
    app.resetClock();
    expect(page.entries[0]?.fact).toEqual({ kind: 'ended', by: 'expiry' });
  });

  it('goes back page by page, each entry once, and shows nothing of another fan', async () => {
    const { phone, code } = stage.seller;
    const { grant_id: grantId } = await signIn(app, { scope: CHAIN_SCOPE, phone, code });
    const { portal } = await history();
    for (let i = 0; i < 60; i++)
      await portal.get('apps.chooseTickets', { grantIds: [grantId], mode: 'all_current_future' });
    const first = await portal.get<Page>('history.list', {});
    expect(first.entries).toHaveLength(50);
    const second = await portal.get<Page>('history.list', { before: first.before });
    const times = [...first.entries, ...second.entries].map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());
    const chosen = [...first.entries, ...second.entries].filter(({ fact }) => fact.kind === 'tickets_chosen');
    expect(chosen.length).toBeGreaterThanOrEqual(60);
    const others = (await history(stage.buyer)).page.entries.map(({ fact }) => fact.kind);
    expect(others).not.toContain('tickets_chosen');
  });

  it('what happened at one moment stays on one page, however much it is', async () => {
    const { portal } = await history();
    const { grant_id: grantId } = await signIn(app, {
      scope: CHAIN_SCOPE,
      phone: stage.seller.phone,
      code: stage.seller.code,
    });
    await app.runtime.pool.query(
      `insert into audit_entry (at, actor, action, subject, details)
       select date_trunc('second', now() + interval '1 hour'), 'system', 'grant.narrowed', $1,
         jsonb_build_object('reason', 'event_ended', 'tickets', jsonb_build_array(n::text))
       from generate_series(1, 70) n`,
      [grantId],
    );
    const before = new Date(app.context().now().getTime() + 2 * 3_600_000).toISOString();
    const first = await portal.get<Page>('history.list', { before });
    expect(first.entries.filter(({ fact }) => fact.kind === 'tickets_left').length).toBeGreaterThanOrEqual(70);
    const second = await portal.get<Page>('history.list', { before: first.before });
    expect(second.entries[0]?.fact.kind).toBe('granted');
  });
});
