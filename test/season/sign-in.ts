import { setTimeout as sleep } from 'node:timers/promises';
import { type AuthServer, memoryTokenStore, openSession, type Session } from '@fan-api/sdk';
import { CookieJar } from 'tough-cookie';
import { RETRY_WINDOW_SECONDS, SCOPE } from './register-partner.ts';

/** The fan's phone, and where the login pages are. */
export interface FanSide {
  loginUrl: string;
  codeOf(phone: string, since: number): Promise<string | undefined>;
}

/** A step that the page could not take; the fan begins again. */
export class SignInBroken extends Error {}

const CODE_TRIES = 50;
const CODE_PAUSE_MS = 100;

/** A fan does one thing after the other: of two sign-ins at a time, one would read the code of the other. */
const busy = new Map<string, Promise<unknown>>();

/** Signs a fan in: the partner with the SDK, the fan as the login page does it. @throws SignInBroken, errors of the SDK */
export function signIn(authServer: AuthServer, fan: FanSide, phone: string): Promise<Session> {
  const before = busy.get(phone) ?? Promise.resolve();
  const signingIn = before.catch(() => undefined).then(() => walkThrough(authServer, fan, phone));
  busy.set(phone, signingIn);
  return signingIn;
}

async function walkThrough(authServer: AuthServer, fan: FanSide, phone: string): Promise<Session> {
  const { url, attempt } = await authServer.startSignIn({ scope: SCOPE });
  const page = await openLoginPage(fan.loginUrl, url);
  const since = Date.now();
  await page('phone.sendCode', { phone });
  await page('phone.verifyCode', { code: await receivedCode(fan, phone, since) });
  const { actions } = await page('consent.options');
  const granted = await page('consent.grant', { actions, mode: 'all_current_future', ticketIds: [] });
  const session = openSession({ authServer, store: memoryTokenStore(), retryWindowSeconds: RETRY_WINDOW_SECONDS });
  await session.begin(await authServer.finishSignIn(new URL(String(granted.redirectTo)), attempt));
  return session;
}

async function receivedCode({ codeOf }: FanSide, phone: string, since: number): Promise<string> {
  for (let tries = 0; tries < CODE_TRIES; tries++) {
    const code = await codeOf(phone, since);
    if (code !== undefined) return code;
    await sleep(CODE_PAUSE_MS);
  }
  throw new SignInBroken(`no code reached ${phone}`);
}

/** What the browser does: follows the redirect, keeps the cookie. @returns the calls of the page */
async function openLoginPage(loginUrl: string, authorizeUrl: string) {
  const jar = new CookieJar();
  const begun = await asked(authorizeUrl, { redirect: 'manual' });
  for (const cookie of begun.headers.getSetCookie()) await jar.setCookie(cookie, authorizeUrl);
  const location = begun.headers.get('location') ?? '';
  const sessionId = location === '' ? null : new URL(location).searchParams.get('session_id');
  if (sessionId === null) throw new SignInBroken(`authorize answered ${begun.status}: ${await begun.text()}`);
  return async (procedure: string, input?: object): Promise<Record<string, unknown>> => {
    const url = `${loginUrl}/trpc/${procedure}`;
    const cookie = await jar.getCookieString(url);
    const answer = await asked(url, {
      headers: { 'content-type': 'application/json', 'x-session-id': sessionId, cookie },
      ...(input && { method: 'POST', body: JSON.stringify(input) }),
    });
    const body: { result?: { data: Record<string, unknown> }; error?: { message: string } } = await answer.json();
    if (body.result === undefined) throw new SignInBroken(`${procedure}: ${body.error?.message}`);
    return body.result.data;
  };
}

/** @throws SignInBroken where no answer came */
async function asked(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw new SignInBroken(`${new URL(url).pathname}: ${error}`);
  }
}
