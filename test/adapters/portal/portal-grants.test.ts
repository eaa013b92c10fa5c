import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { makeClient } from '../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn, USUAL_SCOPE } from '../../support/partner.ts';
import { giveTicket } from '../../support/production.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { testUser } from '../login/login-calls.ts';
import { type ListedApp, openPortal } from './portal-calls.ts';

/** Issue 5, item 4: what a fan sees of the grants given, and changes. */
let app: TestApp;
let portal: ReturnType<typeof openPortal>;
beforeAll(async () => {
  app = await startApp({ env: { ACCESS_TOKEN_TTL: '600' } });
});
beforeEach(async () => {
  portal = await openPortal(app).signIn(testUser(app));
  await portal.get('apps.revokeAll');
});
afterEach(() => app.resetClock());
afterAll(() => app.stop());

const apps = () => portal.get<ListedApp[]>('apps.list');

async function onlyApp(): Promise<ListedApp> {
  const [only, ...others] = await apps();
  if (!only || others.length > 0) throw new Error('there is not exactly one app with access');
  return only;
}

async function ticketIds(token: string): Promise<string[]> {
  const { body } = await callFan(app, '/tickets', token);
  return (body.tickets as { id: string }[]).map(({ id }) => id);
}

async function audited(grantId: string) {
  return app
    .context()
    .em.execute<{ actor: string; action: string; details: object }[]>(
      'select actor, action, details from audit_entry where subject = ? order by id',
      [grantId],
    );
}

describe('the list', () => {
  it('shows each app with access: who, what, which tickets, since when, last use; the newest first', async () => {
    const first = await signIn(app);
    const [ticket] = await ticketIds(first.access_token);
    app.advance(60);
    const selected = await signIn(app, { mode: 'selected', ticketIds: [ticket ?? ''], actions: ['fan:tickets:read'] });
    const [newest, older] = await apps();
    expect(newest).toMatchObject({
      grantId: selected.grant_id,
      clientName: expect.any(String),
      partnerName: 'Front Row',
      mode: 'sandbox',
      actions: ['fan:tickets:read'],
      grantMode: 'selected',
      tickets: [{ id: ticket, eventName: expect.any(String) }],
    });
    expect(older).toMatchObject({ grantId: first.grant_id, grantMode: 'all_current_future', tickets: [] });
    expect(Date.parse(newest?.since ?? '')).toBeGreaterThan(Date.parse(older?.since ?? ''));
    await app.runtime.activity.flush();
    const used = (await apps()).find(({ grantId }) => grantId === first.grant_id);
    expect(Date.parse(used?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(used?.since ?? '') - 1000);
  });

  it('leaves out what can’t be used any more: without offline access, once the access token is over', async () => {
    await signIn(app, { scope: 'openid fan:tickets:read' });
    expect(await apps()).toHaveLength(1);
    app.advance(600 + 60);
    expect(await apps()).toHaveLength(0);
  });

  it('shows no grant of another fan, and lets nobody touch one', async () => {
    const other = testUser(app, 1);
    const tokens = await signIn(app, { phone: other.phone, code: other.code });
    expect(await apps()).toEqual([]);
    const grantId = tokens.grant_id;
    const calls: [string, object][] = [
      ['apps.takeBackAction', { grantId, action: 'fan:tickets:read' }],
      ['apps.chooseTickets', { grantId, mode: 'all_current_future' }],
      ['apps.revoke', { grantId }],
      ['apps.receipt', { grantId }],
    ];
    for (const [procedure, input] of calls) {
      expect((await portal.call(procedure, input)).reason, procedure).toBe('not_found');
    }
    expect(await portal.get('apps.ticketOptions', { grantId })).toEqual([]);
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
  });

  it('gives the fan the receipt that the partner gets', async () => {
    const { grant_id: grantId } = await signIn(app);
    const { receipt } = await portal.get<{ receipt: string }>('apps.receipt', { grantId });
    const payload = JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString());
    expect(payload).toMatchObject({ grant_id: grantId, sub: testUser(app).id, aud: app.kit.client_id });
  });
});

describe('taking an action back', () => {
  it('counts from the next call, under the token that still names it; the rest goes on', async () => {
    const tokens = await signIn(app);
    await portal.get('apps.takeBackAction', { grantId: tokens.grant_id, action: 'fan:tickets:read' });
    // also where the query is wrong as well
    for (const path of ['/tickets', '/tickets?cursor=x']) {
      const refused = await callFan(app, path, tokens.access_token);
      expect([refused.status, refused.headers.get('x-error-code')]).toEqual([401, 'action_not_granted']);
    }
    const body = JSON.stringify({ type: 'list', transactions: [] });
    const headers = { 'content-type': 'application/json' };
    const listing = await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', headers, body });
    expect(listing.status).toBe(400);
    const userinfo = await fetch(`${app.config.authUrl}/oauth2/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect((await userinfo.json()).granted_actions).toEqual(['fan:listings:write']);
    const refreshed = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
    expect(refreshed.body.granted_actions).toEqual(['fan:listings:write']);
    expect((await onlyApp()).actions).toEqual(['fan:listings:write']);
  });

  it('of listings: nothing is signed any more', async () => {
    const tokens = await signIn(app);
    await portal.get('apps.takeBackAction', { grantId: tokens.grant_id, action: 'fan:listings:write' });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const refused = await callFan(app, '/authorizations', tokens.access_token, init);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([401, 'action_not_granted']);
  });

  it('is audited once, however often it is repeated', async () => {
    const { grant_id: grantId } = await signIn(app);
    const input = { grantId, action: 'fan:tickets:read' };
    const answers = await Promise.all([1, 2, 3].map(() => portal.call('apps.takeBackAction', input)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await audited(grantId)).slice(1)).toEqual([
      { actor: `fan:${testUser(app).id}`, action: 'grant.narrowed', details: { actions: ['fan:tickets:read'] } },
    ]);
  });
});

describe('choosing tickets anew', () => {
  it('from all to some, to others, and back: the partner sees it at the next call', async () => {
    const tokens = await signIn(app);
    const grantId = tokens.grant_id;
    const all = await ticketIds(tokens.access_token);
    const options = await portal.get<{ id: string }[]>('apps.ticketOptions', { grantId });
    expect(options.map(({ id }) => id)).toEqual(all);
    const [one = '', two = '', three = ''] = all;
    await portal.get('apps.chooseTickets', { grantId, mode: 'selected', ticketIds: [one, two] });
    expect(await ticketIds(tokens.access_token)).toEqual([one, two]);
    await portal.get('apps.chooseTickets', { grantId, mode: 'selected', ticketIds: [three] });
    expect(await ticketIds(tokens.access_token)).toEqual([three]);
    expect((await onlyApp()).tickets.map(({ id }) => id)).toEqual([three]);
    await portal.get('apps.chooseTickets', { grantId, mode: 'all_current_future' });
    expect(await ticketIds(tokens.access_token)).toEqual(all);
    const refreshed = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
    expect(refreshed.body.grant_mode).toBe('all_current_future');
    expect((await audited(grantId))[2]).toMatchObject({
      action: 'grant.tickets_chosen',
      details: {
        before: { mode: 'selected', tickets: [one, two] },
        after: { mode: 'selected', tickets: [three] },
      },
    });
  });

  it.each<[string, { mode: string; ticketIds?: string[] }]>([
    ['selected with no ticket', { mode: 'selected', ticketIds: [] }],
    ['all tickets and single ones', { mode: 'all_current_future', ticketIds: ['OWN'] }],
    ['a ticket twice', { mode: 'selected', ticketIds: ['OWN', 'OWN'] }],
    ['a ticket of another fan', { mode: 'selected', ticketIds: ['OWN', 'FOREIGN'] }],
    ['a ticket of a past event', { mode: 'selected', ticketIds: ['PAST'] }],
    ['a ticket that the partner can’t see', { mode: 'selected', ticketIds: ['UNSEEN'] }],
    ['a text that is no ticket', { mode: 'selected', ticketIds: ["'--"] }],
  ])('not %s: nothing changes', async (_, choice) => {
    const tokens = await signIn(app);
    const before = await ticketIds(tokens.access_token);
    const startsAt = new Date('2026-01-01T00:00:00Z');
    const { em, now } = app.context();
    const stranger = em.create(Partner, { name: `Stranger ${crypto.randomUUID()}`, createdAt: now() });
    await em.flush();
    const named: Record<string, string> = {
      OWN: before[0] ?? '',
      FOREIGN: (await giveTicket(app, testUser(app, 1), { mode: 'sandbox' })).ticket.id,
      PAST: (await giveTicket(app, testUser(app), { mode: 'sandbox', startsAt })).ticket.id,
      UNSEEN: (await giveTicket(app, testUser(app), { mode: 'sandbox', partner: stranger })).ticket.id,
    };
    const input = { grantId: tokens.grant_id, ...choice, ticketIds: choice.ticketIds?.map((id) => named[id] ?? id) };
    expect((await portal.call('apps.chooseTickets', input)).reason).toBe('invalid_selection');
    expect(await ticketIds(tokens.access_token)).toEqual(before);
  });

  it('and revoking at the same instant: a grant that is over is not changed', async () => {
    const { grant_id: grantId, access_token: token } = await signIn(app);
    const [one = ''] = await ticketIds(token);
    const choice = { grantId, mode: 'selected', ticketIds: [one] };
    await Promise.all([
      portal.call('apps.revoke', { grantId }),
      ...[1, 2, 3].map(() => portal.call('apps.chooseTickets', choice)),
    ]);
    expect((await portal.call('apps.chooseTickets', choice)).error).toBeDefined();
    const entries = await audited(grantId);
    expect(entries.at(-1)?.action).toBe('grant.revoked');
  });
});

describe('ending access', () => {
  it('issue 5: the very next GET /tickets answers 401, the refresh invalid_grant', async () => {
    const tokens = await signIn(app, { scope: USUAL_SCOPE });
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
    await portal.get('apps.revoke', { grantId: tokens.grant_id });
    const refused = await callFan(app, '/tickets', tokens.access_token);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([401, 'grant_revoked']);
    const refresh = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
    expect([refresh.status, refresh.body.error]).toEqual([400, 'invalid_grant']);
    expect(await apps()).toEqual([]);
    const grant = await app.context().em.findOneOrFail(ConsentGrant, { id: tokens.grant_id });
    expect(grant.revokedReason).toBe('revoked_by_fan');
  });

  it('is for good: nothing of it is changed, offered or confirmed any more', async () => {
    const { grant_id: grantId } = await signIn(app);
    await portal.get('apps.revoke', { grantId });
    const reasons = [];
    for (const [procedure, input] of [
      ['apps.takeBackAction', { action: 'fan:tickets:read' }],
      ['apps.chooseTickets', { mode: 'all_current_future' }],
      ['apps.receipt', {}],
    ] as const) {
      reasons.push((await portal.call(procedure, { grantId, ...input })).reason);
    }
    expect(reasons).toEqual(['not_found', 'not_found', 'not_found']);
    expect(await portal.get('apps.ticketOptions', { grantId })).toEqual([]);
    expect((await audited(grantId)).at(-1)?.action).toBe('grant.revoked');
  });

  it('of everything at once: every app of this fan, and no other’s', async () => {
    const client = await makeClient(app, { name: 'Second App' });
    const mine = [await signIn(app), await signIn(app, { clientId: client })];
    const other = testUser(app, 1);
    const theirs = await signIn(app, { phone: other.phone, code: other.code });
    expect(await portal.get('apps.revokeAll')).toEqual({ ended: 2 });
    expect(await portal.get('apps.revokeAll')).toEqual({ ended: 0 });
    for (const { access_token: token, grant_id: id } of mine) {
      expect((await callFan(app, '/tickets', token)).status).toBe(401);
      expect((await audited(id)).at(-1)).toMatchObject({
        action: 'grant.revoked',
        details: { reason: 'revoked_by_fan' },
      });
    }
    expect((await callFan(app, '/tickets', theirs.access_token)).status).toBe(200);
  });
});
