import { expect, it } from 'vitest';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { PhoneChallenge } from '../../../src/entities/phone-challenge.ts';
import { knownId } from '../../../src/identifier/known-id.ts';
import { authorize, callLogin, login, type Started, verifyPhone } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';
import { expectRefused, otherThan, testUser, verified } from './login-calls.ts';

/** "Not you?": from the consent step back to the phone step. */
const app = await testApp();

const rowOf = ({ sessionId }: Started) =>
  app.context().em.findOneOrFail(AuthorizationSession, { id: knownId('sess', sessionId) });

const everything = { actions: ['fan:tickets:read'], mode: 'all_current_future', ticketIds: [] };

it('the fan is gone from the session, and another one can sign in to it', async () => {
  const started = await verified(app);
  expect(await login(app, started, 'phone.change')).toEqual({ step: 'phone' });
  expect(await login(app, started, 'session.get')).toMatchObject({ step: 'phone', phone: null, verifiedAt: null });
  expect(await rowOf(started)).toMatchObject({ fan: null, authenticatedAt: null });
  expect(await app.context().em.count(PhoneChallenge, { session: knownId('sess', started.sessionId) })).toBe(0);
  await expectRefused(app, started, 'consent.options', undefined, 'wrong_step');

  const other = testUser(app, 1);
  await verifyPhone(app, started, other);
  expect(String((await login(app, started, 'session.get')).phone)).toContain(other.phone.slice(-4));
  const { redirectTo } = await login<{ redirectTo: string }>(app, started, 'consent.grant', everything);
  expect(new URL(redirectTo).searchParams.get('code')).toBeTruthy();
  const [grant] = await app.context().em.find(ConsentGrant, {}, { orderBy: { id: 'desc' }, limit: 1 });
  expect(grant?.fan.id).toBe(other.id);
});

it('codes and tries that were used stay used', async () => {
  const { phone, code } = testUser(app);
  const started = await authorize(app);
  await login(app, started, 'phone.sendCode', { phone });
  for (let i = 0; i < 3; i++) await callLogin(app, started, 'phone.verifyCode', { code: otherThan(code) });
  await login(app, started, 'phone.verifyCode', { code });
  await login(app, started, 'phone.change');
  expect(await rowOf(started)).toMatchObject({ wrongTries: 3, codesSent: 1, askedPhone: phone });
});

it('of a change and a consent at the same moment one wins, and no grant is left of the fan who left', async () => {
  for (let round = 0; round < 8; round++) {
    const started = await verified(app);
    const before = await app.context().em.count(ConsentGrant);
    const [change, grant] = await Promise.all([
      callLogin(app, started, 'phone.change'),
      callLogin(app, started, 'consent.grant', everything),
    ]);
    expect([change.status, grant.status].sort()).toEqual([200, 409]);
    expect(await app.context().em.count(ConsentGrant)).toBe(before + (grant.status === 200 ? 1 : 0));
  }
});

it('a page that shows the fan before grants nothing for the one who came after', async () => {
  const started = await verified(app);
  const { verifiedAt } = await login(app, started, 'session.get');
  await login(app, started, 'phone.change');
  await verifyPhone(app, started, testUser(app, 1));
  await expectRefused(app, started, 'consent.grant', { ...everything, verifiedAt }, 'wrong_step');
  const now = (await login(app, started, 'session.get')).verifiedAt;
  expect((await callLogin(app, started, 'consent.grant', { ...everything, verifiedAt: now })).status).toBe(200);
});
