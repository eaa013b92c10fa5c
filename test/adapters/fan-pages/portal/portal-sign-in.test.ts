import { EntityManager } from '@mikro-orm/core';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Fan } from '../../../../src/entities/fan.ts';
import { FormerNumber } from '../../../../src/entities/former-number.ts';
import { PhoneChallenge } from '../../../../src/entities/phone-challenge.ts';
import { PortalSession } from '../../../../src/entities/portal-session.ts';
import { DomainError } from '../../../../src/platform/errors.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { fanOf, type NumberOwner, proveNumber } from '../../../src/sign-in/verification/long-unused.ts';
import { consent } from '../../../support/partner.ts';
import { portalCodeSent } from '../../../support/phone-challenge.ts';
import {
  enableProductionClient,
  giveTicket,
  readCodesFromLog,
  UNEXPECTED_PROVIDER,
} from '../../../support/production.ts';
import { startApp } from '../../../support/start-app.ts';
import { testApp } from '../../../support/test-app.ts';
import { otherThan, testUser } from '../login/login-calls.ts';
import { openPortal } from './portal-calls.ts';

const app = await testApp();
const productionClient = await enableProductionClient(app);
let phone: string;
let numbers = 100;
beforeEach(async () => {
  phone = `+12025550${numbers++}`;
  await registerFan(app.context(), 'production', phone);
});
afterEach(() => {
  app.resetClock();
  vi.restoreAllMocks();
});

/** A refusal takes a second, which is over at once here. */
beforeEach(() => {
  const { now } = performance;
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ahead += 1_000;
    return now.call(performance) + ahead;
  });
});

describe('signing in to the portal by phone', () => {
  it('a fan of production gets a code and is in', async () => {
    const codeFor = readCodesFromLog(app);
    const portal = openPortal(app);
    await portal.get('phone.sendCode', { phone });
    expect(await portal.get('session.get')).toMatchObject({ step: 'code', triesLeft: 5 });
    await portalCodeSent(app, phone);
    await portal.get('phone.verifyCode', { code: codeFor(phone) });
    expect(await portal.get('session.get')).toMatchObject({ step: 'open', mode: 'production' });
  });

  it('a test user is in with the static code; nothing is sent', async () => {
    app.runtime.verification = UNEXPECTED_PROVIDER;
    const portal = await openPortal(app).signIn(testUser(app));
    expect(await portal.get('session.get')).toMatchObject({ step: 'open', mode: 'sandbox' });
  });

  it('a number that nobody has: nothing is sent, nobody is registered, no code is right', async () => {
    app.runtime.verification = UNEXPECTED_PROVIDER;
    const unknown = '+12025559999';
    const portal = openPortal(app);
    await portal.get('phone.sendCode', { phone: unknown });
    expect((await portal.call('phone.verifyCode', { code: '123456' })).reason).toBe('wrong_code');
    expect(await app.context().em.count(Fan, { phone: unknown })).toBe(0);
  });

  it('answers do not disclose who has a number: same words for a fan’s, a test user’s and nobody’s', async () => {
    vi.restoreAllMocks();
    readCodesFromLog(app);
    const told = [];
    for (const number of [phone, testUser(app).phone, '+12025559998']) {
      const portal = openPortal(app);
      const sent = await portal.call('phone.sendCode', { phone: number });
      const visit = await portal.get<{ phone: string }>('session.get');
      const started = performance.now();
      const refused = await portal.call('phone.verifyCode', { code: otherThan(testUser(app).code) });
      // where no provider is asked the answer takes as long as where one is
      expect(performance.now() - started).toBeGreaterThan(950);
      told.push({
        sent: [sent.status, Object.keys(sent.data as object)],
        visit: Object.keys(visit),
        masked: visit.phone.replace(/\d{4}$/, ''),
        refused: [refused.status, refused.error?.message],
      });
    }
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  it('a provider that fails is not disclosed: the answer is that of an unknown number', async () => {
    app.runtime.verification = {
      ...UNEXPECTED_PROVIDER,
      send: () => Promise.reject(new Error('the provider is down')),
    };
    expect((await openPortal(app).call('phone.sendCode', { phone })).status).toBe(200);
  });

  it.each(['code_expired', 'too_many_tries', 'rate_limited'] as const)(
    'a provider that says %s is not disclosed: the code is wrong, as for an unknown number',
    async (code) => {
      app.runtime.verification = {
        ...UNEXPECTED_PROVIDER,
        send: async () => 'reference',
        check: () => Promise.reject(new DomainError(code, 'By the provider.')),
      };
      const told = [];
      const ownTimes = { phone: '', resendAt: '', expiresAt: '' };
      for (const number of [phone, '+12025559997']) {
        const portal = openPortal(app);
        await portal.get('phone.sendCode', { phone: number });
        if (number === phone) await portalCodeSent(app, phone);
        const { reason } = await portal.call('phone.verifyCode', { code: '123456' });
        told.push({ reason, ...(await portal.get('session.get')), ...ownTimes });
      }
      expect(told[0]).toMatchObject({ reason: 'wrong_code', triesLeft: 4 });
      expect(told[1]).toEqual(told[0]);
    },
  );

  it('a code that goes out late for the number before counts for nothing under the next one', async () => {
    const [goingOut, goOut] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    app.runtime.verification = {
      ...UNEXPECTED_PROVIDER,
      async send(number) {
        if (number !== phone) return number;
        goingOut.resolve();
        await goOut.promise;
        return number;
      },
    };
    const portal = openPortal(app);
    await portal.get('phone.sendCode', { phone });
    await goingOut.promise;
    await portal.get('phone.sendCode', { phone: '+12025559996' });
    using updates = vi.spyOn(EntityManager.prototype, 'nativeUpdate');
    goOut.resolve();
    const written = () => updates.mock.calls.findIndex(([, , data]) => 'reference' in data && data.reference === phone);
    await expect.poll(() => updates.mock.settledResults[written()]?.type).toBe('fulfilled');
    const visit = await app.context().em.findOneOrFail(PhoneChallenge, { phone: '+12025559996' });
    expect(visit.reference).toBeNull();
  });

  it('after ten minutes the sign-in is over, and even the right code opens nothing', async () => {
    const { code } = testUser(app);
    const portal = openPortal(app);
    await portal.get('phone.sendCode', { phone: testUser(app).phone });
    app.advance(601);
    expect(await portal.get('session.get')).toEqual({ step: 'phone' });
    expect((await portal.call('phone.verifyCode', { code })).reason).toBe('session_not_found');
  });

  it('five wrong codes and this sign-in is over', async () => {
    const { code } = testUser(app, 1);
    const portal = openPortal(app);
    await portal.get('phone.sendCode', { phone: testUser(app, 1).phone });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => portal.call('phone.verifyCode', { code: otherThan(code) })),
    );
    const reasons = answers.map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'wrong_code')).toHaveLength(4);
    expect(reasons).toContain('too_many_tries');
    expect(reasons.filter((reason) => reason === undefined)).toEqual([]);
    expect((await portal.call('phone.verifyCode', { code })).reason).toBe('session_not_found');
  });
});

describe('the visit', () => {
  it('is known by a cookie that no script reads and no other site sends, stored hashed, new once the phone is verified', async () => {
    const portal = openPortal(app);
    await portal.get('phone.sendCode', { phone: testUser(app).phone });
    const planted = portal.cookie;
    await portal.get('phone.verifyCode', { code: testUser(app).code });
    expect(portal.setCookie).toMatch(/^fan_portal=br_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(portal.cookie).not.toBe(planted);
    const { em } = app.context();
    const rows = [await em.find(PhoneChallenge, {}), await em.find(PortalSession, {})];
    expect(JSON.stringify(rows)).not.toContain(portal.cookie.split('=')[1]);
    const thief = openPortal(app);
    thief.cookie = planted;
    expect((await thief.call('apps.list')).reason).toBe('session_not_found');
  });

  it('on https the cookie is Secure and belongs to this host alone', async () => {
    const host = 'https://tickets.example';
    const env = { AUTH_URL: host, API_URL: `${host}/fan`, LOGIN_URL: `${host}/login`, ADMIN_URL: `${host}/admin` };
    const secure = await startApp({ env });
    onTestFinished(() => secure.stop());
    const answer = await fetch(`${secure.origin}/login/apps/trpc/phone.sendCode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone: testUser(secure).phone }),
    });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([
      200,
      [expect.stringMatching(/^__Host-fan_portal=br_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)],
    ]);
  });

  it('ends after 30 minutes without a call, or 12 hours in any case', async () => {
    const portal = await openPortal(app).signIn(testUser(app));
    app.advance(29 * 60);
    expect((await portal.call('apps.list')).status).toBe(200);
    app.advance(29 * 60);
    expect((await portal.call('apps.list')).status).toBe(200);
    app.advance(30 * 60);
    expect((await portal.call('apps.list')).reason).toBe('session_not_found');
    app.resetClock();
    const long = await openPortal(app).signIn(testUser(app));
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      app.advance(20 * 60);
      expect((await long.call('apps.list')).status).toBe(200);
    }
    app.advance(20 * 60);
    expect((await long.call('apps.list')).reason).toBe('session_not_found');
  });

  it('ends when the fan signs out, for every copy of the cookie', async () => {
    const portal = await openPortal(app).signIn(testUser(app));
    const copy = openPortal(app);
    copy.cookie = portal.cookie;
    await portal.get('session.end');
    expect(portal.setCookie).toMatch(/^fan_portal=; .*Max-Age=0/);
    expect((await copy.call('apps.list')).reason).toBe('session_not_found');
  });

  it('takes no call that another site’s page caused', async () => {
    const { cookie } = await openPortal(app).signIn(testUser(app));
    const foreign: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
    for (const headers of foreign) {
      const abused = openPortal(app, headers);
      abused.cookie = cookie;
      expect((await abused.call('apps.revokeAll')).status).toBe(403);
    }
  });

  it.each([
    'apps.list',
    'apps.ticketOptions',
    'apps.turnActionOff',
    'apps.turnActionOn',
    'apps.chooseTickets',
    'apps.revoke',
    'apps.revokeAll',
    'history.list',
  ])('%s is for a fan who is signed in', async (procedure) => {
    const input = {
      grantId: 'grant_x',
      grantIds: ['grant_x'],
      clientId: 'client_x',
      action: 'fan:read',
      mode: 'selected',
    };
    expect((await openPortal(app).call(procedure, input)).reason).toBe('session_not_found');
  });
});

describe('D-078: a fan changes the number at the portal', () => {
  let owner: NumberOwner;
  let numbers = 7000;
  const newPhone = () => `+1404555${numbers++}`;
  let phone: string;
  let to: string;
  /** Of a fan of the number, at the portal. */
  let browser: ReturnType<typeof openPortal>;
  beforeEach(async () => {
    owner = { app, client: productionClient, codeFor: readCodesFromLog(app) };
    [phone, to] = [newPhone(), newPhone()];
    await proveNumber(owner, phone);
    app.advance(31);
    browser = await enter();
  });

  async function enter() {
    owner.codeFor = readCodesFromLog(app);
    const visit = openPortal(app);
    await visit.get('phone.sendCode', { phone });
    await portalCodeSent(app, phone);
    await visit.get('phone.verifyCode', { code: owner.codeFor(phone) });
    return visit;
  }

  it('with the old number and the new one proved; everything else stays, and other visits end', async () => {
    const fan = await fanOf(app, phone);
    await giveTicket(app, fan);
    app.advance(31);
    const another = await enter();
    await browser.get('number.sendCode', { phone: to });
    expect(await browser.get('number.verifyCode', { code: owner.codeFor(to) })).toEqual({ changed: true });
    expect((await fanOf(app, to)).id).toBe(fan.id);
    // the right code’s try is given back (D-070)
    const change = await app.context().em.findOneOrFail(PhoneChallenge, { phone: to });
    expect(change).toMatchObject({ step: 'phone', wrongTries: 0, triesUnderWay: 0 });
    expect(await browser.get('session.get')).toMatchObject({ step: 'open', phone: `+1 ••• ••• ${to.slice(-4)}` });
    expect((await another.call('apps.list')).reason).toBe('session_not_found');
    expect(await app.context().em.findOneOrFail(FormerNumber, { phone })).toMatchObject({ reason: 'changed_by_fan' });
    app.advance(31);
    expect((await proveNumber(owner, to)).step).toBe('consent');
    await proveNumber(owner, phone);
    expect((await fanOf(app, phone)).id).not.toBe(fan.id);
  });

  it('not without the new number’s code, of which five wrong ones are too many', async () => {
    const fan = await fanOf(app, phone);
    expect((await browser.call('number.verifyCode', { code: '123456' })).reason).toBe('code_expired');
    await browser.get('number.sendCode', { phone: to });
    const wrong = otherThan(owner.codeFor(to));
    for (let tries = 0; tries < 4; tries++)
      expect((await browser.call('number.verifyCode', { code: wrong })).reason).toBe('wrong_code');
    expect((await browser.call('number.verifyCode', { code: wrong })).reason).toBe('too_many_tries');
    expect((await browser.call('number.verifyCode', { code: owner.codeFor(to) })).reason).toBe('too_many_tries');
    expect((await fanOf(app, phone)).id).toBe(fan.id);
  });

  it('not with a sign-in of more than ten minutes ago, neither the sending nor the change', async () => {
    await browser.get('number.sendCode', { phone: to });
    app.advance(570);
    const late = newPhone();
    await browser.get('number.sendCode', { phone: late });
    app.advance(31);
    expect((await browser.call('number.verifyCode', { code: owner.codeFor(late) })).reason).toBe(
      'fresh_sign_in_required',
    );
    expect((await browser.call('number.sendCode', { phone: to })).reason).toBe('fresh_sign_in_required');
  });

  it('an empty account gives its number up; one with a ticket or an app keeps it, and nothing changes', async () => {
    await proveNumber(owner, to);
    const empty = await fanOf(app, to);
    app.advance(31);
    const fan = await fanOf(app, phone);
    await browser.get('number.sendCode', { phone: to });
    await browser.get('number.verifyCode', { code: owner.codeFor(to) });
    expect((await fanOf(app, to)).id).toBe(fan.id);
    expect((await app.context().em.findOneOrFail(FormerNumber, { fan: empty.id })).phone).toBe(to);
    const [withTicket, withApp] = [newPhone(), newPhone()];
    await proveNumber(owner, withTicket);
    await giveTicket(app, await fanOf(app, withTicket));
    await consent(app, await proveNumber(owner, withApp), { actions: [] });
    for (const taken of [withTicket, withApp]) {
      app.advance(31);
      await browser.get('number.sendCode', { phone: taken });
      expect((await browser.call('number.verifyCode', { code: owner.codeFor(taken) })).reason, taken).toBe(
        'number_taken',
      );
      expect((await fanOf(app, taken)).id).not.toBe(fan.id);
      expect((await fanOf(app, to)).id).toBe(fan.id);
    }
  });

  it('of several at once, one takes place', async () => {
    await browser.get('number.sendCode', { phone: to });
    const code = owner.codeFor(to);
    const answers = await Promise.all([1, 2, 3].map(() => browser.call('number.verifyCode', { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.context().em.count(FormerNumber, { phone })).toBe(1);
  });

  it('sending has the limits of sign-ins: a pause for the same number, five codes for a visit', async () => {
    await browser.get('number.sendCode', { phone: to });
    expect((await browser.call('number.sendCode', { phone: to })).reason).toBe('resend_too_soon');
    for (let more = 0; more < 4; more++) await browser.get('number.sendCode', { phone: newPhone() });
    expect((await browser.call('number.sendCode', { phone: newPhone() })).reason).toBe('rate_limited');
    expect((await browser.call('number.sendCode', { phone })).reason).toBe('invalid_phone');
  });

  it('a test user keeps its number', async () => {
    const visit = await openPortal(app).signIn(testUser(app));
    expect(await visit.get('session.get')).toMatchObject({ mode: 'sandbox', numberChangeUntil: null });
    expect((await visit.call('number.sendCode', { phone: to })).reason).toBe('conflict');
  });
});
