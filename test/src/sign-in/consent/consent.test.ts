import { afterEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { ALL_SCOPES } from '../../../../src/partners/scopes.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { uuidOf } from '../../../../src/platform/identifier/type-id.ts';
import { expectRefused, testUser, verified } from '../../../adapters/fan-pages/login/login-calls.ts';
import { makeClient } from '../../../support/make-client.ts';
import * as partner from '../../../support/partner.ts';
import { callFan, callLogin, consent, login, type Started, signIn } from '../../../support/partner.ts';
import { giveTicket } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { waitingForALock } from '../../../support/waiting-for-a-lock.ts';

const app = await testApp({ env: { ACCESS_TOKEN_TTL: '600' } });
afterEach(() => app.resetClock());

const ASKED = ['fan:tickets:read', 'fan:listings:write'];

interface Options {
  actions: string[];
  tickets: { id: string; eventName: string; ticketTypeName: string; startsAt: string; venue: string | null }[];
}

function options(started: Started) {
  return login<Options>(app, started, 'consent.options');
}

function grant(started: Started, input: object) {
  return callLogin(app, started, 'consent.grant', input);
}

const exchange = (started: Started, callback: URL) =>
  partner.exchange(app, { ...started, code: callback.searchParams.get('code') ?? '' });

describe('spec §5.7: what is offered', () => {
  it('the action scopes of the request, in its order, and no standard scope', async () => {
    const clientId = await makeClient(app, { scopes: [...ALL_SCOPES] });
    const scope = 'openid fan:listings:write profile fan:claims:write fan:read';
    const started = await verified(app, { clientId, scope });
    expect((await options(started)).actions).toEqual(['fan:listings:write', 'fan:claims:write', 'fan:read']);
  });

  it('the fan’s future tickets with event, type and date, as the Fan API orders them', async () => {
    const started = await verified(app);
    const { tickets } = await options(started);
    expect(tickets[0]).toEqual({
      id: expect.stringMatching(/^tkt_/),
      eventName: 'Northern Lights Festival',
      ticketTypeName: expect.any(String),
      startsAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT18:00:00Z$/),
      timeZone: 'Europe/Berlin',
      venue: 'Harbour Park',
      resale: null,
    });
    const { access_token: token } = await signIn(app);
    const { body } = await callFan(app, '/tickets', token);
    expect(tickets.map(({ id }) => id)).toEqual((body.tickets as { id: string }[]).map(({ id }) => id));
  });

  it('no ticket of a past event', async () => {
    app.advance(33 * 86_400);
    expect((await options(await verified(app))).tickets.map(({ eventName }) => eventName)).toEqual([
      'The Paper Lanterns, Live',
      'City Derby',
    ]);
  });
});

describe('spec §5.7: what may be granted', () => {
  it.each<[string, { actions: string[]; mode?: string; ticketIds?: string[] }]>([
    ['an action beyond the original scope', { actions: [...ASKED, 'fan:cart:write'] }],
    ['an action twice', { actions: ['fan:tickets:read', 'fan:tickets:read'] }],
    ['a standard scope as an action', { actions: ['openid'] }],
    ['an action in another case', { actions: ['FAN:TICKETS:READ'] }],
    ['selected with no ticket', { actions: ASKED, mode: 'selected', ticketIds: [] }],
    ['all tickets and single ones', { actions: ASKED, mode: 'all_current_future', ticketIds: ['OWN'] }],
    ['a ticket twice', { actions: ASKED, mode: 'selected', ticketIds: ['OWN', 'OWN'] }],
    ['a ticket of another fan', { actions: ASKED, mode: 'selected', ticketIds: ['OWN', 'FOREIGN'] }],
    ['a ticket of a past event', { actions: ASKED, mode: 'selected', ticketIds: ['PAST'] }],
    ['a text that is no ticket', { actions: ASKED, mode: 'selected', ticketIds: ["' or true --"] }],
  ])('not %s: nothing is granted', async (_, choice) => {
    const started = await verified(app);
    const own = (await options(started)).tickets[0]?.id ?? '';
    const foreign = (await giveTicket(app, testUser(app, 1), { mode: 'sandbox' })).ticket.id;
    const startsAt = new Date('2026-01-01T00:00:00Z');
    const past = (await giveTicket(app, testUser(app), { mode: 'sandbox', startsAt })).ticket.id;
    const named: Record<string, string> = { OWN: own, FOREIGN: foreign, PAST: past };
    const ticketIds = choice.ticketIds?.map((id) => named[id] ?? id);
    const { em } = app.context();
    const before = await em.count(ConsentGrant);
    const given = { ...choice, ...(ticketIds && { ticketIds }) };
    const { status } = await expectRefused(app, started, 'consent.grant', given, 'invalid_selection');
    expect(status).toBe(400);
    expect(await em.count(ConsentGrant)).toBe(before);
    expect((await login(app, started, 'session.get')).step).toBe('consent');
  });

  it('the mode and the tickets are kept with the grant', async () => {
    const started = await verified(app);
    const ids = (await options(started)).tickets.slice(0, 2).map(({ id }) => id);
    const tokens = await exchange(started, await consent(app, started, { mode: 'selected', ticketIds: ids }));
    expect(tokens.grant_mode).toBe('selected');
    const { body } = await callFan(app, '/tickets', tokens.access_token);
    expect((body.tickets as { id: string }[]).map(({ id }) => id)).toEqual(ids);
  });
});

describe('consent ends the session', () => {
  it('once: of five consents that meet at the session’s row one gives a code and one grant is kept', async () => {
    const started = await verified(app);
    const { em } = app.context();
    const before = await em.count(ConsentGrant);
    const answers = await em.fork().transactional(async (holder) => {
      await holder.execute('select 1 from authorization_session where id = ? for update', [
        uuidOf('sess', knownId('sess', started.sessionId)),
      ]);
      const calls = Array.from({ length: 5 }, () => grant(started, { actions: ASKED }));
      await expect.poll(() => waitingForALock(app), { timeout: 10_000 }).toBe(5);
      return { calls };
    });
    const settled = await Promise.all(answers.calls);
    expect(settled.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = settled.filter(({ status }) => status !== 200).map(({ error }) => error?.data.reason);
    expect(new Set(refused)).toEqual(new Set(['wrong_step']));
    expect(await em.count(ConsentGrant)).toBe(before + 1);
  });

  it('the grant is audited with its change: who, which client, which actions', async () => {
    const started = await verified(app);
    const tokens = await exchange(started, await consent(app, started));
    const { em } = app.context();
    const entry = await em.findOneOrFail(AuditEntry, { action: 'grant.given', subject: tokens.grant_id });
    expect(entry.actor).toBe(`fan:${testUser(app).id}`);
    expect(entry.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(entry.details).toEqual({
      client: app.kit.client_id,
      actions: ASKED,
      mode: 'all_current_future',
      tickets: [],
    });
  });
});
