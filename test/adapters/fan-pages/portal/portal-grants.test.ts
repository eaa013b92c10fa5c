import { createLocalJWKSet, type JWK, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppAccess } from '../../../../adapters/fan-pages/portal/ui/api.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { Partner } from '../../../../src/entities/partner.ts';
import { makeClient } from '../../../support/make-client.ts';
import { callFan, postForm, refresh, signIn, type Tokens } from '../../../support/partner.ts';
import { giveTicket } from '../../../support/production.ts';
import { refusedBy } from '../../../support/refused.ts';
import { testApp } from '../../../support/test-app.ts';
import { testUser } from '../login/login-calls.ts';
import { openPortal } from './portal-calls.ts';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
let portal: ReturnType<typeof openPortal>;
beforeEach(async () => {
  portal = await openPortal(app).signIn(testUser(app));
  await portal.get('apps.revokeAll');
});
afterEach(() => app.resetClock());

const apps = () => portal.get<AppAccess[]>('apps.list');
const ofKit = () => ({ clientId: app.kit.client_id });

async function onlyAccess(): Promise<AppAccess['access'][number]> {
  const [only, ...others] = (await apps()).flatMap(({ access }) => access);
  if (!only || others.length > 0) throw new Error('there is not exactly one access');
  return only;
}

async function ticketIds(token: string): Promise<string[]> {
  const { body } = await callFan(app, '/tickets', token);
  return (body.tickets as { id: string }[]).map(({ id }) => id);
}

/** What the audit log has of a grant since it was given. */
async function audited(grantId: string) {
  return app
    .context()
    .em.execute<{ actor: string; action: string; details: object }[]>(
      `select actor, action, details from audit_entry where subject = ? and action <> 'grant.given' order by id`,
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

  it('shows the last use, or that there was none yet, or none in 30 days', async () => {
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
      ['apps.turnActionOff', { grantIds: ['grant_x'], action: 'fan:tickets:read' }],
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
    expect(await refresh(app, tokens.refresh_token)).toMatchObject({ grant_mode: 'all_current_future' });
    expect((await audited(grantId))[1]).toMatchObject({
      action: 'grant.tickets_chosen',
      details: {
        before: { mode: 'selected', tickets: [one, two] },
        after: { mode: 'selected', tickets: [three] },
      },
    });
  });

  it.each<[string, { mode: string; ticketIds?: string[] }]>([
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
  it('of every sign-in of the app, the hidden ones too, and no other app; once, from the very next call and refresh on', async () => {
    const client = await makeClient(app, { name: 'Second App' });
    const mine = [await signIn(app), await signIn(app), await signIn(app, { actions: ['fan:tickets:read'] })];
    const other = await signIn(app, { clientId: client });
    expect((await apps()).find(({ clientId }) => clientId === app.kit.client_id)?.signIns).toBe(3);
    const answers = await Promise.all([1, 2, 3].map(() => portal.get<{ ended: number }>('apps.revoke', ofKit())));
    expect(answers.map(({ ended }) => ended).sort()).toEqual([0, 0, 3]);
    expect(await portal.get('apps.revoke', ofKit())).toEqual({ ended: 0 });
    for (const { access_token: token, refresh_token: refreshToken, grant_id: id } of mine) {
      const refused = await callFan(app, '/tickets', token);
      expect([refused.status, refused.headers.get('x-error-code')]).toEqual([401, 'grant_revoked']);
      expect(await refresh(app, refreshToken)).toMatchObject(refusedBy('invalid_grant'));
      const { revokedReason } = await app.context().em.findOneOrFail(ConsentGrant, { id });
      expect(revokedReason).toBe('revoked_by_fan');
      expect(await audited(id)).toEqual([
        { actor: `fan:${testUser(app).id}`, action: 'grant.revoked', details: { reason: 'revoked_by_fan' } },
      ]);
    }
    expect((await apps()).map(({ clientId }) => clientId)).toEqual([client]);
    expect((await callFan(app, '/tickets', other.access_token)).status).toBe(200);
  });

  it('is for good: nothing of it is changed, offered or confirmed any more', async () => {
    const { grant_id: grantId } = await signIn(app);
    await portal.get('apps.revoke', ofKit());
    for (const [procedure, change] of [
      ['apps.turnActionOff', { action: 'fan:tickets:read' }],
      ['apps.turnActionOn', { action: 'fan:tickets:read' }],
      ['apps.chooseTickets', { mode: 'all_current_future' }],
    ] as const)
      expect((await portal.call(procedure, { grantIds: [grantId], ...change })).reason).toBe('not_found');
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

describe('turning an action off and on', () => {
  const READ = 'fan:tickets:read';
  const SELL = 'fan:listings:write';

  const turn = (isOn: boolean, action: string, ...grants: Pick<Tokens, 'grant_id'>[]) =>
    portal.call(isOn ? 'apps.turnActionOn' : 'apps.turnActionOff', {
      grantIds: grants.map((tokens) => tokens.grant_id),
      action,
    });

  async function refused(token: string, path = '/tickets', init?: RequestInit) {
    const { status, headers } = await callFan(app, path, token, init);
    return [status, headers.get('x-error-code')];
  }

  async function actionsOf({ grant_id: id }: Pick<Tokens, 'grant_id'>): Promise<string[]> {
    return (await app.context().em.findOneOrFail(ConsentGrant, { id })).actions;
  }

  describe('an action that is turned off', () => {
    it('is refused from the next call on, under the token that still names it; the rest goes on', async () => {
      const tokens = await signIn(app);
      await turn(false, READ, tokens);
      // also where the query is wrong as well
      for (const path of ['/tickets', '/tickets?cursor=x']) {
        expect(await refused(tokens.access_token, path)).toEqual([401, 'action_not_granted']);
      }
      const body = JSON.stringify({ type: 'list', transactions: [] });
      const headers = { 'content-type': 'application/json' };
      const listing = await callFan(app, '/authorizations', tokens.access_token, { method: 'POST', headers, body });
      expect(listing.status).toBe(400);
      const userinfo = await fetch(`${app.config.authUrl}/oauth2/userinfo`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      expect((await userinfo.json()).granted_actions).toEqual([SELL]);
      expect((await refresh(app, tokens.refresh_token)).granted_actions).toEqual([SELL]);
      const [card] = await portal.get<AppAccess[]>('apps.list');
      expect(card?.access[0]?.actions).toEqual([
        { name: READ, isOn: false },
        { name: SELL, isOn: true },
      ]);
    });
  });

  describe('an action that is turned on again', () => {
    it('works at once under a token from before, after a refresh under a token from in between', async () => {
      const before = await signIn(app);
      await turn(false, READ, before);
      const between = await refresh(app, before.refresh_token);
      await turn(true, READ, before);
      expect((await callFan(app, '/tickets', before.access_token)).status).toBe(200);
      expect(await refused(between.access_token)).toEqual([401, 'action_not_granted']);
      const after = await refresh(app, between.refresh_token);
      expect(after.granted_actions).toEqual([READ, SELL]);
      expect((await callFan(app, '/tickets', after.access_token)).status).toBe(200);
    });

    it('has its place in the consent again; each is audited once, however often it is repeated', async () => {
      const tokens = await signIn(app);
      for (const isOn of [false, true]) {
        const answers = await Promise.all([1, 2, 3].map(() => turn(isOn, READ, tokens)));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      }
      const entry = { actor: `fan:${testUser(app).id}`, details: { actions: [READ] } };
      expect(await audited(tokens.grant_id)).toEqual([
        { ...entry, action: 'grant.narrowed' },
        { ...entry, action: 'grant.widened' },
      ]);
      expect(await actionsOf(tokens)).toEqual([READ, SELL]);
    });

    it.each([
      ['asked for and refused at consent', SELL],
      ['never asked for', 'fan:claims:write'],
    ])('is none that was %s: nobody gets more than was consented to', async (_, action) => {
      const tokens = await signIn(app, { actions: [READ] });
      expect((await turn(true, action, tokens)).reason).toBe('invalid_selection');
      expect(await actionsOf(tokens)).toEqual([READ]);
      expect(await audited(tokens.grant_id)).toEqual([]);
    });

    it('of several sign-ins: only of those whose consent has it', async () => {
      const [both, one] = [await signIn(app), await signIn(app, { actions: [READ] })];
      await turn(false, SELL, both, one);
      expect((await turn(true, SELL, both, one)).status).toBe(200);
      expect([await actionsOf(both), await actionsOf(one)]).toEqual([[READ, SELL], [READ]]);
      expect(await audited(one.grant_id)).toEqual([]);
    });

    it('not where the access has ended; the other sign-ins named with it change', async () => {
      const [ended, alive] = [await signIn(app), await signIn(app)];
      await turn(false, READ, ended, alive);
      await postForm(app, '/oauth2/revoke', { client_id: app.kit.client_id, token: ended.refresh_token });
      expect((await turn(true, READ, ended, alive)).status).toBe(200);
      expect([await actionsOf(ended), await actionsOf(alive)]).toEqual([[SELL], [READ, SELL]]);
      expect((await turn(true, READ, ended)).reason).toBe('not_found');
    });
  });

  it('off and on at the same instant: the audit log ends with what counts', async () => {
    const tokens = await signIn(app);
    await Promise.all([0, 1, 2, 3, 4, 5].map((i) => turn(i % 2 === 0, READ, tokens)));
    const entries = (await audited(tokens.grant_id)).map(({ action }) => action);
    const expected = entries.map((_, index) => (index % 2 === 0 ? 'grant.narrowed' : 'grant.widened'));
    expect(entries).toEqual(expected);
    expect((await actionsOf(tokens)).includes(READ)).toBe(entries.at(-1) !== 'grant.narrowed');
  });
});

describe('the receipt', () => {
  let tokens: Tokens;
  beforeEach(async () => {
    tokens = await signIn(app);
  });

  function fetchReceipt(file: string, { cookie = portal.cookie, language = 'en' } = {}) {
    const headers = { cookie, 'accept-language': language };
    return fetch(`${app.config.loginUrl}/apps/receipts/${file}`, { redirect: 'manual', headers });
  }

  const textOf = async (file: string, language?: string) =>
    (await fetchReceipt(file, language === undefined ? {} : { language })).text();

  /** What stands in the document's `<pre dir="ltr">`s. */
  function attachments(html: string): string[] {
    return [...html.matchAll(/<pre dir="ltr">(.*?)<\/pre>/gs)].map(([, text = '']) => text.replaceAll('&#34;', '"'));
  }

  describe('the document', () => {
    it('says in words who may do what; its statement verifies with the key that comes with it', async () => {
      const html = await textOf(`${tokens.grant_id}.html?timeZone=Europe/Berlin`);
      const keysUrl = `${app.config.authUrl}/.well-known/jwks.json`;
      const words = ['Receipt: ', 'See your tickets', 'All your current and future tickets', 'GMT+1'];
      for (const text of [...words, tokens.grant_id, keysUrl]) expect(html).toContain(text);
      const [statement = '', key = ''] = attachments(html);
      const keySet = createLocalJWKSet({ keys: [JSON.parse(key) as JWK] });
      const { payload } = await jwtVerify(statement, keySet, {
        typ: 'consent-receipt+jwt',
        issuer: app.config.authUrl,
      });
      expect(payload).toMatchObject({ grant_id: tokens.grant_id, sub: testUser(app).id, aud: app.kit.client_id });
    });

    it('names what is turned off, and which tickets were chosen', async () => {
      const { ticket } = await giveTicket(app, testUser(app), { mode: 'sandbox' });
      const grantIds = [tokens.grant_id];
      await portal.get('apps.turnActionOff', { grantIds, action: 'fan:listings:write' });
      await portal.get('apps.chooseTickets', { grantIds, mode: 'selected', ticketIds: [ticket.id] });
      const html = await textOf(`${tokens.grant_id}.html`);
      expect(html).toMatch(/but not allowed<\/h2>\s*<ul><li><strong><bdi>Put your tickets up for sale/);
      expect(html).not.toContain('All your current and future tickets');
    });

    it.each([
      ['de', 'Die App darf'],
      ['fr-CA', 'L’application peut'],
      ['ja', 'アプリができること'],
      ['xx', 'The app can'],
    ])('is in the language of the page (%s), or else of the browser', async (locale, text) => {
      expect(await textOf(`${tokens.grant_id}.html?locale=${locale}`)).toContain(text);
      expect(await textOf(`${tokens.grant_id}.html`, locale)).toContain(text);
    });

    it('is shown for a locale and a zone that do not exist, are given twice or as a list', async () => {
      for (const query of ['locale=%00&timeZone=Nowhere', 'locale=de&locale=fr&timeZone=a&timeZone=b', 'timeZone='])
        expect((await fetchReceipt(`${tokens.grant_id}.html?${query}`)).status).toBe(200);
    });

    it('can run no script, neither as served nor as a saved file', async () => {
      const answer = await fetchReceipt(`${tokens.grant_id}.html`);
      const policy = answer.headers.get('content-security-policy');
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'/);
      expect(policy).toMatch(/sandbox$/);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': expect.stringMatching(/^attachment; filename="receipt-[a-z0-9-]+\.html"$/),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
      });
      const html = await answer.text();
      expect(html).toContain('<meta http-equiv="Content-Security-Policy"');
      expect(html).not.toMatch(/<script|<link|<img|\son\w+=|href=/i);
    });

    it('shows hostile names of a client and an event as the text that they are', async () => {
      const hostile = `"><script>alert(1)</script><b a='&`;
      const clientId = await makeClient(app, { name: hostile });
      const { ticket } = await giveTicket(app, testUser(app), { mode: 'sandbox' });
      await app.runtime.pool.query('update event set name = $1, venue = $1', [hostile]);
      await app.runtime.pool.query(`update ticket_type set name = $1 where name = 'Standing'`, [hostile]);
      const { grant_id: id } = await signIn(app, { clientId, mode: 'selected', ticketIds: [ticket.id] });
      const answer = await fetchReceipt(`${id}.html`);
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="receipt-script-alert-1-script-b-a-[\d-]+\.html"$/,
      );
      const html = await answer.text();
      expect(html).not.toMatch(/<script|<b a=/);
      expect(html.split('&#60;script&#62;').length - 1).toBeGreaterThanOrEqual(5);
    });
  });

  it('the statement alone is there for programs', async () => {
    const answer = await fetchReceipt(`${tokens.grant_id}.jwt`);
    expect([answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      'application/jwt',
      expect.stringMatching(/^attachment; filename="receipt-.*\.jwt"$/),
    ]);
    expect(await answer.text()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });

  it('nobody else gets it, nor after the end of the access: the browser is sent to the portal', async () => {
    const file = `${tokens.grant_id}.html`;
    const { cookie } = await openPortal(app).signIn(testUser(app, 1));
    const answers = [];
    for (const other of ['', 'fan_portal=br_x', cookie]) answers.push(await fetchReceipt(file, { cookie: other }));
    await portal.get('apps.revoke', ofKit());
    for (const ended of [file, `${tokens.grant_id}.jwt`, 'grant_x.html', 'x', '%00.html'])
      answers.push(await fetchReceipt(ended));
    for (const answer of answers)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${app.config.loginUrl}/apps`]);
  });
});
