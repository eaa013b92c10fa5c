import { beforeEach, describe, expect, it } from 'vitest';
import { AuditEntry } from '../../../../src/entities/audit-entry.ts';
import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { Client } from '../../../../src/entities/client.ts';
import { KillSwitch } from '../../../../src/entities/kill-switch.ts';
import {
  type KillSwitchTarget,
  liftKillSwitch,
  setKillSwitch,
} from '../../../../src/partners/kill-switch/kill-switch.ts';
import { knownId } from '../../../../src/platform/identifier/known-id.ts';
import { countriesOf } from '../../../../src/platform/phone-number.ts';
import type { ServiceContext } from '../../../../src/runtime.ts';
import { expectRefused, otherThan, testUser } from '../../../adapters/fan-pages/login/login-calls.ts';
import { authorizeError } from '../../../adapters/partner-api/oauth/send-authorize.ts';
import { countStatements } from '../../../support/count-statements.ts';
import {
  authorize,
  authorizeUrl,
  callFan,
  callLogin,
  codeForm,
  login,
  obtainCode,
  postForm,
  refreshForm,
  signIn,
} from '../../../support/partner.ts';
import { challengeOf } from '../../../support/phone-challenge.ts';
import { enableProductionClient, readCodesFromLog } from '../../../support/production.ts';
import { testApp } from '../../../support/test-app.ts';

const ANN = 'staff:stf_ann';
const app = await testApp();
const thisClient: KillSwitchTarget = { kind: 'client', clientId: app.kit.client_id };
const thisFan: KillSwitchTarget = { kind: 'fan', fanId: testUser(app).id };
beforeEach(async () => {
  await app.context().em.nativeDelete(KillSwitch, {});
});

const stop = (target: KillSwitchTarget, context: ServiceContext = app.context()) =>
  setKillSwitch(context, target, 'A breach was reported', ANN);
const goOn = (target: KillSwitchTarget) => liftKillSwitch(app.context(), target, 'It is mended', ANN);
const sessionOf = ({ sessionId }: { sessionId: string }) =>
  app.context().em.findOneOrFail(AuthorizationSession, { id: knownId('sess', sessionId) });
const refresh = (token: string) => postForm(app, '/oauth2/token', refreshForm(app, token));

describe.each([
  ['client', thisClient],
  ['fan', thisFan],
] as const)('while a %s is stopped', (_, target) => {
  it('the very next Fan API call is 401 and the refresh invalid_grant; lifted, both go on where they were', async () => {
    const tokens = await signIn(app);
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
    await stop(target);
    const refused = await callFan(app, '/tickets', tokens.access_token);
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([401, 'grant_revoked']);
    expect((await postForm(app, '/oauth2/userinfo', {}, bearer(tokens.access_token))).status).toBe(401);
    const receipt = `${app.config.authUrl}/oauth2/grants/${tokens.grant_id}/receipt`;
    expect((await fetch(receipt, { headers: bearer(tokens.access_token) })).status).toBe(401);
    expect((await refresh(tokens.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await goOn(target)).toBe(true);
    expect((await callFan(app, '/tickets', tokens.access_token)).status).toBe(200);
    expect((await refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('a refresh within its retry window is invalid_grant, and ends nothing: lifted, it is answered', async () => {
    await app.context().em.nativeUpdate(Client, { id: app.kit.client_id }, { refreshRetryWindow: 30 });
    const { refresh_token: first } = await signIn(app);
    const { body } = await refresh(first);
    await stop(target);
    expect((await refresh(first)).body).toMatchObject({ error: 'invalid_grant' });
    await goOn(target);
    expect((await refresh(first)).body.refresh_token).toBe(body.refresh_token);
    await app.context().em.nativeUpdate(Client, { id: app.kit.client_id }, { refreshRetryWindow: 0 });
  });

  it('a code that was issued before gives no tokens', async () => {
    const obtained = await obtainCode(app);
    await stop(target);
    const { status, body } = await postForm(app, '/oauth2/token', codeForm(obtained));
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });
});

it('while a client is stopped, authorize answers unauthorized_client for it, and for no other', async () => {
  const other = await enableProductionClient(app);
  await stop(thisClient);
  expect(await authorizeError(app)).toBe('unauthorized_client');
  await authorize(app, other);
  await goOn(thisClient);
  expect(await authorizeError(app)).toBeNull();
});

it('while a fan is stopped, a wrong code is told as ever; the right one ends the sign-in with a refusal in words', async () => {
  const { phone, code } = testUser(app);
  await stop(thisFan);
  const started = await authorize(app);
  await login(app, started, 'phone.sendCode', { phone });
  await expectRefused(app, started, 'phone.verifyCode', { code: otherThan(code) }, 'wrong_code');
  const { error } = await expectRefused(app, started, 'phone.verifyCode', { code }, 'fan_stopped');
  expect(error?.message).toMatch(/stopped/);
  expect(await sessionOf(started)).toMatchObject({ step: 'done', fan: null });
  await expectRefused(app, started, 'phone.verifyCode', { code }, 'wrong_step');
  // other fans sign in
  expect((await signIn(app, testUser(app, 1))).access_token).toBeTruthy();
});

describe('while SMS to a country is stopped', () => {
  it('production sends nothing to a number of that country, and it costs none of the session’s codes', async () => {
    const phone = '+12025550142';
    const codeFor = readCodesFromLog(app);
    const started = await authorize(app, await enableProductionClient(app));
    await stop({ kind: 'sms_country', country: 'us' });
    const { error } = await expectRefused(app, started, 'phone.sendCode', { phone }, 'verification_unavailable');
    expect(error?.message).toMatch(/country/);
    expect(() => codeFor(phone)).toThrow('no code was sent');
    expect(await challengeOf(app, started.sessionId)).toBeNull();
    await login(app, started, 'phone.sendCode', { phone: '+442079460123' });
    expect(codeFor('+442079460123')).toMatch(/^\d{6}$/);
    await goOn({ kind: 'sms_country', country: 'US' });
    expect((await callLogin(app, started, 'phone.sendCode', { phone })).status).toBe(200);
  });

  it('a number whose country can not be told counts as each that shares its prefix', () => {
    expect(countriesOf('+12025550142')).toEqual(['US']);
    expect(countriesOf('+12005550142')).toEqual(expect.arrayContaining(['US', 'CA', 'JM']));
  });

  it('sandbox, which sends nothing, goes on', async () => {
    const country = testUser(app).phone.startsWith('+44') ? 'GB' : 'US';
    await stop({ kind: 'sms_country', country });
    expect((await signIn(app)).access_token).toBeTruthy();
  });
});

describe('a kill switch', () => {
  it.each<[string, KillSwitchTarget]>([
    [app.kit.client_id, thisClient],
    [testUser(app).id, thisFan],
    ['co_signing', { kind: 'co_signing' }],
    ['sms_country:JP', { kind: 'sms_country', country: 'JP' }],
  ])(
    'on %s is set once and lifted once, with its reason on record; more of the same changes nothing',
    async (subject, target) => {
      const before = await actionsOn(subject);
      const set = await Promise.all(Array.from({ length: 4 }, () => stop(target)));
      expect(new Set(set.map(({ id }) => id)).size).toBe(1);
      expect(set[0]).toMatchObject({ kind: target.kind, reason: 'A breach was reported', setBy: ANN });
      expect((await Promise.all([goOn(target), goOn(target)])).sort()).toEqual([false, true]);
      expect((await actionsOn(subject)).slice(before.length)).toEqual(['kill_switch.set', 'kill_switch.lifted']);
    },
  );

  it.each(['', '  ', 'x'.repeat(1001), 'a\0b'])('needs a reason: %j is none', async (reason) => {
    const refusal = { code: 'invalid_request', message: expect.stringContaining('reason') };
    await expect(setKillSwitch(app.context(), { kind: 'co_signing' }, reason, ANN)).rejects.toMatchObject(refusal);
    await expect(liftKillSwitch(app.context(), { kind: 'co_signing' }, reason, ANN)).rejects.toMatchObject(refusal);
  });

  it.each([
    [{ kind: 'client', clientId: 'client_01h455vb4pex5vsknk084sn02q' }, 'not_found'],
    [{ kind: 'client', clientId: 'nonsense' }, 'not_found'],
    [{ kind: 'fan', fanId: 'usr_01h455vb4pex5vsknk084sn02q' }, 'not_found'],
    [{ kind: 'sms_country', country: 'XX' }, 'invalid_request'],
    [{ kind: 'sms_country', country: '' }, 'invalid_request'],
  ] as const)('stops only what is there: %j is %s', async (target, code) => {
    await expect(stop(target)).rejects.toMatchObject({ code });
  });

  it('costs the calls that heed it no statement of their own', async () => {
    const tokens = await signIn(app);
    const obtained = await obtainCode(app);
    const { url } = await authorizeUrl(app);
    const counts: Record<string, string[]> = {};
    const count = async (name: string, work: () => Promise<{ status: number }>, status: number) => {
      const { result, statements } = await countStatements(work);
      expect([name, result.status]).toEqual([name, status]);
      counts[name] = statements.map((statement) => statement.trim().split(/\s/)[0] ?? '');
    };
    await count('tickets', () => callFan(app, '/tickets', tokens.access_token), 200);
    await count('exchange', () => postForm(app, '/oauth2/token', codeForm(obtained)), 200);
    await count('refresh', () => refresh(tokens.refresh_token), 200);
    await count('authorize', () => fetch(url, { redirect: 'manual' }), 302);
    expect(counts).toEqual({
      tickets: ['with'],
      exchange: ['with'],
      refresh: ['with'],
      authorize: ['select', 'insert'],
    });
  });
});

async function actionsOn(subject: string): Promise<string[]> {
  const entries = await app.context().em.find(AuditEntry, { subject }, { orderBy: { id: 'asc' } });
  return entries.map(({ action }) => action).filter((action) => action.startsWith('kill_switch.'));
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
