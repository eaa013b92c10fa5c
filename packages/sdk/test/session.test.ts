import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openAuthServer, type TokenSet } from '../src/auth-server.ts';
import { NoAnswerError } from '../src/errors.ts';
import { openFanApi } from '../src/fan-api.ts';
import { openSession, type SessionOptions } from '../src/session.ts';
import { memoryTokenStore, type TokenStore } from '../src/token-store.ts';
import { type Bend, CLIENT_ID, json, REDIRECT_URI, startIssuer, type TestIssuer } from './issuer.ts';

let issuer: TestIssuer;
let store: TokenStore;
beforeEach(async () => {
  issuer = await startIssuer();
  store = memoryTokenStore();
});
afterEach(() => issuer.stop());

/** A fan whose access token has so many seconds left, and whose refresh token is good. */
async function signedIn(secondsLeft: number, options: Partial<SessionOptions> = {}) {
  const authServer = openAuthServer({ issuer: issuer.url, clientId: CLIENT_ID, redirectUri: REDIRECT_URI });
  const { attempt } = await authServer.startSignIn({ scope: 'openid' });
  issuer.nonce = attempt.nonce;
  const callback = new URLSearchParams({ code: 'ac_1', state: attempt.state, iss: issuer.url });
  const tokens = await authServer.finishSignIn(callback, attempt);
  const open = (more: Partial<SessionOptions> = {}) => openSession({ authServer, store, ...options, ...more });
  const session = open();
  await session.begin({ ...tokens, expiresAt: Date.now() + secondsLeft * 1_000 });
  return { session, open, tokens };
}

type Answer = NonNullable<NonNullable<Bend['answers']>[number]>;
const cutOff: Answer = (response) => void response.destroy();
const late: Answer = async (response, rotate) => {
  const body = await rotate();
  await sleep(200);
  json(response, 200, body);
};

test('an access token with time left is used as it is', async () => {
  const { session } = await signedIn(11);
  expect(await session.accessToken()).toBe('at_1');
  expect(issuer.refreshed).toEqual([]);
});

test('thirty callers at once, of two sessions over one store, refresh once', async () => {
  const { session, open } = await signedIn(9);
  const other = open();
  const callers = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? session : other).accessToken());
  expect(new Set(await Promise.all(callers))).toEqual(new Set(['at_2']));
  expect(issuer.refreshed).toEqual(['rt_1']);
});

test('a token that the API refused is replaced, once for all who had it; the newer one is not', async () => {
  const { session } = await signedIn(60);
  const renewed = await Promise.all([1, 2, 3].map(() => session.accessToken({ refused: 'at_1' })));
  expect(renewed).toEqual(['at_2', 'at_2', 'at_2']);
  expect(await session.accessToken({ refused: 'at_1' })).toBe('at_2');
  expect(issuer.refreshed).toEqual(['rt_1']);
});

test('after refusal, sign-out and without a refresh token it says why the fan must sign in', async () => {
  const { session, tokens } = await signedIn(-1);
  issuer.revoked = true;
  await expect(session.accessToken()).rejects.toMatchObject({ reason: 'refused', cause: { error: 'invalid_grant' } });
  await expect(session.accessToken()).rejects.toMatchObject({ reason: 'signed_out' });
  expect(issuer.refreshed).toEqual(['rt_1']);
  const { refresh_token: _, ...response } = tokens.response;
  await session.begin({ response, expiresAt: Date.now() - 1 } as TokenSet);
  await expect(session.accessToken()).rejects.toMatchObject({ reason: 'no_refresh_token' });
});

describe('a lost answer to a refresh', () => {
  test('without a retry window: the token is never sent again, by this process or another', async () => {
    const { session, open } = await signedIn(-1);
    issuer.bend.answers = [(response, rotate) => void rotate().then(() => cutOff(response, rotate))];
    await expect(session.accessToken()).rejects.toMatchObject({ reason: 'outcome_unknown' });
    await expect(session.accessToken()).rejects.toMatchObject({ reason: 'outcome_unknown' });
    await expect(open().accessToken()).rejects.toMatchObject({ reason: 'outcome_unknown' });
    expect(issuer.refreshed).toEqual(['rt_1']);
    expect(issuer.revoked).toBe(false);
  });

  test('what is left of the access token is used until then', async () => {
    const { session } = await signedIn(8);
    issuer.bend.answers = [cutOff];
    expect(await session.accessToken()).toBe('at_1');
    await expect(session.accessToken({ refused: 'at_1' })).rejects.toMatchObject({ reason: 'outcome_unknown' });
  });

  test('within the client’s retry window the same token is sent again', async () => {
    const { session } = await signedIn(-1, { retryWindowSeconds: 30 });
    issuer.bend.answers = [cutOff, (response) => void response.writeHead(502).end('Bad gateway')];
    expect(await session.accessToken()).toBe('at_2');
    expect(issuer.refreshed).toEqual(['rt_1', 'rt_1', 'rt_1']);
  });

  test('of a process that died in the middle is recognised by its mark, soon after', async () => {
    const { session, open } = await signedIn(-1, { lostAfterMs: 300 });
    const stored = await store.read('default');
    const mark = { by: 'somebody', since: Date.now() };
    expect(await store.compareAndSet('default', 1, { ...stored, version: 2, refreshing: mark })).toBe(true);
    await expect(session.accessToken()).rejects.toMatchObject({ reason: 'outcome_unknown' });
    expect(await open({ retryWindowSeconds: 30 }).accessToken()).toBe('at_2');
    expect(issuer.refreshed).toEqual(['rt_1']);
  });
});

test('where the platform repeats requests by itself, a session without a retry window warns, once', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await signedIn(60);
  vi.stubGlobal('document', {});
  await signedIn(60, { retryWindowSeconds: 10 });
  expect(warn).not.toHaveBeenCalled();
  const { open } = await signedIn(-1);
  await open().accessToken();
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/retry window of 10 seconds.*retryWindowSeconds: 10/)]]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('after 503 with Retry-After the same refresh is sent again, at that time', async () => {
  const { session } = await signedIn(-1);
  issuer.bend.answers = [
    (response) => json(response, 503, { error: 'temporarily_unavailable' }, { 'retry-after': '1' }),
  ];
  const started = performance.now();
  expect(await session.accessToken()).toBe('at_2');
  expect(performance.now() - started).toBeGreaterThan(950);
  expect(issuer.refreshed).toEqual(['rt_1', 'rt_1']);
});

test('a longer Retry-After than the bound is reported, and nothing is lost', async () => {
  const { session } = await signedIn(-1);
  issuer.bend.answers = [(response) => json(response, 429, { error: 'slow_down' }, { 'retry-after': '60' })];
  await expect(session.accessToken()).rejects.toMatchObject({ name: 'OAuthError', status: 429, retryAfter: 60 });
  expect(await session.accessToken()).toBe('at_2');
});

test.each([
  ['metadata that cannot be read', 'metadata', new NoAnswerError({ method: 'GET', url: 'x' }, 'cut')],
  [
    'a request that surely never left',
    'refresh',
    new NoAnswerError({ method: 'POST', url: 'x' }, 'refused', { sent: false }),
  ],
] as const)('%s is no lost answer: the token is sent once the way is open again', async (_, part, fault) => {
  const authServer = openAuthServer({ issuer: issuer.url, clientId: CLIENT_ID, redirectUri: REDIRECT_URI });
  const { session } = await signedIn(-1, { authServer });
  const down = vi.spyOn(authServer, part).mockRejectedValue(fault);
  await expect(session.accessToken()).rejects.toMatchObject({ name: 'NoAnswerError' });
  expect(issuer.refreshed).toEqual([]);
  down.mockRestore();
  expect(await session.accessToken()).toBe('at_2');
  expect(issuer.refreshed).toEqual(['rt_1']);
});

test('a sign-out during a refresh counts: its tokens are not kept', async () => {
  const { session } = await signedIn(-1);
  issuer.bend.answers = [late];
  const waiting = session.accessToken().catch((error: unknown) => error);
  await expect.poll(() => issuer.refreshed.length).toBe(1);
  await session.signOut();
  await waiting;
  await expect(session.accessToken()).rejects.toMatchObject({ reason: 'signed_out' });
});

test('an aborted caller stops waiting; the refresh goes on for the others', async () => {
  const { session } = await signedIn(-1);
  issuer.bend.answers = [late];
  const abort = new AbortController();
  const [first, second] = [session.accessToken({ signal: abort.signal }), session.accessToken()];
  setTimeout(() => abort.abort(new Error('enough')), 50);
  await expect(first).rejects.toThrow('enough');
  expect(await second).toBe('at_2');
  expect(issuer.refreshed).toEqual(['rt_1']);
});

test('tokens of another fan, or with a wrong at_hash, are refused and forgotten', async () => {
  for (const claims of [{ sub: 'usr_2' }, { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }]) {
    issuer.bend = {};
    const { session } = await signedIn(-1);
    issuer.bend.claims = claims;
    await expect(session.accessToken()).rejects.toMatchObject({ reason: 'refused', cause: { name: 'CheckError' } });
    await expect(session.accessToken()).rejects.toMatchObject({ reason: 'signed_out' });
  }
});

describe('a call of the Fan API', () => {
  const apiUrl = 'https://api.example/fan';
  const refused = (status: number, headers: Record<string, string> = {}) =>
    new Response('{"message":"No."}', { status, headers });

  test('after the fan ended access, is a sign-in that is required, from the first answer on', async () => {
    const { session } = await signedIn(60);
    issuer.revoked = true;
    const fetch = vi.fn(async () => refused(401, { 'x-error-code': 'grant_revoked' }));
    const fan = openFanApi({ apiUrl, session, fetch });
    await expect(fan.tickets()).rejects.toMatchObject({ name: 'SignInRequiredError', reason: 'refused' });
    await expect(fan.tickets()).rejects.toMatchObject({ name: 'SignInRequiredError', reason: 'signed_out' });
    expect([fetch.mock.calls.length, issuer.refreshed]).toEqual([1, ['rt_1']]);
    const another = openFanApi({ apiUrl, session: { accessToken: async () => 'at', tokens: session.tokens }, fetch });
    const cause = { code: 'grant_revoked', message: 'No.' };
    await expect(another.tickets()).rejects.toMatchObject({ name: 'SignInRequiredError', reason: 'refused', cause });
  });

  test('that reads comes back after a 5xx without Retry-After, after growing pauses, three times at most; others do not', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.625);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const fetch = vi.fn(async () => refused(502));
    const fan = openFanApi({
      apiUrl,
      session: { accessToken: async () => 'at', tokens: async () => undefined },
      fetch,
    });
    await expect(fan.tickets()).rejects.toMatchObject({ name: 'FanApiError', status: 502 });
    expect(fetch).toHaveBeenCalledTimes(3);
    // by these numbers they differ from the timers of sockets that files before left in the process
    const pauses = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => [281.25, 562.5, 1_125].includes(ms));
    expect(pauses).toEqual([281.25, 562.5]);
    await expect(fan.claim(['00'])).rejects.toMatchObject({ status: 502 });
    expect(fetch).toHaveBeenCalledTimes(4);
    vi.restoreAllMocks();
  });
});
