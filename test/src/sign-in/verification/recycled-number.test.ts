import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { CustodyMove } from '../../../../src/entities/custody-move.ts';
import { Fan } from '../../../../src/entities/fan.ts';
import { FormerNumber } from '../../../../src/entities/former-number.ts';
import { Passkey } from '../../../../src/entities/passkey.ts';
import { Permit } from '../../../../src/entities/permit.ts';
import { Ticket } from '../../../../src/entities/ticket.ts';
import { Wallet } from '../../../../src/entities/wallet.ts';
import { liftKillSwitch, setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { registerFan } from '../../../../src/sign-in/fan/register-fan.ts';
import { readHistory } from '../../../../src/sign-in/portal/read-history.ts';
import { findSupportCode } from '../../../../src/sign-in/verification/continuity.ts';
import { testUser } from '../../../adapters/fan-pages/login/login-calls.ts';
import { openPortal } from '../../../adapters/fan-pages/portal/portal-calls.ts';
import { freezeClock } from '../../../support/freeze-clock.ts';
import { authorize, callLogin, consent, login, verifyPhone } from '../../../support/partner.ts';
import { portalCodeSent } from '../../../support/phone-challenge.ts';
import { enableProductionClient, giveTicket, readCodesFromLog } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { DAY, fanOf, longUnused, type NumberOwner, proveNumber } from './long-unused.ts';

const app = await testApp();
const second = await testApp({ databaseUrl: app.config.databaseUrl ?? '' });
const client = await enableProductionClient(app);
let owner: NumberOwner;
let phone: string;
let numbers = 100;
beforeEach(() => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  phone = `+12025550${numbers++}`;
});
afterEach(() => {
  app.resetClock();
  second.resetClock();
});

const reasonOf = async (...call: Parameters<typeof callLogin>) => (await callLogin(...call)).error?.data.reason;

describe('D-073: a number that its fan has not proved for 365 days opens no account that was used', () => {
  it('the right code stops at “continuity”: nobody is signed in, and nothing of the account is shown', async () => {
    const fan = await longUnused(owner, phone, { eventName: 'Secret Show' });
    const started = await proveNumber(owner, phone);
    expect(started.step).toBe('continuity');
    const session = await app.context().em.findOneOrFail(AuthorizationSession, knownId('sess', started.sessionId));
    expect(session).toMatchObject({ step: 'continuity', fan: null, authenticatedAt: null });
    const told = await login(app, started, 'session.get');
    expect(told).toMatchObject({ step: 'continuity', phone: `+1 ••• ••• ${phone.slice(-4)}`, verifiedAt: null });
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`${fan.id}|Secret Show|${phone.slice(1)}`));
    for (const call of ['consent.options', 'consent.grant', 'passkey.begin', 'phone.change'])
      expect(await reasonOf(app, started, call, call === 'consent.grant' ? { actions: [] } : {}), call).toBe(
        'wrong_step',
      );
  });

  it('a day less opens it, each proof begins the time again, and it ends exactly 365 days after the last', async () => {
    using clock = freezeClock(app);
    await proveNumber(owner, phone);
    await giveTicket(app, await fanOf(app, phone), { startsAt: new Date(Date.now() + 3000 * DAY * 1000) });
    for (let proofs = 0; proofs < 3; proofs++) {
      clock.pass(364 * DAY);
      expect((await proveNumber(owner, phone)).step).toBe('consent');
    }
    clock.pass(365 * DAY);
    expect((await proveNumber(owner, phone)).step).toBe('continuity');
  });

  it.each([
    ['a ticket for an event to come', (fan: Fan) => giveTicket(app, fan)],
    ['a ticket of the past', (fan: Fan) => giveTicket(app, fan, { startsAt: new Date('2026-01-05T20:00:00Z') })],
    ['a ticket whose permit is still to be issued', giveUnissued],
    ['a ticket whose permit is revoked', giveRevoked],
    ['an app', () => openApp()],
    ['an app whose access has ended: its history', async () => endGrants(await openApp())],
    ['a passkey, which would open it later', givePasskey],
    ['a ticket that was moved away: its history', moveAway],
  ])('asked about: an account with %s', async (_, fill) => {
    const { fan, step } = await neverUsed();
    expect(step).toBe('consent');
    await fill(fan);
    app.advance(366 * DAY);
    const started = await proveNumber(owner, phone);
    expect(started.step).toBe('continuity');
    // and the new account has nothing of it
    await login(app, started, 'continuity.startNew');
    const own = await fanOf(app, phone);
    expect(own.id).not.toBe(fan.id);
    expect(await readHistory(app.context(), own.id)).toEqual({ entries: [], before: null });
    expect(await app.context().em.count(Passkey, { fan: own.id })).toBe(0);
  });

  it('an account in which nothing is opens: there is nothing to see or to get', async () => {
    const { fan } = await neverUsed();
    app.advance(400 * DAY);
    expect((await proveNumber(owner, phone)).step).toBe('consent');
    expect((await fanOf(app, phone)).id).toBe(fan.id);
  });

  /** A fan who proved the number and allowed nothing. */
  async function neverUsed() {
    const { step } = await proveNumber(owner, phone);
    app.advance(31);
    return { fan: await fanOf(app, phone), step };
  }

  /** @returns the number of an account that an app may act for */
  async function openApp(): Promise<string> {
    await consent(app, await proveNumber(owner, phone), { actions: [] });
    return phone;
  }

  async function endGrants(of: string): Promise<void> {
    const { id } = await fanOf(app, of);
    await app.context().em.nativeUpdate(ConsentGrant, { fan: id }, { revokedAt: app.runtime.now() });
  }

  /** Somebody signed in and allowed an app, in a time from which no proof is on record. */
  async function giveGrant(fan: Fan): Promise<void> {
    const other = `+14045550${numbers++}`;
    await consent(app, await proveNumber(owner, other), { actions: [] });
    const from = await fanOf(app, other);
    await app.context().em.nativeUpdate(ConsentGrant, { fan: from.id }, { fan: fan.id });
  }

  async function giveUnissued(fan: Fan): Promise<void> {
    const { permit } = await giveTicket(app, fan);
    await app.context().em.nativeDelete(Permit, { id: permit.id });
  }

  async function giveRevoked(fan: Fan): Promise<void> {
    const { permit } = await giveTicket(app, fan);
    await app.context().em.nativeUpdate(Permit, { id: permit.id }, { revokedAt: app.runtime.now() });
  }

  async function givePasskey(fan: Fan): Promise<void> {
    const { em, now } = app.context();
    const device = { counter: 0, transports: ['internal'], rpId: 'localhost', name: 'Chrome 150 on Android' };
    em.create(Passkey, { fan: fan.id, credentialId: phone, publicKey: 'none', ...device, createdAt: now() });
    await em.flush();
  }

  async function moveAway(fan: Fan): Promise<void> {
    const { permit } = await giveTicket(app, await registerFan(app.context(), 'production', `+1404555${numbers++}`));
    const { em, now } = app.context();
    const times = { retryAt: now(), createdAt: now(), endedAt: now() };
    const way = { fromWallet: 'f'.repeat(44), fromFan: fan.id, destination: 'd'.repeat(44), origin: 'test' };
    em.create(CustodyMove, { mode: 'production', permit, kind: 'transfer', state: 'done', ...way, ...times });
    await em.flush();
  }

  it('an account that only the company has named opens, however long ago that was: nobody has used it', async () => {
    const fan = await registerFan(app.context(), 'production', phone);
    await giveTicket(app, fan, { startsAt: new Date(Date.now() + 3000 * DAY * 1000) });
    app.advance(1000 * DAY);
    expect((await proveNumber(owner, phone)).step).toBe('consent');
    expect((await fanOf(app, phone)).id).toBe(fan.id);
    // from the first proof on somebody has used it
    app.advance(366 * DAY);
    expect((await proveNumber(owner, phone)).step).toBe('continuity');
  });

  it.each([
    ['an app', (fan: Fan) => giveGrant(fan)],
    ['a passkey', givePasskey],
  ])('an account without a proof on record was used where it has %s', async (_, fill) => {
    const fan = await registerFan(app.context(), 'production', phone);
    await fill(fan);
    app.advance(366 * DAY);
    expect((await proveNumber(owner, phone)).step).toBe('continuity');
  });

  it('test users of a sandbox are never asked', async () => {
    const user = testUser(app);
    await verifyPhone(app, await authorize(app));
    app.advance(366 * DAY);
    await giveTicket(app, { id: user.id }, { mode: 'sandbox' });
    const started = await authorize(app);
    await verifyPhone(app, started);
    expect(await login(app, started, 'session.get')).toMatchObject({ step: 'consent' });
  });
});

describe('D-073: a new account', () => {
  it('takes the number; the fan before keeps tickets, wallet, grants and the number as a former one', async () => {
    const grant = await proveNumber(owner, phone);
    await consent(app, grant, { actions: [] });
    const before = await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    expect(await login(app, started, 'continuity.startNew')).toEqual({ step: 'consent' });
    const { em } = app.context();
    const fan = await fanOf(app, phone);
    expect(fan.id).not.toBe(before.id);
    expect(await em.count(Wallet, { fan: fan.id })).toBe(1);
    expect(await login(app, started, 'consent.options')).toMatchObject({ tickets: [] });
    expect(await em.findOneOrFail(Fan, { id: before.id })).toMatchObject({ phone: null });
    expect(await em.count(Ticket, { owner: before.id })).toBe(1);
    expect(await em.count(ConsentGrant, { fan: before.id, revokedAt: null })).toBe(1);
    expect(await em.findOneOrFail(FormerNumber, { fan: before.id })).toMatchObject({ phone, reason: 'new_account' });
    const entry = await em.findOneOrFail(AuditEntry, { subject: before.id, action: 'fan.number_given_up' });
    expect(JSON.stringify(entry.details)).not.toContain(phone.slice(1));
    // the number is the new fan's, and proved
    app.advance(31);
    expect((await proveNumber(owner, phone)).step).toBe('consent');
  });

  it('of many tabs in two processes at once, one begins it, and all sign in to the same', async () => {
    const before = await longUnused(owner, phone);
    second.advance(366 * DAY);
    const tabs = [];
    for (let tab = 0; tab < 6; tab++) {
      tabs.push(await proveNumber(owner, phone));
      app.advance(31);
    }
    second.advance(6 * 31);
    const fans = await app.context().em.count(Fan, { mode: 'production' });
    const answers = await Promise.all(
      tabs.map((tab, index) => callLogin(index % 2 ? second : app, tab, 'continuity.startNew')),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { em } = app.context();
    const sessions = await em.find(AuthorizationSession, { id: tabs.map((tab) => knownId('sess', tab.sessionId)) });
    const fan = await fanOf(app, phone);
    expect(new Set(sessions.map((session) => session.fan?.id))).toEqual(new Set([fan.id]));
    expect(fan.id).not.toBe(before.id);
    expect(await em.count(FormerNumber, { phone })).toBe(1);
    expect(await em.count(Fan, { mode: 'production' })).toBe(fans + 1);
  });

  it('is not begun where the number is in doubt no more: the sign-in opens the account', async () => {
    const before = await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    await app.context().em.nativeUpdate(Fan, { id: before.id }, { numberProvedAt: app.runtime.now() });
    await login(app, started, 'continuity.startNew');
    expect((await fanOf(app, phone)).id).toBe(before.id);
    expect(await app.context().em.count(FormerNumber, { phone })).toBe(0);
  });

  it('is not begun before the number is proved, nor in a sign-in that has moved on', async () => {
    const before = await longUnused(owner, phone);
    const started = await authorize(app, client);
    expect(await reasonOf(app, started, 'continuity.startNew')).toBe('wrong_step');
    await login(app, started, 'phone.sendCode', { phone });
    expect(await reasonOf(app, started, 'continuity.startNew')).toBe('wrong_step');
    expect(await reasonOf(app, started, 'continuity.askSupport')).toBe('wrong_step');
    expect((await fanOf(app, phone)).id).toBe(before.id);
    await login(app, started, 'phone.verifyCode', { code: owner.codeFor(phone) });
    await login(app, started, 'continuity.startNew');
    expect(await reasonOf(app, started, 'continuity.startNew')).toBe('wrong_step');
  });

  it('is no way around a kill switch', async () => {
    const before = await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    const target = { kind: 'fan', fanId: before.id } as const;
    await setKillSwitch(app.context(), target, 'fraud', 'staff:test');
    expect(await reasonOf(app, started, 'continuity.startNew')).toBe('fan_stopped');
    app.advance(31);
    const another = await authorize(app, client);
    await login(app, another, 'phone.sendCode', { phone });
    expect(await reasonOf(app, another, 'phone.verifyCode', { code: owner.codeFor(phone) })).toBe('fan_stopped');
    expect((await fanOf(app, phone)).id).toBe(before.id);
    await liftKillSwitch(app.context(), target, 'cleared', 'staff:test');
  });
});

it('D-073: support finds the account by a code that the holder of the number reads out', async () => {
  const fan = await longUnused(owner, phone);
  const started = await proveNumber(owner, phone);
  const { code } = await login<{ code: string }>(app, started, 'continuity.askSupport');
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
  expect(await login(app, started, 'continuity.askSupport')).toEqual({ code });
  for (const typed of [code, code.toLowerCase(), code.replace('-', ' '), code.replace('-', '')])
    expect((await findSupportCode(app.context(), typed))?.fan.id).toBe(fan.id);
  app.advance(8 * DAY);
  expect(await findSupportCode(app.context(), code)).toBeUndefined();
});

describe('D-073: the portal', () => {
  /** A visit whose code has come: it is sent behind the answer. */
  async function visit() {
    owner.codeFor = readCodesFromLog(app);
    const browser = openPortal(app);
    await browser.get('phone.sendCode', { phone });
    await portalCodeSent(app, phone);
    return browser;
  }

  it('asks too, shows nothing of the account, and begins a new one', async () => {
    const before = await longUnused(owner, phone);
    const browser = await visit();
    expect(await browser.get('phone.verifyCode', { code: owner.codeFor(phone) })).toEqual({ step: 'continuity' });
    expect(await browser.get('session.get')).toEqual({
      step: 'continuity',
      phone: `+1 ••• ••• ${phone.slice(-4)}`,
      unprovedSince: expect.any(String),
    });
    for (const call of ['apps.list', 'history.list', 'passkeys.list'])
      expect((await browser.call(call)).reason, call).toBe('session_not_found');
    const atContinuity = browser.cookie;
    await browser.get('continuity.startNew');
    expect(browser.cookie).not.toBe(atContinuity);
    expect(await browser.get('apps.list')).toEqual([]);
    expect((await fanOf(app, phone)).id).not.toBe(before.id);
  });

  it('opens an account whose number was proved lately', async () => {
    await proveNumber(owner, phone);
    await giveTicket(app, await fanOf(app, phone));
    app.advance(31);
    const browser = await visit();
    expect(await browser.call('phone.verifyCode', { code: owner.codeFor(phone) })).toMatchObject({
      data: { step: 'open' },
    });
  });
});
