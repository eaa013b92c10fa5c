import { expect, it } from 'vitest';
import { purgeCounts } from '../../../src/abuse/count-request.ts';
import { CodeBudget, CodeTraffic, RateLimit } from '../../../src/entities/code-limits.ts';
import { sendCode } from '../../../src/verification/send-code.ts';
import { enableProductionClient } from '../../support/production.ts';
import { testApp } from '../../support/test-app.ts';
import { countSent, openSessions } from './code-stage.ts';

const app = await testApp();

async function kept() {
  const { em } = app.context();
  return {
    limits: await em.count(RateLimit),
    traffic: await em.count(CodeTraffic),
    budgets: await em.count(CodeBudget),
  };
}

it('counts go once their window is over, and not before', async () => {
  countSent(app);
  const { clientId } = await enableProductionClient(app);
  const [session] = await openSessions(app, clientId, 1);
  if (!session) throw new Error('one session');
  await sendCode(app.context(), session, '+12025550142', '192.0.2.1');
  // address, hour, day, range, client
  expect(await kept()).toEqual({ limits: 5, traffic: 1, budgets: 1 });
  await purgeCounts(app.context());
  expect(await kept()).toEqual({ limits: 5, traffic: 1, budgets: 1 });
  app.advance(3700);
  await purgeCounts(app.context());
  expect(await kept()).toEqual({ limits: 1, traffic: 1, budgets: 1 });
  app.advance(8 * 86_400);
  await purgeCounts(app.context());
  expect(await kept()).toEqual({ limits: 0, traffic: 0, budgets: 1 });
  app.advance(91 * 86_400);
  await purgeCounts(app.context());
  expect(await kept()).toEqual({ limits: 0, traffic: 0, budgets: 0 });
});
