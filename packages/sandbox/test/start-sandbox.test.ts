import { memoryTokenStore, openAuthServer, openSession, type Session } from '@fan-api/sdk';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../src/start-sandbox.ts';

const sandbox = await startSandbox({ seed: 7 });
const [seller = failing()] = sandbox.users;
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

function failing(): never {
  throw new Error('the sandbox has no test user');
}

async function signIn(choice: { actions?: string[]; tickets?: string[] } = {}): Promise<Session> {
  const redirectUri = 'http://localhost:4000/callback';
  const authServer = openAuthServer({ issuer: sandbox.issuer, clientId: sandbox.client.id, redirectUri });
  const { url, attempt } = await authServer.startSignIn({ scope: 'openid offline_access fan:tickets:read' });
  const callback = await sandbox.signIn(seller, { url, ...choice });
  const session = openSession({ authServer, store: memoryTokenStore() });
  await session.begin(await authServer.finishSignIn(callback, attempt));
  return session;
}

async function readTickets(session: Session) {
  const headers = { authorization: `Bearer ${await session.accessToken()}` };
  const answer = await fetch(`${sandbox.api}/tickets`, { headers });
  const body = (await answer.json()) as { tickets?: { id: string }[]; error?: string };
  return { status: answer.status, ids: body.tickets?.map(({ id }) => id) };
}

describe('startSandbox', { timeout: 120_000 }, () => {
  it('signs a test user in, who then has the tickets that it names', async () => {
    expect(await readTickets(await signIn())).toEqual({ status: 200, ids: seller.tickets.map(({ id }) => id) });
  });

  it('signs in with some tickets only', async () => {
    const [first] = seller.tickets.map(({ id }) => id);
    expect(await readTickets(await signIn({ tickets: [String(first)] }))).toEqual({ status: 200, ids: [first] });
  });

  it('an authorization request that is refused ends at the redirect URI with its error', async () => {
    const url = new URL(`${sandbox.issuer}/oauth2/authorize`);
    const redirectUri = 'http://localhost:4000/callback';
    url.search = String(new URLSearchParams({ client_id: sandbox.client.id, redirect_uri: redirectUri }));
    const callback = await sandbox.signIn(seller, { url });
    expect(callback.href.startsWith(redirectUri)).toBe(true);
    expect(callback.searchParams.get('error')).toBe('invalid_request');
  });

  it('a failure is met by as many calls as it was armed for, and one that does not exist is refused', async () => {
    const session = await signIn();
    await sandbox.fail('rate_limited', { operation: 'tickets.list', times: 1 });
    expect((await readTickets(session)).status).toBe(429);
    expect((await readTickets(session)).status).toBe(200);
    await expect(sandbox.fail('nonsense')).rejects.toThrow('must be one of');
  });

  it('time travel adds up: a token of a minute and a grant of thirty days are over', async () => {
    const session = await signIn();
    const token = await session.accessToken();
    await sandbox.travel(59);
    await sandbox.travel(2);
    const answer = await fetch(`${sandbox.api}/tickets`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
    await sandbox.travel(31 * 86_400);
    await expect(session.refresh()).rejects.toThrow();
  });

  it('a reset brings back what was, within a second, and ends every sign-in', async () => {
    const session = await signIn();
    await sandbox.fail('unavailable', { times: 100 });
    await sandbox.travel(3_600);
    const began = performance.now();
    await sandbox.reset();
    expect(performance.now() - began).toBeLessThan(1_000);
    expect((await readTickets(session)).status).toBe(401);
    expect(await readTickets(await signIn())).toEqual({ status: 200, ids: seller.tickets.map(({ id }) => id) });
  });
});
