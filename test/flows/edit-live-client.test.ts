import { expect, it } from 'vitest';
import type { Client } from '../../src/entities/client.ts';
import { authorizeError } from '../adapters/partner-api/oauth/send-authorize.ts';
import { BOB, clientAt, edit, step } from '../src/partners/client/production-client.ts';
import {
  authorize,
  callFan,
  callLogin,
  codeForm,
  consent,
  login,
  postForm,
  refreshForm,
  type Started,
} from '../support/partner.ts';
import { readCodesFromLog } from '../support/production.ts';
import { testApp } from '../support/test-app.ts';

/** What a partner and its fans see over HTTP while staff edit the client (D-132). */

const OLD = 'https://resale.example/callback';
const NEW = 'https://new.example/callback';
const SCOPE = 'openid offline_access fan:tickets:read';

const app = await testApp();
const codeFor = readCodesFromLog(app);

let fans = 0;

const choiceOf = (client: Client, redirectUri = OLD, scope = SCOPE) => ({ clientId: client.id, redirectUri, scope });

/** An enabled client that may ask for everything in `SCOPE`. */
async function liveClient(redirectUris = [OLD]): Promise<Client> {
  return editAndApprove(await clientAt(app, 'enabled'), { redirectUris, scopes: SCOPE.split(' ') });
}

async function editAndApprove({ id }: Client, changes: Parameters<typeof edit>[2]): Promise<Client> {
  const { version } = await edit(app, id, changes);
  return step(app, 'approve', id, BOB, { version });
}

async function reachConsent(client: Client, redirectUri = OLD): Promise<Started> {
  fans += 1;
  const phone = `+120255501${String(fans).padStart(2, '0')}`;
  const started = await authorize(app, choiceOf(client, redirectUri));
  await login(app, started, 'phone.sendCode', { phone });
  await login(app, started, 'phone.verifyCode', { code: codeFor(phone) });
  return started;
}

async function obtainCode(client: Client, redirectUri = OLD) {
  const started = await reachConsent(client, redirectUri);
  return { ...started, code: (await consent(app, started)).searchParams.get('code') ?? '' };
}

const exchange = async (obtained: Awaited<ReturnType<typeof obtainCode>>) =>
  postForm(app, '/oauth2/token', codeForm(obtained));
const refresh = (client: Client, token: unknown) =>
  postForm(app, '/oauth2/token', refreshForm(app, String(token), { client_id: client.id }));
const tickets = async (token: unknown) => (await callFan(app, '/tickets', String(token))).status;

async function mayCallFrom(origin: string): Promise<boolean> {
  const answer = await fetch(`${app.config.apiUrl}/tickets`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET' },
  });
  return answer.headers.get('access-control-allow-origin') === origin;
}

it('while an edit waits, fans sign in, apps refresh and call as before, and nothing of the edit counts', async () => {
  const client = await liveClient();
  const { body: before } = await exchange(await obtainCode(client));
  await edit(app, client.id, { redirectUris: [NEW], scopes: [...client.scopes, 'profile'] });

  expect(await tickets(before.access_token)).toBe(200);
  const refreshed = await refresh(client, before.refresh_token);
  expect(refreshed).toMatchObject({ status: 200, body: { scope: SCOPE } });
  const signedIn = await exchange(await obtainCode(client));
  expect(await tickets(signedIn.body.access_token)).toBe(200);
  await expect(authorize(app, choiceOf(client, NEW))).rejects.toThrow('400');
  expect(await authorizeError(app, choiceOf(client, OLD, `${SCOPE} profile`))).toBe('invalid_scope');
});

it('once approved, the new redirect URI, scope and origin work on the next request, and the removed ones do not', async () => {
  const fresh = `https://${crypto.randomUUID()}.example`;
  const client = await liveClient();
  const scopes = ['openid', 'offline_access', 'fan:tickets:read', 'profile'];
  await editAndApprove(client, { redirectUris: [`${fresh}/cb`], scopes });

  expect(await authorizeError(app, choiceOf(client, `${fresh}/cb`, `${SCOPE} profile`))).toBeNull();
  await expect(authorize(app, choiceOf(client, OLD))).rejects.toThrow('400');
  expect(await mayCallFrom(fresh)).toBe(true);
});

it('an edit that adds stops no fan: sign-ins under way, codes and refresh tokens go on', async () => {
  const client = await liveClient();
  const { body } = await exchange(await obtainCode(client));
  const [code, underWay] = [await obtainCode(client), await reachConsent(client)];
  const changes = { redirectUris: [OLD, NEW], scopes: [...client.scopes, 'profile'] };
  await editAndApprove(client, changes);

  expect((await exchange(code)).status).toBe(200);
  expect((await consent(app, underWay)).href).toContain(`${OLD}?code=`);
  expect(await refresh(client, body.refresh_token)).toMatchObject({ status: 200, body: { scope: SCOPE } });
});

it('a removed redirect URI gets no further code: a sign-in under way ends, a code that it has already is exchanged', async () => {
  const client = await liveClient([OLD, NEW]);
  const [code, underWay, elsewhere] = [
    await obtainCode(client),
    await reachConsent(client),
    await reachConsent(client, NEW),
  ];
  await editAndApprove(client, { redirectUris: [NEW] });

  const choice = { actions: [], mode: 'all_current_future', ticketIds: [] };
  for (const [procedure, input] of [['consent.grant', choice], ['consent.deny'], ['session.get']] as const) {
    const { error } = await callLogin(app, underWay, procedure, input);
    expect(error?.data.reason, procedure).toBe('session_expired');
  }
  expect((await consent(app, elsewhere)).href).toContain(`${NEW}?code=`);
  expect((await exchange(code)).status).toBe(200);
});

it('a removed scope is in no further token, and nobody can consent to it any more', async () => {
  const client = await liveClient();
  const { body } = await exchange(await obtainCode(client));
  const [code, underWay] = [await obtainCode(client), await reachConsent(client)];
  await editAndApprove(client, { scopes: ['openid', 'offline_access'] });

  const narrower = { status: 200, body: { scope: 'openid offline_access', granted_actions: [] } };
  const refreshed = await refresh(client, body.refresh_token);
  expect(refreshed).toMatchObject(narrower);
  expect(await tickets(refreshed.body.access_token)).toBe(403);
  expect(await exchange(code)).toMatchObject(narrower);
  expect((await callLogin(app, underWay, 'consent.options')).error?.data.reason).toBe('session_expired');
});
