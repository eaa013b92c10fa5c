import { afterEach, describe, expect, it } from 'vitest';
import { findSession } from '../../../src/staff/find-session.ts';
import { startProvider, type TestProvider } from '../../support/oidc-provider.ts';
import { startApp, type TestApp } from '../../support/start-app.ts';
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

/** A secret that means something else in Basic unless it is encoded as a form value first. */
const ODD_SECRET = 'one:two+three%20four five/six=&7~';

/** An app whose provider takes secrets by these methods only. @param document changes the discovery document */
async function startWith(authMethods: string[], document?: (metadata: Record<string, unknown>) => void) {
  provider = await startProvider({ authMethods, secret: ODD_SECRET });
  const { issuer, register } = provider;
  app = await startApp({ env: (port) => register(`http://localhost:${port}/admin`) });
  if (document) {
    const metadata = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as Record<
      string,
      unknown
    >;
    document(metadata);
    provider.discovery = metadata;
  }
  return app;
}

async function signInPage({ config }: TestApp) {
  const { url, answer } = await openStaffBrowser().follow(
    `${config.adminUrl}/auth/sign-in?returnTo=/admin/x`,
    `${config.adminUrl}/x`,
  );
  return { url, status: answer?.status, text: await answer?.text() };
}

/** What the provider's token endpoint says of a client that authenticates so. */
async function authenticate(method: 'basic' | 'form'): Promise<unknown> {
  const encoded = new URLSearchParams({ secret: ODD_SECRET }).toString().slice('secret='.length);
  const basic = Buffer.from(`console:${encoded}`).toString('base64');
  const answer = await fetch(`${provider?.issuer}/token`, {
    method: 'POST',
    headers: method === 'basic' ? { authorization: `Basic ${basic}` } : {},
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'none',
      redirect_uri: 'none',
      ...(method === 'form' && { client_id: 'console', client_secret: ODD_SECRET }),
    }),
  });
  return ((await answer.json()) as { error: string }).error;
}

describe('the secret goes to the provider as it says', () => {
  it.each([
    ['Basic alone', ['client_secret_basic'], { basic: 'invalid_grant', form: 'invalid_client' }],
    ['the form alone', ['client_secret_post'], { basic: 'invalid_client', form: 'invalid_grant' }],
    [
      'Basic beside the form',
      ['client_secret_basic', 'client_secret_post'],
      { basic: 'invalid_grant', form: 'invalid_client' },
    ],
    [
      'the form beside what we do not know',
      ['client_secret_post', 'private_key_jwt', 'client_secret_jwt'],
      { basic: 'invalid_client', form: 'invalid_grant' },
    ],
  ])('RFC 6749 §2.3.1: %s', async (_, methods, answers) => {
    const { config } = await startWith(methods);
    // who is authenticated is told that there is no such code
    expect({ basic: await authenticate('basic'), form: await authenticate('form') }).toEqual(answers);
    expect(await signInPage(app as TestApp)).toMatchObject({ url: `${config.adminUrl}/x` });
  });

  it.each([{ said: undefined }, { said: [] }])(
    'OpenID Connect Discovery §3: Basic where nothing is $said',
    async ({ said }) => {
      const { config } = await startWith(['client_secret_basic'], (metadata) => {
        metadata.token_endpoint_auth_methods_supported = said;
      });
      expect(await signInPage(app as TestApp)).toMatchObject({ url: `${config.adminUrl}/x` });
    },
  );

  it('neither: the sign-in names the variable and what the provider takes, and asks it again the next time', async () => {
    const running = await startWith(['client_secret_basic'], (metadata) => {
      metadata.token_endpoint_auth_methods_supported = ['private_key_jwt', 'tls_client_auth'];
    });
    const { status, text } = await signInPage(running);
    expect(status).toBe(409);
    expect(text).toContain('STAFF_OIDC_CLIENT_SECRET');
    expect(text).toContain('private_key_jwt, tls_client_auth');
    if (provider) provider.discovery = undefined;
    expect(await signInPage(running)).toMatchObject({ url: `${running.config.adminUrl}/x` });
  });

  it('neither, but we are a public client: there is no secret to send', async () => {
    provider = await startProvider({ authMethods: ['none'] });
    const { register } = provider;
    app = await startApp({
      env: (port) => ({
        ...register(`http://localhost:${port}/admin`, { client_secret: undefined }),
        STAFF_OIDC_CLIENT_SECRET: '',
      }),
    });
    expect(await signInPage(app)).toMatchObject({ url: `${app.config.adminUrl}/x` });
  });
});

it('links that are refused do not count as printed', async () => {
  provider = await startProvider();
  const { register } = provider;
  app = await startApp({ env: (port) => register(`http://localhost:${port}/admin`) });
  const { origin, config } = app;
  for (let i = 0; i < 8; i++) {
    const answer = await fetch(`${config.adminUrl}/auth/new-link`, { method: 'POST', headers: { origin } });
    expect(answer.status).toBe(409);
  }
});
