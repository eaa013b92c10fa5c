import { afterEach, describe, expect, it } from 'vitest';
import { findSession } from '../../../../src/people/account/find-session.ts';
import { readConfig } from '../../../../src/platform/config/read-config.ts';
import { type ProviderOptions, startProvider, type TestProvider } from '../../../support/oidc-provider.ts';
import { KEY_ENCRYPTION_KEY } from '../../../support/start-app.ts';
import { testApp } from '../../../support/test-app.ts';
import { openStaffBrowser } from './staff-browser.ts';

// its routes are those of a console with a provider; each test has another one
const first = await startProvider();
const app = await testApp({ env: (port) => first.register(`http://localhost:${port}/admin`) });
await first.stop();
const usual = { ...app.config };
const auth = `${app.config.adminUrl}/auth`;
let provider: TestProvider;
afterEach(async () => {
  Object.assign(app.config, usual);
  await provider.stop();
});

/** Lets staff sign in through another provider. @param metadata more of its registration of the console */
async function takeProvider(options: ProviderOptions, metadata?: Record<string, unknown>, env = {}): Promise<void> {
  provider = await startProvider(options);
  const registered = provider.register(app.config.adminUrl, metadata);
  const { staffProvider } = readConfig({ DATABASE_URL: usual.databaseUrl, KEY_ENCRYPTION_KEY, ...registered, ...env });
  Object.assign(app.config, { staffProvider });
}

it('a provider that has us as a public client, puts groups into the ID token, and tells when the person signed in', async () => {
  const metadata = { client_secret: undefined, token_endpoint_auth_method: 'none', require_auth_time: true };
  await takeProvider({ groupsInIdToken: true }, metadata, { STAFF_OIDC_CLIENT_SECRET: '' });
  const browser = openStaffBrowser();
  const { url } = await browser.follow(`${auth}/sign-in?returnTo=/admin/x`, `${app.config.adminUrl}/x`);
  expect(url).toBe(`${app.config.adminUrl}/x`);
  const staff = await findSession(app.context(), browser.cookie(url, 'fan_staff') ?? '');
  expect(staff).toMatchObject({ name: 'Ada Admin', role: 'admin' });
  expect(Math.abs((staff?.authenticatedAt?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000);
});

/** A secret that means something else in Basic unless it is encoded as a form value first. */
const ODD_SECRET = 'one:two+three%20four five/six=&7~';

/** A provider that takes secrets by these methods only. @param document changes its discovery document */
async function startWith(authMethods: string[], document?: Record<string, unknown>): Promise<void> {
  await takeProvider({ authMethods, secret: ODD_SECRET });
  if (!document) return;
  const metadata = (await (await fetch(`${provider.issuer}/.well-known/openid-configuration`)).json()) as object;
  provider.discovery = { ...metadata, ...document };
}

const SIGNED_IN = { url: `${app.config.adminUrl}/x` };

async function signInPage() {
  const { url, answer } = await openStaffBrowser().follow(`${auth}/sign-in?returnTo=/admin/x`, SIGNED_IN.url);
  return { url, status: answer?.status, text: await answer?.text() };
}

/** What the provider's token endpoint says of a client that authenticates so. */
async function authenticate(method: 'basic' | 'form'): Promise<unknown> {
  const encoded = new URLSearchParams({ secret: ODD_SECRET }).toString().slice('secret='.length);
  const basic = Buffer.from(`console:${encoded}`).toString('base64');
  const answer = await fetch(`${provider.issuer}/token`, {
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
    await startWith(methods);
    // who is authenticated is told that there is no such code
    expect({ basic: await authenticate('basic'), form: await authenticate('form') }).toEqual(answers);
    expect(await signInPage()).toMatchObject(SIGNED_IN);
  });

  it.each([{ said: undefined }, { said: [] }])(
    'OpenID Connect Discovery §3: Basic where nothing is $said',
    async ({ said }) => {
      await startWith(['client_secret_basic'], { token_endpoint_auth_methods_supported: said });
      expect(await signInPage()).toMatchObject(SIGNED_IN);
    },
  );

  it('neither: the sign-in names the variable and what the provider takes, and asks it again the next time', async () => {
    await startWith(['client_secret_basic'], {
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'tls_client_auth'],
    });
    const { status, text } = await signInPage();
    expect(status).toBe(409);
    expect(text).toContain('STAFF_OIDC_CLIENT_SECRET');
    expect(text).toContain('private_key_jwt, tls_client_auth');
    provider.discovery = undefined;
    expect(await signInPage()).toMatchObject(SIGNED_IN);
  });

  it('neither, but we are a public client: there is no secret to send', async () => {
    await takeProvider({ authMethods: ['none'] }, { client_secret: undefined }, { STAFF_OIDC_CLIENT_SECRET: '' });
    expect(await signInPage()).toMatchObject(SIGNED_IN);
  });
});

it('links that are refused do not count as printed', async () => {
  await takeProvider({});
  for (let i = 0; i < 8; i++) {
    const answer = await fetch(`${auth}/new-link`, { method: 'POST', headers: { origin: app.origin } });
    expect(answer.status).toBe(409);
  }
});
