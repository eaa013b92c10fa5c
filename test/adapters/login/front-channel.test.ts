import { expect, it } from 'vitest';
import { countStatements } from '../../support/count-statements.ts';
import { authorize, consent, login, verifyPhone } from '../../support/partner.ts';
import { testApp } from '../../support/test-app.ts';

const app = await testApp();

/** As the pages do it: each asks for the session when it is shown, and again when the fan is signed in. */
async function signInAsAPage(): Promise<URL> {
  const started = await authorize(app);
  await login(app, started, 'session.get');
  await verifyPhone(app, started);
  await login(app, started, 'session.get');
  return consent(app, started);
}

it('D-242 a sign-in takes 12 statements from the authorize request to the code', async () => {
  await signInAsAPage();
  const { result, statements } = await countStatements(signInAsAPage);
  expect(result.searchParams.get('code')).toBeTruthy();
  expect(statements.map((text) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 120))).toHaveLength(12);
});
