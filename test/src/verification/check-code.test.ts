import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { AuthorizationSession } from '../../../src/entities/authorization-session.ts';
import { PhoneTries } from '../../../src/entities/code-limits.ts';
import { checkCode } from '../../../src/verification/check-code.ts';
import { sendCode } from '../../../src/verification/send-code.ts';
import { enableProductionClient } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { again, type Counted, countSent, openSessions, RIGHT_CODE, refusalOf } from '../abuse/code-stage.ts';

const PHONE = '+12025550142';

let clientId: string;
let provider: Counted;
const app = await testApp();
beforeAll(async () => {
  ({ clientId } = await enableProductionClient(app));
});
beforeEach(() => {
  provider = countSent(app);
});

/** A session that waits for its code. */
async function atCode() {
  const [session] = await openSessions(app, clientId, 1);
  if (!session) throw new Error('no session');
  await sendCode(app.context(), session, PHONE, '192.0.2.1');
  return again(app.context(), session);
}

it('a call that found the sign-in before it moved on: nobody looks at its code, and it costs no try', async () => {
  const found = await atCode();
  const { em } = app.context();
  await em.nativeUpdate(AuthorizationSession, { id: found.id }, { step: 'consent' });
  expect((await refusalOf(checkCode(app.context(), found, RIGHT_CODE)))?.code).toBe('wrong_step');
  expect(provider.checks).toBe(0);
  expect(await em.count(PhoneTries, { phone: PHONE, tries: { $gt: 0 } })).toBe(0);
});

it('a call that finds no try left asks once whether others are under way, and waits for none where there are none', async () => {
  const found = await atCode();
  await app.context().em.nativeUpdate(AuthorizationSession, { id: found.id }, { wrongTries: 5 });
  using query = vi.spyOn(app.runtime.pool, 'query');
  expect((await refusalOf(checkCode(app.context(), found, RIGHT_CODE)))?.code).toBe('too_many_tries');
  expect(JSON.stringify(query.mock.calls).split('select step, tries_under_way').length - 1).toBe(1);
  expect(provider.checks).toBe(0);
});
