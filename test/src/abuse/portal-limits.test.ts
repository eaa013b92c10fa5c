import { expect, it } from 'vitest';
import { registerFan } from '../../../src/fan/register-fan.ts';
import { sendPortalCode } from '../../../src/portal/send-portal-code.ts';
import { testApp } from '../../support/test-app.ts';
import { countSent, refusalOf } from './code-stage.ts';

const app = await testApp({ env: { VERIFICATION_PHONE_LIMIT: '5', VERIFICATION_COUNTRIES: 'US' } });

const KNOWN = '+12025550142';
const STRANGER = '+12025550143';

it('the portal keeps the limits, for numbers that nobody has too, to which nothing is sent', async () => {
  const provider = countSent(app);
  const context = app.context();
  await registerFan(context, 'production', KNOWN);
  await context.em.flush();
  for (const phone of [KNOWN, STRANGER]) {
    const answers: (string | undefined)[] = [];
    for (let i = 0; i < 7; i++) {
      const asked = sendPortalCode(app.context(), undefined, phone, `198.51.100.${i}`);
      answers.push((await refusalOf(asked))?.code);
    }
    expect(answers).toEqual([...Array.from({ length: 5 }, () => undefined), 'rate_limited', 'rate_limited']);
  }
  // sending is not waited for
  await expect.poll(() => provider.sent).toEqual(Array.from({ length: 5 }, () => KNOWN));
  const elsewhere = await refusalOf(sendPortalCode(app.context(), undefined, '+447400123456', '198.51.100.9'));
  expect(elsewhere?.code).toBe('verification_unavailable');
});
