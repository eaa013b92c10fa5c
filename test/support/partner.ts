import * as oidc from 'openid-client';
import type { Id } from '../../src/platform/identifier/type-id.ts';
import type { TestApp } from './start-app.ts';

/**
 * A partner's and a fan's side of the flow, step by step over real HTTP, so that a test can bend any step. Nothing here
 * uses code of `src/`.
 */
export interface AuthorizeChoice {
  clientId?: string;
  redirectUri?: string;
  scope?: string;
  /** Changes or (undefined) removes parameters of the authorize request. */
  parameters?: Record<string, string | undefined>;
  verifier?: string;
}

/** A started authorization: the browser's cookie, the login session, and what the partner must remember. */
export interface Started extends BrowserSession {
  clientId: string;
  redirectUri: string;
  verifier: string;
  state: string;
  nonce: string;
}

/** What the fan's browser has of a login session. */
export interface BrowserSession {
  cookie: string;
  sessionId: string;
}

/** The session that the authorization endpoint opened, by its redirect. */
export function openedSession(answer: Response): BrowserSession {
  return {
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
    sessionId: new URL(answer.headers.get('location') ?? '').searchParams.get('session_id') ?? '',
  };
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token: string;
  grant_id: Id<'grant'>;
  scope: string;
  granted_actions: string[];
  [field: string]: unknown;
}

export interface FanChoice {
  phone?: string;
  code?: string;
  actions?: string[];
  mode?: 'all_current_future' | 'selected';
  ticketIds?: string[];
}

export const REDIRECT_URI = 'http://localhost:4000/callback';
export const USUAL_SCOPE = 'openid profile offline_access fan:tickets:read fan:listings:write';

/** URL of an authorize request and what belongs to it. */
export async function authorizeUrl(app: TestApp, choice: AuthorizeChoice = {}) {
  const verifier = choice.verifier ?? oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: choice.clientId ?? app.kit.client_id,
    redirect_uri: choice.redirectUri ?? REDIRECT_URI,
    scope: choice.scope ?? USUAL_SCOPE,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...choice.parameters,
  };
  const url = new URL(`${app.config.authUrl}/oauth2/authorize`);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return { url, verifier, state, nonce };
}

/** Sends the browser to the authorization endpoint. */
export async function authorize(app: TestApp, choice: AuthorizeChoice = {}, cookie?: string): Promise<Started> {
  const { url, verifier, state, nonce } = await authorizeUrl(app, choice);
  const answer = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} });
  if (answer.status !== 302 || !answer.headers.has('location'))
    throw new Error(`authorize answered ${answer.status}: ${await answer.text()}`);
  return {
    ...openedSession(answer),
    clientId: choice.clientId ?? app.kit.client_id,
    redirectUri: choice.redirectUri ?? REDIRECT_URI,
    verifier,
    state,
    nonce,
  };
}

/** One tRPC call of the login page, as it comes over the wire. */
export async function callLogin(app: TestApp, session: BrowserSession, procedure: string, input?: object) {
  const query = procedure === 'session.get' || procedure === 'consent.options';
  const answer = await fetch(`${app.config.loginUrl}/trpc/${procedure}`, {
    method: query ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': session.sessionId, cookie: session.cookie },
    ...(!query && { body: JSON.stringify(input ?? {}) }),
  });
  const body = (await answer.json()) as {
    result?: { data: Record<string, unknown> };
    error?: { message: string; data: { reason: string; retryAfter?: number } };
  };
  return { status: answer.status, data: body.result?.data, error: body.error };
}

/** As `callLogin`, where an error is a failure of the test. */
export async function login<T = Record<string, unknown>>(
  app: TestApp,
  session: BrowserSession,
  procedure: string,
  input?: object,
): Promise<T> {
  const { data, error } = await callLogin(app, session, procedure, input);
  if (error) throw new Error(`${procedure}: ${error.data.reason}: ${error.message}`);
  return data as T;
}

/** The fan verifies the phone of a test user (the starter kit's first by default). */
export async function verifyPhone(app: TestApp, started: BrowserSession, choice: FanChoice = {}): Promise<void> {
  const [testUser] = app.kit.test_users;
  await login(app, started, 'phone.sendCode', { phone: choice.phone ?? testUser?.phone });
  await login(app, started, 'phone.verifyCode', { code: choice.code ?? testUser?.code });
}

/** The fan consents (to everything by default). @returns the address the browser is sent to */
export async function consent(app: TestApp, started: BrowserSession, choice: FanChoice = {}): Promise<URL> {
  const offer = await login<{ actions: string[] }>(app, started, 'consent.options');
  const { redirectTo } = await login<{ redirectTo: string }>(app, started, 'consent.grant', {
    actions: choice.actions ?? offer.actions,
    mode: choice.mode ?? 'all_current_future',
    ticketIds: choice.ticketIds ?? [],
  });
  return new URL(redirectTo);
}

/** From the authorize request to a code. */
export async function obtainCode(
  app: TestApp,
  choice: AuthorizeChoice & FanChoice = {},
): Promise<Started & { code: string }> {
  const started = await authorize(app, choice);
  await verifyPhone(app, started, choice);
  const callback = await consent(app, started, choice);
  return { ...started, code: callback.searchParams.get('code') ?? '' };
}

/** A form post to an endpoint of the authorization server. Pairs may repeat a name. */
export async function postForm(
  app: TestApp,
  path: string,
  form: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
) {
  const body = new URLSearchParams(form);
  return readJson(await fetch(`${app.config.authUrl}${path}`, { method: 'POST', body, headers }));
}

async function readJson(answer: Response) {
  const text = await answer.text();
  const body = (text === '' ? undefined : JSON.parse(text)) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, body };
}

/** The form that exchanges a code, with some fields changed or (undefined) left out. */
export function codeForm(
  obtained: Started & { code: string },
  changes: Record<string, string | undefined> = {},
): Record<string, string> {
  const form: Record<string, string | undefined> = {
    grant_type: 'authorization_code',
    client_id: obtained.clientId,
    code: obtained.code,
    redirect_uri: obtained.redirectUri,
    code_verifier: obtained.verifier,
    ...changes,
  };
  return Object.fromEntries(Object.entries(form).filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** The form that refreshes, with some fields changed or left out. */
export function refreshForm(
  app: TestApp,
  refreshToken: string,
  changes: Record<string, string> = {},
): Record<string, string> {
  return { grant_type: 'refresh_token', client_id: app.kit.client_id, refresh_token: refreshToken, ...changes };
}

/** What the token endpoint answered: its status, its header fields, and the members of its body. */
export type TokenAnswer = { status: number; headers: Headers; error?: string; error_description?: string } & Tokens;

async function askForTokens(app: TestApp, form: Record<string, string>): Promise<TokenAnswer> {
  const { status, headers, body } = await postForm(app, '/oauth2/token', form);
  return { status, headers, ...(body as Tokens) };
}

/** Exchanges a code, with some fields of the form changed or (undefined) left out. */
export function exchange(
  app: TestApp,
  obtained: Started & { code: string },
  changes: Record<string, string | undefined> = {},
): Promise<TokenAnswer> {
  return askForTokens(app, codeForm(obtained, changes));
}

/** Refreshes, with some fields of the form changed. */
export function refresh(app: TestApp, token: string, changes: Record<string, string> = {}): Promise<TokenAnswer> {
  return askForTokens(app, refreshForm(app, token, changes));
}

/** The whole flow: signs a fan in and returns the token response. */
export async function signIn(app: TestApp, choice: AuthorizeChoice & FanChoice = {}): Promise<Tokens> {
  const { status, headers: _, ...tokens } = await exchange(app, await obtainCode(app, choice));
  if (status !== 200) throw new Error(`token endpoint answered ${status}: ${JSON.stringify(tokens)}`);
  return tokens;
}

/** A call of the Fan API. */
export async function callFan(app: TestApp, path: string, token?: string, init: RequestInit = {}) {
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...init.headers };
  return readJson(await fetch(`${app.config.apiUrl}${path}`, { ...init, headers }));
}
