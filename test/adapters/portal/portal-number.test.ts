import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FormerNumber } from '../../../src/entities/former-number.ts';
import { PortalSession } from '../../../src/entities/portal-session.ts';
import { fanOf, type NumberOwner, proveNumber } from '../../src/verification/long-unused.ts';
import { consent } from '../../support/partner.ts';
import { enableProductionClient, giveTicket, readCodesFromLog } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { otherThan, testUser } from '../login/login-calls.ts';
import { openPortal } from './portal-calls.ts';

const app = await testApp();
const client = await enableProductionClient(app);
let owner: NumberOwner;
let numbers = 7000;
const newPhone = () => `+1404555${numbers++}`;
let phone: string;
let to: string;
beforeEach(() => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  phone = newPhone();
  to = newPhone();
});
afterEach(() => app.resetClock());

/** A fan of the number, at the portal. */
async function visit() {
  await proveNumber(owner, phone);
  app.advance(31);
  return enter();
}

async function enter() {
  owner.codeFor = readCodesFromLog(app);
  const browser = openPortal(app);
  await browser.get('phone.sendCode', { phone });
  const ready = { phone, reference: { $ne: null }, step: 'code' } as const;
  await expect.poll(() => app.context().em.count(PortalSession, ready)).toBe(1);
  await browser.get('phone.verifyCode', { code: owner.codeFor(phone) });
  return browser;
}

describe('D-079: a fan changes the number at the portal', () => {
  it('with the old number and the new one proved; everything else stays, and other visits end', async () => {
    const browser = await visit();
    const fan = await fanOf(app, phone);
    await giveTicket(app, fan);
    app.advance(31);
    const another = await enter();
    await browser.get('number.sendCode', { phone: to });
    expect(await browser.get('number.verifyCode', { code: owner.codeFor(to) })).toEqual({ changed: true });
    expect((await fanOf(app, to)).id).toBe(fan.id);
    expect(await browser.get('session.get')).toMatchObject({ step: 'open', phone: `+1 ••• ••• ${to.slice(-4)}` });
    expect((await another.call('apps.list')).reason).toBe('session_not_found');
    expect(await app.context().em.findOneOrFail(FormerNumber, { phone })).toMatchObject({ reason: 'changed_by_fan' });
    app.advance(31);
    expect((await proveNumber(owner, to)).step).toBe('consent');
    await proveNumber(owner, phone);
    expect((await fanOf(app, phone)).id).not.toBe(fan.id);
  });

  it('not without the new number’s code, of which five wrong ones are too many', async () => {
    const browser = await visit();
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
    const browser = await visit();
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
    const browser = await visit();
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
    const browser = await visit();
    await browser.get('number.sendCode', { phone: to });
    const code = owner.codeFor(to);
    const answers = await Promise.all([1, 2, 3].map(() => browser.call('number.verifyCode', { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await app.context().em.count(FormerNumber, { phone })).toBe(1);
  });

  it('sending has the limits of sign-ins: a pause for the same number, five codes for a visit', async () => {
    const browser = await visit();
    await browser.get('number.sendCode', { phone: to });
    expect((await browser.call('number.sendCode', { phone: to })).reason).toBe('resend_too_soon');
    for (let more = 0; more < 4; more++) await browser.get('number.sendCode', { phone: newPhone() });
    expect((await browser.call('number.sendCode', { phone: newPhone() })).reason).toBe('rate_limited');
    expect((await browser.call('number.sendCode', { phone })).reason).toBe('invalid_phone');
  });

  it('a test user keeps its number', async () => {
    const browser = await openPortal(app).signIn(testUser(app));
    expect(await browser.get('session.get')).toMatchObject({ mode: 'sandbox', numberChangeUntil: null });
    expect((await browser.call('number.sendCode', { phone: to })).reason).toBe('conflict');
  });
});
