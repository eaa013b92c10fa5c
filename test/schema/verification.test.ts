import { expect, test } from 'vitest';
import { sendCode } from '../../src/sign-in/verification/send-code.ts';
import { countSent, openSessions, refusalOf } from '../src/sign-in/abuse/code-stage.ts';
import { enableProductionClient } from '../support/production.ts';
import { newStaff, runAs } from '../support/staff-call.ts';
import { testApp } from '../support/test-app.ts';

const app = await testApp({ codeLimits: { breakerSample: 10, breakerPercent: 20 } });
const support = await newStaff(app, 'support');
const { clientId } = await enableProductionClient(app);
countSent(app);
const READ = `{ verification {
  provider sentToday countries { country sent verified } breakers { country trips trials verified openedAt retryAt }
  limits { perPhone perRange perAddress perClient perDay countries breakerSample breakerPercent }
} }`;
const RETRY = `mutation ($country: String, $reason: String!) {
  retryVerification(country: $country, reason: $reason) {
    __typename ... on VerificationBreaker { country trials } ... on Refusal { code message }
  }
}`;
async function send(count: number) {
  const refusals: (string | undefined)[] = [];
  for (const [i, session] of (await openSessions(app, clientId, count)).entries()) {
    const refusal = await refusalOf(sendCode(app.context(), session, `+1202555${1000 + i}`, '192.0.2.1'));
    refusals.push(refusal?.code);
  }
  return refusals;
}

test('staff see the budget, the limits, and what the breaker stopped', async () => {
  expect(await runAs(app, support, READ)).toMatchObject({
    verification: {
      provider: 'counted',
      sentToday: 0,
      breakers: [],
      limits: { perPhone: 1000, perClient: 3000, perDay: 10_000, countries: null, breakerPercent: 20 },
    },
  });
  await send(12);
  // before the clock moves on, perhaps into the next day
  expect(await runAs(app, support, READ)).toMatchObject({ verification: { sentToday: 12 } });
  app.advance(181);
  expect(await send(1)).toEqual(['verification_unavailable']);
  expect(await runAs(app, support, READ)).toMatchObject({
    verification: {
      countries: [{ country: 'US', sent: 12, verified: 0 }],
      breakers: [{ country: 'US', trips: 1, trials: 0 }],
    },
  });
});

test('an admin may have it tried at once, with a reason on record, and once only', async () => {
  const variables = { country: 'US', reason: 'A test of ours' };
  // the sign-in of an admin must be fresh
  const admin = await newStaff(app, 'admin');
  expect(await runAs(app, admin, RETRY, variables)).toEqual({
    retryVerification: { __typename: 'VerificationBreaker', country: 'US', trials: 0 },
  });
  expect(await runAs(app, admin, RETRY, variables)).toMatchObject({ retryVerification: { code: 'not_found' } });
  expect(await send(11)).toEqual([...Array.from({ length: 10 }, () => undefined), 'verification_unavailable']);
  const opened = "select actor, details from audit_entry where action like 'code_breaker.%'";
  const [entry] = await app.context().em.execute(opened);
  expect(entry).toMatchObject({ actor: `staff:${admin.id}`, details: { reason: 'A test of ours' } });
});
