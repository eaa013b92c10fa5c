import { expect, it } from 'vitest';
import { AuthorizationCode } from '../../../../src/entities/authorization-code.ts';
import { AuthorizationSession } from '../../../../src/entities/authorization-session.ts';
import { PhoneTries } from '../../../../src/entities/code-limits.ts';
import { ConsentGrant } from '../../../../src/entities/consent-grant.ts';
import { PhoneChallenge } from '../../../../src/entities/phone-challenge.ts';
import { RefreshTokenFamily } from '../../../../src/entities/refresh-token-family.ts';
import { purgeExpired } from '../../../../src/sign-in/authorization/purge-expired.ts';
import { authorize, callLogin, login, signIn } from '../../../support/partner.ts';
import { testApp } from '../../../support/test-app.ts';

const DAY = 86_400;
const EXPIRING = [AuthorizationCode, AuthorizationSession, PhoneChallenge, PhoneTries, RefreshTokenFamily];
const app = await testApp({ env: { REFRESH_TOKEN_TTL: '600' } });

function rows(): Promise<number[]> {
  const { em } = app.context();
  return Promise.all(EXPIRING.map((entity) => em.count(entity as typeof AuthorizationCode)));
}

it('what has expired stays for a day, so that a late click gets its own answer, and is deleted then', async () => {
  await signIn(app);
  const started = await authorize(app);
  await login(app, started, 'phone.sendCode', { phone: app.kit.test_users[1]?.phone });
  await callLogin(app, started, 'phone.verifyCode', { code: wrongCode() });
  const before = await rows();
  for (const count of before) expect(count).toBeGreaterThan(0);
  app.advance(DAY);
  await purgeExpired(app.context());
  expect(await rows()).toEqual(before);
  app.advance(700);
  await purgeExpired(app.context());
  expect(await rows()).toEqual(EXPIRING.map(() => 0));
  expect(await app.context().em.count(ConsentGrant), 'what a fan granted is history that stays').toBe(1);
});

it('what is alive is left alone', async () => {
  const started = await authorize(app);
  await purgeExpired(app.context());
  expect((await login(app, started, 'session.get')).step).toBe('phone');
});

function wrongCode(): string {
  return app.kit.test_users[1]?.code === '000000' ? '000001' : '000000';
}
