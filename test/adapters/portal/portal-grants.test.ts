import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { makeClient } from '../../support/make-client.ts';
import { callFan, postForm, refreshForm, signIn, USUAL_SCOPE } from '../../support/partner.ts';
import { giveTicket } from '../../support/production.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
import { testUser } from '../login/login-calls.ts';
import { type ListedAccess, type ListedApp, openPortal } from './portal-calls.ts';

/** What a fan sees of the grants given, and changes. */
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
const ofKit = () => ({ clientId: app.kit.client_id });

async function onlyAccess(): Promise<ListedAccess> {
  const [only, ...others] = (await apps()).flatMap(({ access }) => access);
  if (!only || others.length > 0) throw new Error('there is not exactly one access');
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
  it('is one entry per app; its sign-ins are apart only where they permit something else, the newest first', async () => {
    const first = await signIn(app);
    app.advance(60);
    const again = await signIn(app, { actions: ['fan:listings:write', 'fan:tickets:read'] });
    const [ticket = ''] = await ticketIds(first.access_token);
    app.advance(60);
    const selected = await signIn(app, { mode: 'selected', ticketIds: [ticket], actions: ['fan:tickets:read'] });
    await signIn(app, { clientId: await makeClient(app, { name: 'Second App' }) });
    const [second, kit, ...others] = await apps();
    expect(others).toEqual([]);
    expect(second).toMatchObject({ clientName: 'Second App', signIns: 1 });
    expect(kit).toMatchObject({ ...ofKit(), partnerName: 'Front Row', mode: 'sandbox', signIns: 3 });
    expect(kit?.access).toMatchObject([
      {
        grantIds: [selected.grant_id],
        actions: [{ name: 'fan:tickets:read', isOn: true }],
        grantMode: 'selected',
        tickets: [{ id: ticket, eventName: expect.any(String) }],
      },
      { grantIds: [again.grant_id, first.grant_id], grantMode: 'all_current_future', tickets: [] },
    ]);
    const [, both] = kit?.access ?? [];
    expect(Date.parse(both?.lastSignIn ?? '') - Date.parse(both?.firstSignIn ?? '')).toBeGreaterThanOrEqual(60_000);
  });

  it('tells the last use, that there was none yet, or that there was none in 30 days', async () => {
    const { access_token: token } = await signIn(app);
    expect(await onlyAccess()).toMatchObject({ lastUsedAt: null, isUnused: true });
    await callFan(app, '/tickets', token);
    await app.runtime.activity.flush();
    const { lastUsedAt, firstSignIn, isUnused } = await onlyAccess();
    expect(Date.parse(lastUsedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(firstSignIn) - 1000);
    expect(isUnused).toBe(false);
    await portal.get('apps.revokeAll');
    const { grant_id: old } = await signIn(app);
    const { em } = app.context();
    await em.nativeUpdate(ConsentGrant, { id: old }, { createdAt: new Date(Date.now() - 31 * 86_400_000) });
    expect(await onlyAccess()).toMatchObject({ lastUsedAt: null, isUnused: false });
  });

  it('leaves out what can’t be used anymore: without offline access, once the access token is over', async () => {
    await signIn(app, { scope: 'openid fan:tickets:read' });
    expect(await apps()).toHaveLength(1);
    app.advance(600 + 60);
    expect(await apps()).toHaveLength(0);
  });

  it('shows no grant of another fan, and lets nobody touch one', async () => {
    const other = testUser(app, 1);
    const tokens = await signIn(app, { phone: other.phone, code: other.code });
    expect(await apps()).toEqual([]);
    const grantIds = [tokens.grant_id];
    const calls: [string, object][] = [
      ['apps.turnActionOff', { grantIds, action: 'fan:tickets:read' }],
      ['apps.turnActionOn', { grantIds, action: 'fan:tickets:read' }],
      ['apps.chooseTickets', { grantIds, mode: 'all_current_future' }],
      ['apps.revoke', { clientId: await makeClient(app, { name: 'Never used' }) }],
      ['apps.revoke', { clientId: 'client_x' }],
    ];
    for (const [procedure, input] of calls) {
      expect((await portal.call(procedure, input)).reason, procedure).toBe('not_found');
    }
    expect(await portal.get('apps.ticketOptions', { grantId: tokens.grant_id })).toEqual([]);
    await portal.call('apps.revoke', ofKit());
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
  });
});

describe('changing the tickets', () => {
  it('from all to some, to others, and back: the partner sees it at the next call', async () => {
    const tokens = await signIn(app);
    const grantId = tokens.grant_id;
    const all = await ticketIds(tokens.access_token);
    const options = await portal.get<{ id: string }[]>('apps.ticketOptions', { grantId });
    expect(options.map(({ id }) => id)).toEqual(all);
    const [one = '', two = '', three = ''] = all;
    await portal.get('apps.chooseTickets', { grantIds: [grantId], mode: 'selected', ticketIds: [one, two] });
    expect(await ticketIds(tokens.access_token)).toEqual([one, two]);
    await portal.get('apps.chooseTickets', { grantIds: [grantId], mode: 'selected', ticketIds: [three] });
    expect(await ticketIds(tokens.access_token)).toEqual([three]);
    expect((await onlyAccess()).tickets.map(({ id }) => id)).toEqual([three]);
    await portal.get('apps.chooseTickets', { grantIds: [grantId], mode: 'all_current_future' });
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
    const input = { grantIds: [tokens.grant_id], ...choice, ticketIds: choice.ticketIds?.map((id) => named[id] ?? id) };
    expect((await portal.call('apps.chooseTickets', input)).reason).toBe('invalid_selection');
    expect(await ticketIds(tokens.access_token)).toEqual(before);
  });

  it('of several sign-ins at once, each audited with what it had before', async () => {
    const [first, second] = [await signIn(app), await signIn(app, { actions: ['fan:tickets:read'] })];
    const [one = '', two = ''] = await ticketIds(first.access_token);
    const grantIds = [first.grant_id, second.grant_id];
    await portal.get('apps.chooseTickets', { grantIds: [second.grant_id], mode: 'selected', ticketIds: [two] });
    await portal.get('apps.chooseTickets', { grantIds, mode: 'selected', ticketIds: [one] });
    expect([await ticketIds(first.access_token), await ticketIds(second.access_token)]).toEqual([[one], [one]]);
    const entries = await Promise.all(grantIds.map((id) => audited(id)));
    expect(entries.map((all) => all.at(-1)?.details)).toMatchObject([
      { before: { mode: 'all_current_future', tickets: [] }, after: { tickets: [one] } },
      { before: { mode: 'selected', tickets: [two] }, after: { tickets: [one] } },
    ]);
  });

  it('not of two apps together: a ticket may be visible to one of them only', async () => {
    const clientId = await makeClient(app, { name: 'Second App' });
    const [mine, other] = [await signIn(app), await signIn(app, { clientId })];
    const input = { grantIds: [mine.grant_id, other.grant_id], mode: 'all_current_future' };
    expect((await portal.call('apps.chooseTickets', input)).reason).toBe('not_found');
  });

  it('and revoking at the same instant: a grant that is over is not changed', async () => {
    const { grant_id: grantId, access_token: token } = await signIn(app);
    const [one = ''] = await ticketIds(token);
    const choice = { grantIds: [grantId], mode: 'selected', ticketIds: [one] };
    await Promise.all([
      portal.call('apps.revoke', ofKit()),
      ...[1, 2, 3].map(() => portal.call('apps.chooseTickets', choice)),
    ]);
    expect((await portal.call('apps.chooseTickets', choice)).error).toBeDefined();
    const entries = await audited(grantId);
    expect(entries.at(-1)?.action).toBe('grant.revoked');
  });
});

describe('ending access', () => {
  it('the very next GET /tickets answers 401, the refresh invalid_grant', async () => {
    const tokens = await signIn(app, { scope: USUAL_SCOPE });
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
    await portal.get('apps.revoke', ofKit());
    const refused = await callFan(app, '/tickets', tokens.access_token);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([401, 'grant_revoked']);
    const refresh = await postForm(app, '/oauth2/token', refreshForm(app, tokens.refresh_token));
    expect([refresh.status, refresh.body.error]).toEqual([400, 'invalid_grant']);
    expect(await apps()).toEqual([]);
    const grant = await app.context().em.findOneOrFail(ConsentGrant, { id: tokens.grant_id });
    expect(grant.revokedReason).toBe('revoked_by_fan');
  });

  it('ends every sign-in of the app, the hidden ones too, and no other app; once', async () => {
    const client = await makeClient(app, { name: 'Second App' });
    const mine = [await signIn(app), await signIn(app), await signIn(app, { actions: ['fan:tickets:read'] })];
    const other = await signIn(app, { clientId: client });
    expect((await apps()).find(({ clientId }) => clientId === app.kit.client_id)?.signIns).toBe(3);
    const answers = await Promise.all([1, 2, 3].map(() => portal.get<{ ended: number }>('apps.revoke', ofKit())));
    expect(answers.map(({ ended }) => ended).sort()).toEqual([0, 0, 3]);
    expect(await portal.get('apps.revoke', ofKit())).toEqual({ ended: 0 });
    for (const { access_token: token, grant_id: id } of mine) {
      expect((await callFan(app, '/tickets', token)).status).toBe(401);
      expect((await audited(id)).slice(1)).toEqual([
        { actor: `fan:${testUser(app).id}`, action: 'grant.revoked', details: { reason: 'revoked_by_fan' } },
      ]);
    }
    expect((await apps()).map(({ clientId }) => clientId)).toEqual([client]);
    expect((await callFan(app, '/tickets', other.access_token)).status).toBe(200);
  });

  it('is for good: nothing of it is changed, offered or confirmed any more', async () => {
    const { grant_id: grantId } = await signIn(app);
    await portal.get('apps.revoke', ofKit());
    const reasons = [];
    for (const [procedure, input] of [
      ['apps.turnActionOff', { action: 'fan:tickets:read' }],
      ['apps.turnActionOn', { action: 'fan:tickets:read' }],
      ['apps.chooseTickets', { mode: 'all_current_future' }],
    ] as const) {
      reasons.push((await portal.call(procedure, { grantIds: [grantId], ...input })).reason);
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
