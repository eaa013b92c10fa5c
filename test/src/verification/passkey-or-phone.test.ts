import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { openPortal } from '../../adapters/portal/portal-calls.ts';
import {
  authorize,
  callLogin,
  codeForm,
  consent,
  login,
  postForm,
  type Started,
  type Tokens,
} from '../../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../../support/production.ts';
import type { Bend, SoftAuthenticator } from '../../support/soft-authenticator.ts';
import { testApp } from '../../support/test-app.ts';
import { DAY, longUnused, type NumberOwner, proveNumber } from './long-unused.ts';
import { addPasskeyTo, type Options, presentTo } from './passkey-stage.ts';

const app = await testApp({ env: { PASSKEY_SIGN_IN: 'true' } });
const client = await enableProductionClient(app);
let owner: NumberOwner;
let phone: string;
let numbers = 1000;
const newPhone = () => `+1404555${numbers++}`;
beforeEach(() => {
  owner = { app, client, codeFor: readCodesFromLog(app) };
  phone = newPhone();
});
afterEach(() => app.resetClock());

/** Of a production fan. */
async function withPasskey() {
  const { device } = await addPasskeyTo(app, await proveNumber(owner, phone));
  return { device };
}

const present = (device: SoftAuthenticator, started: Started, bend?: Bend) => presentTo(app, device, started, bend);
const production = () => authorize(app, client);

describe('D-345: the ID token says how the fan signed in, on refresh as at sign-in', () => {
  /** What the ID tokens of a sign-in say, and of its refresh. */
  async function methodsOf(started: Started) {
    const code = (await consent(app, started)).searchParams.get('code') ?? '';
    const first = await exchanged(codeForm({ ...started, code }));
    const { client_id } = decodeJwt<{ client_id: string }>(first.access_token);
    const next = await exchanged({ grant_type: 'refresh_token', client_id, refresh_token: first.refresh_token ?? '' });
    return [first, next].map(({ id_token }) => decodeJwt(id_token ?? '').amr);
  }

  async function exchanged(form: Record<string, string>): Promise<Tokens> {
    const { status, body } = await postForm(app, '/oauth2/token', form);
    expect(status).toBe(200);
    return body as Tokens;
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
    await app
      .context()
      .em.nativeUpdate(AuthorizationSession, { id: knownId('sess', started.sessionId) }, { amr: null });
    expect(await methodsOf(started)).toEqual([undefined, undefined]);
  });
});

describe('D-345: where PASSKEY_SIGN_IN is off, as by default', () => {
  const on = app.config.passkeySignIn;
  beforeEach(() => void Object.assign(app.runtime.config, { passkeySignIn: false }));
  afterEach(() => void Object.assign(app.runtime.config, { passkeySignIn: on }));

  it('a passkey signs nobody in alone: the contract verifies fans by phone', async () => {
    expect(readConfig({}).passkeySignIn).toBe(false);
    const { device } = await withPasskey();
    const started = await production();
    expect(await login(app, started, 'session.get')).toMatchObject({ signsInByPasskey: false });
    const before = device.get({ challenge: 'A'.repeat(43) });
    expect((await callLogin(app, started, 'passkey.ask')).error?.data.reason).toBe('wrong_step');
    expect((await callLogin(app, started, 'passkey.answer', before)).error?.data.reason).toBe('wrong_step');
    await login(app, started, 'phone.sendCode', { phone: newPhone() });
    expect((await callLogin(app, started, 'passkey.ask')).error?.data.reason).toBe('wrong_step');
  });

  it('none is offered after a code, for the offer is to sign in without one', async () => {
    expect(await login(app, await proveNumber(owner, phone), 'session.get')).toMatchObject({ offersPasskey: false });
  });

  it('the question whose account it is and the portal take them', async () => {
    const { device } = await withPasskey();
    app.advance(31);
    const browser = openPortal(app);
    await browser.get('passkey.answer', device.get(await browser.get<Options>('passkey.ask')));
    await longUnused(owner, phone);
    const started = await proveNumber(owner, phone);
    expect((await present(device, started)).data).toEqual({ step: 'consent' });
  });
});
