import { describe, expect, it } from 'vitest';
import { AuthorizationCode } from '../../../src/entities/authorization-code.ts';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { PhoneTries } from '../../../src/entities/code-limits.ts';
import { ConsentGrant } from '../../../src/entities/consent-grant.ts';
import { PhoneChallenge } from '../../../src/entities/phone-challenge.ts';
import { RefreshTokenFamily } from '../../../src/entities/refresh-token-family.ts';
import { purge } from '../../../src/entities/retention.ts';
import { authorize, callLogin, login, signIn } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const DAY = 86_400;
const app = await testApp();
await signIn(app);
const started = await authorize(app);
await login(app, started, 'phone.sendCode', { phone: app.kit.test_users[0]?.phone });
await callLogin(app, started, 'phone.verifyCode', { code: '000000' });
async function counts() {
  const { em } = app.context();
  return {
    sessions: await em.count(AuthorizationSession),
    challenges: await em.count(PhoneChallenge),
    codes: await em.count(AuthorizationCode),
    tries: await em.count(PhoneTries),
    families: await em.count(RefreshTokenFamily),
    grants: await em.count(ConsentGrant),
  };
}

it('D-356: each table gets its turn, however much one of them has', async () => {
  const limit = new AbortController();
  const turns: string[] = [];
  const query = async ({ text }: { text: string }) => {
    const [, table] = /delete from (\w+)/.exec(text) ?? [];
    if (table !== undefined) turns.push(table);
    if (turns.length === 60) limit.abort();
    // the request log has one more day to drop each time
    return { rows: [{ count: 5_000, last: null, name: 'request_log_20260101' }] };
  };
  await purge({ ...app.context(), pool: { query } as never }, limit.signal);
  expect(turns).toHaveLength(60);
  expect(new Set(turns).size).toBe(21);
});

describe('the purge', () => {
  it('keeps what has just expired: a late click or a second use still gets its own answer', async () => {
    const before = await counts();
    expect(before).toEqual({ sessions: 2, challenges: 2, codes: 1, tries: 1, families: 1, grants: 1 });
    app.advance(DAY);
    await purge(app.context());
    expect(await counts()).toEqual(before);
  });

  it('a day later deletes sessions with their challenges, codes and tries; tokens and grants that live stay', async () => {
    app.advance(700);
    await purge(app.context());
    expect(await counts()).toEqual({ sessions: 0, challenges: 0, codes: 0, tries: 0, families: 1, grants: 1 });
  });

  it('leaves alone what is alive', async () => {
    const alive = await authorize(app);
    await purge(app.context());
    expect((await login(app, alive, 'session.get')).step).toBe('phone');
  });

  it('deletes a refresh token a day after its end; what the fan granted is kept', async () => {
    app.advance(31 * DAY);
    await purge(app.context());
    expect(await counts()).toMatchObject({ families: 0, grants: 1 });
  });
});
