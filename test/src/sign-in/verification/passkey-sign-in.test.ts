import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { Passkey } from '../../../../src/entities/passkey.ts';
import { TestUser } from '../../../../src/entities/test-user.ts';
import { setKillSwitch } from '../../../../src/partners/kill-switch/kill-switch.ts';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { removePasskey } from '../../../../src/sign-in/passkey/own-passkeys.ts';
import { verified } from '../../../adapters/fan-pages/login/login-calls.ts';
import { openPortal } from '../../../adapters/fan-pages/portal/portal-calls.ts';
import { authorize, callLogin, consent, exchange, login, refresh, type Started } from '../../../support/partner.ts';
import { challengeOf, portalCodeSent } from '../../../support/phone-challenge.ts';
import { enableProductionClient, readCodesFromLog } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';
import { DAY, fanOf, longUnused, type NumberOwner, proveNumber } from './long-unused.ts';
import { type Bend, type SoftAuthenticator, softAuthenticator } from './soft-authenticator.ts';

const app = await testApp({ env: { PASSKEY_SIGN_IN: 'true' } });
const client = await enableProductionClient(app);
let owner: NumberOwner;
let phone: string;
let numbers = 1000;
/** A number that no other test of this file has. */
const newPhone = () => `+1404555${numbers++}`;
beforeEach(() => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  phone = newPhone();
});
afterEach(() => app.resetClock());

type Options = Parameters<SoftAuthenticator['create']>[0] & Parameters<SoftAuthenticator['get']>[0];

async function addPasskey(started: Pick<Started, 'cookie' | 'sessionId'>, bend: Bend = {}) {
  const device = softAuthenticator(app.origin);
  const made = device.create(await login<Options>(app, started, 'passkey.begin'), bend);
  return { device, made, answer: await callLogin(app, started, 'passkey.add', made) };
}

async function present(device: SoftAuthenticator, started: Started, bend: Bend = {}) {
  const options = await login<Options>(app, started, 'passkey.ask');
  return callLogin(app, started, 'passkey.answer', device.get(options, bend));
}

async function withPasskey() {
  const started = await proveNumber(owner, phone);
  const { device, answer } = await addPasskey(started);
  expect(answer.status).toBe(200);
  return { device, fan: await fanOf(app, phone) };
}

async function newestPasskey() {
  const [passkey] = await app.context().em.find(Passkey, {}, { orderBy: { id: 'desc' }, limit: 1 });
  return passkey!.id;
}

const production = () => authorize(app, client);
const reasonOf = async (started: Started, procedure: string, input?: object) =>
  (await callLogin(app, started, procedure, input)).error?.data.reason;
const refused = { error: { data: { reason: 'passkey_refused' } } };

describe('D-075: a passkey signs in without a code', () => {
  it('in production: the session is at consent with its fan, and no code was sent', async () => {
    const { device, fan } = await withPasskey();
    const started = await production();
    expect((await present(device, started)).data).toEqual({ step: 'consent' });
    const session = await app.context().em.findOneOrFail(AuthorizationSession, knownId('sess', started.sessionId));
    expect(session.step).toBe('consent');
    const counted = { step: 'done', codesSent: 0, wrongTries: 0, triesUnderWay: 0 };
    expect(await challengeOf(app, started.sessionId)).toMatchObject(counted);
    expect(session.fan?.id).toBe(fan.id);
    expect(session.authenticatedAt).not.toBeNull();
    expect(await login(app, started, 'session.get')).toMatchObject({ offersPasskey: false });
  });

  it('in sandbox, for the partner’s own test users and those of every partner', async () => {
    const user = await verified(app);
    const { device } = await addPasskey(user);
    expect((await present(device, await authorize(app))).status).toBe(200);
    // as if it were another partner's
    const { fan } = await app.context().em.findOneOrFail(Passkey, { id: await newestPasskey() });
    await app.context().em.nativeUpdate(TestUser, { fan: fan.id }, { partner: client.partner.id });
    expect((await present(device, await authorize(app))).error?.data.reason).toBe('passkey_elsewhere');
    await app.context().em.nativeUpdate(TestUser, { fan: fan.id }, { partner: null });
    expect((await present(device, await authorize(app))).status).toBe(200);
  });

  it('of a sandbox fan, it opens nothing in production, and the other way round', async () => {
    const { device } = await addPasskey(await verified(app));
    expect((await present(device, await production())).error?.data.reason).toBe('passkey_elsewhere');
    const real = await withPasskey();
    expect((await present(real.device, await authorize(app))).error?.data.reason).toBe('passkey_elsewhere');
  });

  it('is offered after a code, until the fan has one or said “Not now”; then again after 90 days', async () => {
    const offered = async () => {
      app.advance(31);
      return (await login(app, await proveNumber(owner, phone), 'session.get')).offersPasskey;
    };
    expect(await offered()).toBe(true);
    app.advance(31);
    await login(app, await proveNumber(owner, phone), 'passkey.decline');
    expect(await offered()).toBe(false);
    app.advance(91 * DAY);
    expect(await offered()).toBe(true);
    app.advance(31);
    await addPasskey(await proveNumber(owner, phone));
    expect(await offered()).toBe(false);
  });

  it('is made only where the fan is known', async () => {
    const started = await production();
    expect((await callLogin(app, started, 'passkey.begin')).error?.data.reason).toBe('wrong_step');
    const { made } = await addPasskey(await proveNumber(owner, phone));
    expect((await callLogin(app, started, 'passkey.add', made)).error?.data.reason).toBe('wrong_step');
  });
});

describe('D-075: what a passkey must not do', () => {
  const FAULTS: [string, Bend][] = [
    ['of another page', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without a fingerprint, face or PIN', { isVerified: false }],
    ['over another challenge', { challenge: 'A'.repeat(43) }],
  ];
  it.each([
    ...FAULTS,
    ['in another fan’s name', { userHandle: Buffer.from('usr_01jd0000000000000000000000').toString('base64url') }],
  ])('an answer %s is refused', async (_, bend) => {
    const { device } = await withPasskey();
    expect(await present(device, await production(), bend)).toMatchObject(refused);
    expect(await present(device, await production())).toMatchObject({ status: 200 });
  });

  it.each(FAULTS)('a passkey made %s is not added', async (_, bend) => {
    const { answer } = await addPasskey(await proveNumber(owner, phone), bend);
    expect(answer).toMatchObject(refused);
    expect(await app.context().em.count(Passkey, { fan: (await fanOf(app, phone)).id })).toBe(0);
  });

  it('an answer that another key has signed is refused', async () => {
    const { device } = await withPasskey();
    const started = await production();
    const options = await login<Options>(app, started, 'passkey.ask');
    const answer = device.get(options);
    const { signature } = softAuthenticator(app.origin).get(options).response;
    const forged = { ...answer, response: { ...answer.response, signature } };
    expect(await callLogin(app, started, 'passkey.answer', forged)).toMatchObject(refused);
    expect(await present(device, await production())).toMatchObject({ status: 200 });
  });

  it('a passkey with a forged attestation is not added; one that attests itself is', async () => {
    const started = await proveNumber(owner, phone);
    expect((await addPasskey(started, { attestation: 'forged' })).answer).toMatchObject(refused);
    expect((await addPasskey(started, { attestation: 'own' })).answer).toMatchObject({ status: 200 });
    expect(await app.context().em.count(Passkey, { fan: (await fanOf(app, phone)).id })).toBe(1);
  });

  it('an answer works once: not again, not in another sign-in, not later', async () => {
    const { device } = await withPasskey();
    const [first, second] = [await production(), await production()];
    const answer = device.get(await login<Options>(app, first, 'passkey.ask'));
    await login(app, second, 'passkey.ask');
    expect(await callLogin(app, second, 'passkey.answer', answer)).toMatchObject(refused);
    expect(await callLogin(app, first, 'passkey.answer', answer)).toMatchObject({ status: 200 });
    await login(app, first, 'phone.change');
    expect(await callLogin(app, first, 'passkey.answer', answer)).toMatchObject(refused);
    const late = device.get(await login<Options>(app, second, 'passkey.ask'));
    app.advance(301);
    expect(await callLogin(app, second, 'passkey.answer', late)).toMatchObject(refused);
  });

  it('of many uses of one answer at once, one succeeds', async () => {
    const { device } = await withPasskey();
    const started = await production();
    const answer = device.get(await login<Options>(app, started, 'passkey.ask'));
    const answers = await Promise.all([1, 2, 3, 4].map(() => callLogin(app, started, 'passkey.answer', answer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('a challenge for one purpose answers no other', async () => {
    const { device } = await withPasskey();
    const started = await proveNumber(owner, newPhone());
    const { challenge, rp } = await login<Options>(app, started, 'passkey.begin');
    await login(app, started, 'phone.change');
    const answer = device.get({ challenge, ...(rp.id !== undefined && { rpId: rp.id }) });
    expect(await callLogin(app, started, 'passkey.answer', answer)).toMatchObject(refused);
  });

  it('a copied passkey is noticed by its signature count, and recorded', async () => {
    const { device, fan } = await withPasskey();
    expect((await present(device, await production(), { count: 7 })).status).toBe(200);
    for (const count of [7, 3, 0]) expect(await present(device, await production(), { count })).toMatchObject(refused);
    expect((await present(device, await production(), { count: 8 })).status).toBe(200);
    const { em } = app.context();
    expect(await em.count(AuditEntry, { subject: fan.id, action: 'passkey.count_refused' })).toBe(3);
  });

  it('passkeys that several devices share always count 0', async () => {
    const { device } = await addPasskey(await proveNumber(owner, phone), { count: 0 });
    for (let use = 0; use < 2; use++)
      expect((await present(device, await production(), { count: 0 })).status).toBe(200);
  });

  it('a removed one signs nobody in; of several removals at once one takes place', async () => {
    const { device, fan } = await withPasskey();
    const [passkey] = await app.context().em.find(Passkey, { fan: fan.id });
    const request = { passkeyId: passkey!.id, reason: 'lost phone' };
    const removals = await Promise.allSettled(
      Array.from({ length: 6 }, () => removePasskey(app.context(), request, 'staff:test')),
    );
    expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await app.context().em.count(AuditEntry, { subject: fan.id, action: 'passkey.removed' })).toBe(1);
    expect(await present(device, await production())).toMatchObject(refused);
  });

  it('refused ones count as wrong codes: five end the sign-in', async () => {
    const { device } = await withPasskey();
    const started = await production();
    for (let wrong = 0; wrong < 5; wrong++) await present(device, started, { origin: 'https://evil.example' });
    expect((await callLogin(app, started, 'passkey.ask')).error?.data.reason).toBe('too_many_tries');
  });

  it('of many at once, five are looked at', async () => {
    const { device } = await withPasskey();
    const started = await production();
    const wrong = device.get(await login<Options>(app, started, 'passkey.ask'), { origin: 'https://evil.example' });
    const reasons = await Promise.all(Array.from({ length: 12 }, () => reasonOf(started, 'passkey.answer', wrong)));
    expect(reasons.filter((reason) => reason === 'passkey_refused')).toHaveLength(5);
    expect(reasons.filter((reason) => reason === 'too_many_tries')).toHaveLength(7);
  });

  it('a stopped fan is refused, as with a code, and the sign-in ends', async () => {
    const { device, fan } = await withPasskey();
    await setKillSwitch(app.context(), { kind: 'fan', fanId: fan.id }, 'fraud', 'staff:test');
    const started = await production();
    expect((await present(device, started)).error?.data.reason).toBe('fan_stopped');
    expect(await login(app, started, 'session.get')).toMatchObject({ step: 'done' });
  });

  it('one device makes one passkey, and a fan has at most ten', async () => {
    const started = await proveNumber(owner, phone);
    const { made } = await addPasskey(started);
    const { device } = await addPasskey(started);
    const again = device.create(await login<Options>(app, started, 'passkey.begin'));
    expect(again.id).not.toBe(made.id);
    expect(await callLogin(app, started, 'passkey.add', again)).toMatchObject(refused);
    for (let more = 0; more < 8; more++) await addPasskey(started);
    expect((await addPasskey(started)).answer.error?.data.reason).toBe('rate_limited');
  });

  it('of several sign-ins that add one at once, none goes beyond ten', async () => {
    const tabs = [];
    for (let tab = 0; tab < 5; tab++) {
      tabs.push(await proveNumber(owner, phone));
      app.advance(31);
    }
    for (let held = 0; held < 9; held++) await addPasskey(tabs[0]!);
    const answers = await Promise.all(tabs.map((tab) => addPasskey(tab)));
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([200, 429, 429, 429, 429]);
    expect(await app.context().em.count(Passkey, { fan: (await fanOf(app, phone)).id })).toBe(10);
  });
});

describe('D-073: a passkey shows that the account is theirs', () => {
  it('the account opens, and the number counts as proved', async () => {
    const { device } = await withPasskey();
    const fan = await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    expect(started.step).toBe('continuity');
    expect((await present(device, started)).data).toEqual({ step: 'consent' });
    const session = await app.context().em.findOneOrFail(AuthorizationSession, knownId('sess', started.sessionId));
    expect(session.fan?.id).toBe(fan.id);
    app.advance(31);
    expect((await proveNumber(owner, phone)).step).toBe('consent');
  });

  it('another fan’s passkey does not, and signs nobody in', async () => {
    const other = await withPasskey();
    phone = newPhone();
    const fan = await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    expect((await present(other.device, started)).error?.data.reason).toBe('passkey_elsewhere');
    expect(await login(app, started, 'session.get')).toMatchObject({ step: 'continuity' });
    app.advance(31);
    expect((await proveNumber(owner, phone)).step).toBe('continuity');
    expect((await fanOf(app, phone)).id).toBe(fan.id);
  });

  it('a sign-in by passkey alone is no proof of the number: its new holder is still asked', async () => {
    const { device } = await withPasskey();
    await longUnused(owner, phone);
    expect((await present(device, await production())).status).toBe(200);
    expect((await proveNumber(owner, phone)).step).toBe('continuity');
  });

  it('the fan who lost the number still signs in by passkey, and keeps the tickets', async () => {
    const { device } = await withPasskey();
    await longUnused(owner, phone);
    await login(app, await proveNumber(owner, phone), 'continuity.startNew');
    const started = await production();
    expect((await present(device, started)).status).toBe(200);
    expect(await login(app, started, 'session.get')).toMatchObject({ phone: null });
    expect((await login<{ tickets: unknown[] }>(app, started, 'consent.options')).tickets).toHaveLength(1);
  });
});

describe('D-075: the portal', () => {
  it('opens by a passkey under a new secret, and an answer works once', async () => {
    const { device } = await withPasskey();
    const browser = openPortal(app);
    const answer = device.get(await browser.get<Options>('passkey.ask'));
    const planted = browser.cookie;
    expect(await browser.get('passkey.answer', answer)).toEqual({ step: 'open' });
    expect(browser.cookie).not.toBe(planted);
    expect(await browser.get('session.get')).toMatchObject({ step: 'open', mode: 'production' });
    browser.cookie = planted;
    expect((await browser.call('passkey.answer', answer)).reason).toBe('passkey_refused');
    expect((await openPortal(app).call('passkey.answer', answer)).reason).toBe('session_not_found');
  });

  it('adds, lists and removes the fan’s own passkeys, and no other', async () => {
    const other = await withPasskey();
    phone = newPhone();
    const mine = await withPasskey();
    const browser = openPortal(app);
    await browser.get('passkey.answer', mine.device.get(await browser.get<Options>('passkey.ask')));
    const second = softAuthenticator(app.origin);
    await browser.get('passkeys.add', second.create(await browser.get<Options>('passkeys.begin')));
    const { passkeys } = await browser.get<{ passkeys: { id: string; lastUsedAt: string | null }[] }>('passkeys.list');
    expect(passkeys.map(({ lastUsedAt }) => lastUsedAt === null)).toEqual([true, false]);
    const [foreign] = await app.context().em.find(Passkey, { fan: other.fan.id });
    expect((await browser.call('passkeys.remove', { passkeyId: foreign?.id })).reason).toBe('not_found');
    expect(await app.context().em.count(Passkey, { fan: other.fan.id })).toBe(1);
    await browser.get('passkeys.remove', { passkeyId: passkeys[0]?.id });
    const visitor = openPortal(app);
    const answer = second.get(await visitor.get<Options>('passkey.ask'));
    expect((await visitor.call('passkey.answer', answer)).reason).toBe('passkey_refused');
  });

  it('shows by a passkey that a long unused number is theirs', async () => {
    const { device } = await withPasskey();
    await longUnused(owner, phone);
    owner.codeFor = readCodesFromLog(app);
    const browser = openPortal(app);
    await browser.get('phone.sendCode', { phone });
    await portalCodeSent(app, phone);
    expect(await browser.get('phone.verifyCode', { code: owner.codeFor(phone) })).toEqual({ step: 'continuity' });
    await browser.get('passkey.answer', device.get(await browser.get<Options>('passkey.ask')));
    expect(await browser.get('session.get')).toMatchObject({ step: 'open' });
  });
});

describe('D-075: the ID token says how the fan signed in, on refresh as at sign-in', () => {
  /** What the ID tokens of a sign-in say, and of its refresh. */
  async function methodsOf(started: Started) {
    const code = (await consent(app, started)).searchParams.get('code') ?? '';
    const first = await exchange(app, { ...started, code });
    const next = await refresh(app, first.refresh_token, { client_id: started.clientId });
    return [first, next].map(({ id_token }) => decodeJwt(id_token).amr);
  }

  it.each([
    ['a passkey of one device', {}, ['hwk', 'user']],
    ['a passkey that several devices share', { isSynced: true }, ['swk', 'user']],
  ])('by %s', async (_, bend, amr) => {
    const { device } = await withPasskey();
    const started = await production();
    await present(device, started, bend);
    expect(await methodsOf(started)).toEqual([amr, amr]);
  });

  it('by a code, by a code and a passkey, and by a code for a new account', async () => {
    const { device } = await withPasskey();
    app.advance(31);
    const byCode = await proveNumber(owner, phone);
    expect(await methodsOf(byCode)).toEqual([['sms'], ['sms']]);
    await longUnused({ ...owner }, phone);
    const both = await proveNumber(owner, phone);
    await present(device, both);
    expect(await methodsOf(both)).toEqual([
      ['sms', 'hwk', 'user'],
      ['sms', 'hwk', 'user'],
    ]);
    app.advance(366 * DAY);
    const anew = await proveNumber(owner, phone);
    await login(app, anew, 'continuity.startNew');
    expect(await methodsOf(anew)).toEqual([['sms'], ['sms']]);
  });

  it('not for a grant from before this was kept', async () => {
    const started = await proveNumber(owner, phone);
    const session = { id: knownId('sess', started.sessionId) };
    await app.context().em.nativeUpdate(AuthorizationSession, session, { amr: null });
    expect(await methodsOf(started)).toEqual([undefined, undefined]);
  });
});

describe('D-075: where PASSKEY_SIGN_IN is off, as by default', () => {
  const on = app.config.passkeySignIn;
  beforeEach(() => void Object.assign(app.runtime.config, { passkeySignIn: false }));
  afterEach(() => void Object.assign(app.runtime.config, { passkeySignIn: on }));

  it('a passkey signs nobody in alone: the contract verifies fans by phone', async () => {
    expect(readConfig({}).passkeySignIn).toBe(false);
    const { device } = await withPasskey();
    const started = await production();
    expect(await login(app, started, 'session.get')).toMatchObject({ signsInByPasskey: false });
    const before = device.get({ challenge: 'A'.repeat(43) });
    expect(await reasonOf(started, 'passkey.ask')).toBe('wrong_step');
    expect(await reasonOf(started, 'passkey.answer', before)).toBe('wrong_step');
    await login(app, started, 'phone.sendCode', { phone: newPhone() });
    expect(await reasonOf(started, 'passkey.ask')).toBe('wrong_step');
  });

  it('none is offered after a code, for the offer is to sign in without one', async () => {
    expect(await login(app, await proveNumber(owner, phone), 'session.get')).toMatchObject({ offersPasskey: false });
  });

  it('the question whose account it is and the portal take them', async () => {
    const { device } = await withPasskey();
    const browser = openPortal(app);
    await browser.get('passkey.answer', device.get(await browser.get<Options>('passkey.ask')));
    await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    expect((await present(device, started)).data).toEqual({ step: 'consent' });
  });
});
