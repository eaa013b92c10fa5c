import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../../src/entities/client.ts';
import { Partner } from '../../../src/entities/partner.ts';
import { TestUser } from '../../../src/entities/test-user.ts';
import { numberOf } from '../../../src/fan/number-of.ts';
import type { Id } from '../../../src/identifier/type-id.ts';
import { registerPartner } from '../../../src/partner/register-partner.ts';
import { createTestUsers } from '../../../src/sandbox/create-test-users.ts';
import { resetSandbox } from '../../../src/sandbox/reset-sandbox.ts';
import { otherThan, testUser } from '../../adapters/login/login-calls.ts';
import { openPortal } from '../../adapters/portal/portal-calls.ts';
import { countStatements } from '../../support/count-statements.ts';
import { makeClient } from '../../support/make-client.ts';
import { authorize, callLogin, login, type Started, signIn } from '../../support/partner.ts';
import { enableProductionClient, readCodesFromLog } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';

const ACTOR = 'staff:ann';
/** Reserved for fiction, and no test user's. */
const NOBODY = '+12025550199';

const app = await testApp();
let stranger: Partner;
/** A sandbox client of another partner than the starter kit's. */
let foreignClient: Id<'client'>;
beforeAll(async () => {
  stranger = await registerPartner(app.context(), 'Encore', ACTOR);
  await app.context().em.persist(stranger).flush();
  foreignClient = await makeClient(app, { name: 'Encore App' });
  await app.context().em.nativeUpdate(Client, { id: foreignClient }, { partner: stranger.id });
});
afterEach(() => app.resetClock());

const send = (started: Started, phone: string) => callLogin(app, started, 'phone.sendCode', { phone });
const verify = (started: Started, code: string) => callLogin(app, started, 'phone.verifyCode', { code });

async function newUser(partnerId: string | null) {
  const [user] = await createTestUsers(app.context(), { partnerId, count: 1 }, ACTOR);
  if (!user) throw new Error('no test user was made');
  return { id: user.fan.id, phone: numberOf(user.fan), code: user.testUser.code };
}

describe('a sandbox client knows only test users of its own partner, and those of every partner', () => {
  it('a number of another partner and a number of nobody get one answer, for the same work', async () => {
    const answers: { answer: object; statements: number }[] = [];
    for (const phone of [testUser(app).phone, NOBODY]) {
      const started = await authorize(app, { clientId: foreignClient });
      const { result, statements } = await countStatements(() => send(started, phone));
      const answer = JSON.parse(JSON.stringify(result).replaceAll(phone, 'NUMBER')) as object;
      answers.push({ answer, statements: statements.length });
      expect(await login(app, started, 'session.get')).toMatchObject({ step: 'phone', phone: null });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.answer).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining("NUMBER is not a test user of Encore's sandbox.") },
    });
  });

  it('the partner’s other clients know them', async () => {
    const { phone, code } = testUser(app);
    const tokens = await signIn(app, { clientId: await makeClient(app), phone, code });
    expect(tokens.mode).toBe('sandbox');
  });

  it('a test user of every partner signs in at each', async () => {
    const { phone, code } = await newUser(null);
    for (const clientId of [app.kit.client_id, foreignClient]) {
      expect((await signIn(app, { clientId, phone, code })).mode).toBe('sandbox');
    }
  });

  it('a fan of the same number in production opens nothing in sandbox', async () => {
    await app
      .context()
      .em.execute(
        `insert into fan (id, mode, phone, created_at) values (gen_random_uuid(), 'production', '${NOBODY}', now())`,
      );
    expect((await send(await authorize(app), NOBODY)).error?.data.reason).toBe('not_a_test_user');
  });
});

describe('a test user that is removed', () => {
  it('can not sign in any more, nor at the portal', async () => {
    const user = await newUser(stranger.id);
    await resetSandbox(app.context(), { partnerId: stranger.id, confirm: 'Encore', keepTestUsers: false }, ACTOR);
    const started = await authorize(app, { clientId: foreignClient });
    expect((await send(started, user.phone)).error?.data.reason).toBe('not_a_test_user');
    const portal = openPortal(app);
    await portal.get('phone.sendCode', { phone: user.phone });
    expect((await portal.call('phone.verifyCode', { code: user.code })).reason).toBe('wrong_code');
  });

  it('while its code is typed: the right code is wrong, and counts', async () => {
    const user = await newUser(stranger.id);
    const started = await authorize(app, { clientId: foreignClient });
    await send(started, user.phone);
    await app.context().em.nativeDelete(TestUser, { fan: user.id });
    expect((await verify(started, user.code)).error?.data.reason).toBe('wrong_code');
    expect(await login(app, started, 'session.get')).toMatchObject({ step: 'code', triesLeft: 4 });
  });

  it('while its code is typed, given to another partner: the right code is wrong', async () => {
    const user = await newUser(stranger.id);
    const started = await authorize(app, { clientId: foreignClient });
    await send(started, user.phone);
    const { em } = app.context();
    await em.nativeUpdate(
      TestUser,
      { fan: user.id },
      { partner: await em.findOneOrFail(Partner, { name: 'Front Row' }) },
    );
    expect((await verify(started, user.code)).error?.data.reason).toBe('wrong_code');
  });

  it('at the same moment as its codes are sent: nobody is signed in afterwards', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await newUser(stranger.id);
      const begun = await Promise.all(Array.from({ length: 4 }, () => authorize(app, { clientId: foreignClient })));
      await Promise.all(begun.map((started) => send(started, user.phone)));
      await Promise.all([
        resetSandbox(app.context(), { partnerId: stranger.id, confirm: 'Encore', keepTestUsers: false }, ACTOR),
        ...begun.map((started) => verify(started, user.code)),
      ]);
      for (const started of begun) {
        expect((await callLogin(app, started, 'consent.grant', { actions: [] })).status).toBeGreaterThanOrEqual(400);
      }
    }
  });
});

describe('the portal', () => {
  it('opens for test users of any partner: it belongs to the fan', async () => {
    for (const partner of [stranger.id, null]) {
      const portal = await openPortal(app).signIn(await newUser(partner));
      expect(await portal.get('session.get')).toMatchObject({ step: 'open', mode: 'sandbox' });
    }
  });
});

describe('D-053: production answers do not tell whether a number is known', () => {
  it('known, unknown and test numbers get the same answers at every step', async () => {
    const client = await enableProductionClient(app);
    const codeFor = readCodesFromLog(app);
    const known = '+12025550171';
    await signIn(app, {
      ...client,
      phone: known,
      get code() {
        return codeFor(known);
      },
    });
    app.advance(31);
    const stories: unknown[] = [];
    for (const phone of [known, '+12025550172', testUser(app).phone]) {
      const started = await authorize(app, client);
      const story: unknown[] = [];
      const tell = ({ status, data, error }: Awaited<ReturnType<typeof callLogin>>) =>
        story.push({ status, keys: Object.keys(data ?? {}), message: error?.message, reason: error?.data.reason });
      tell(await send(started, phone));
      tell(await send(started, phone));
      for (let i = 0; i < 5; i++) tell(await verify(started, otherThan(codeFor(phone))));
      stories.push(story);
    }
    expect(stories[1]).toEqual(stories[0]);
    expect(stories[2]).toEqual(stories[0]);
    expect(stories[0]).toMatchObject([
      { status: 200 },
      { reason: 'resend_too_soon' },
      { reason: 'wrong_code' },
      {},
      {},
      {},
      { reason: 'too_many_tries' },
    ]);
  });
});
