import { afterEach, expect, it } from 'vitest';
import { findSession } from '../../src/staff/find-session.ts';
import { startProvider, type TestProvider } from '../support/oidc-provider.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { openStaffBrowser } from './staff-browser.ts';

let provider: TestProvider | undefined;
let app: TestApp | undefined;
afterEach(async () => {
  await app?.stop();
  await provider?.stop();
});

it('a provider that has us as a public client, puts groups into the ID token, and tells when the person signed in', async () => {
  provider = await startProvider({ groupsInIdToken: true });
  const register = provider.register;
  app = await startApp({
    env: (port) => ({
      ...register(`http://localhost:${port}/admin`, {
        client_secret: undefined,
        token_endpoint_auth_method: 'none',
        require_auth_time: true,
      }),
      STAFF_OIDC_CLIENT_SECRET: '',
    }),
  });
  const browser = openStaffBrowser();
  const { url } = await browser.follow(
    `${app.config.adminUrl}/auth/sign-in?returnTo=/admin/x`,
    `${app.config.adminUrl}/x`,
  );
  expect(url).toBe(`${app.config.adminUrl}/x`);
  const staff = await findSession(app.context(), browser.cookie(url, 'fan_staff') ?? '');
  expect(staff).toMatchObject({ name: 'Ada Admin', role: 'admin' });
  expect(Math.abs((staff?.authenticatedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
});
