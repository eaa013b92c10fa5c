import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { challengeOf } from '../../../src/oauth/pkce.ts';
import type { Answer, Caller } from './caller.ts';
import type { Operation, Session } from './ledger.ts';

/** A fan of the starter kit, at the partner of the kit. */
export interface FanPlan {
  clientId: string;
  redirectUri: string;
  phone: string;
  code: string;
}

const SCOPE = 'openid offline_access fan:tickets:read fan:listings:write fan:claims:write';
const ROUNDS = 6;
const PAUSE_MS = 150;

/** Signs in, and uses the grant for a while; then anew. */
export async function liveAsFan(caller: Caller, plan: FanPlan): Promise<void> {
  while (!caller.stopped.aborted) {
    const session = await signIn(caller, plan);
    for (let round = 0; session && !session.lost && round < ROUNDS && !caller.stopped.aborted; round++) {
      await readTickets(caller, session);
      await refresh(caller, session, plan);
      await sleep(PAUSE_MS);
    }
    await sleep(PAUSE_MS);
  }
}

/** From the authorize request to tokens. @returns undefined where the fan must begin again */
export async function signIn(caller: Caller, plan: FanPlan): Promise<Session | undefined> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: plan.clientId,
    redirect_uri: plan.redirectUri,
    scope: SCOPE,
    state: randomBytes(8).toString('hex'),
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  const begun = await caller.insist('sign-in', `/oauth2/authorize?${query}`);
  const location = begun.headers.get('location');
  if (location === null) return startOver(caller, 'authorize', begun);
  const page = pageOf(caller, begun, new URL(location).searchParams.get('session_id') ?? '');

  const steps: [procedure: string, input: object, next: string][] = [
    ['phone.sendCode', { phone: plan.phone }, 'code'],
    ['phone.verifyCode', { code: plan.code }, 'consent'],
  ];
  for (const [procedure, input, next] of steps) {
    const answer = await page('sign-in', procedure, input);
    // as the page does after a try whose outcome it does not know, and where the sign-in has moved on: it asks for the step
    const mayBeThere = answer.repeated || answer.status === 409;
    if (answer.status !== 200 && !(mayBeThere && (await stepOf(page)) === next)) {
      return startOver(caller, procedure, answer);
    }
  }
  const offered = await page('consent', 'consent.options');
  const actions = dataOf(offered).actions;
  if (!Array.isArray(actions)) return startOver(caller, 'consent.options', offered);
  const consented = await page('consent', 'consent.grant', { actions, mode: 'all_current_future', ticketIds: [] });
  const redirectTo = dataOf(consented).redirectTo;
  if (typeof redirectTo !== 'string') return startOver(caller, 'consent.grant', consented);
  return exchange(caller, plan, new URL(redirectTo).searchParams.get('code') ?? '', verifier);
}

async function exchange(caller: Caller, plan: FanPlan, code: string, verifier: string): Promise<Session | undefined> {
  const codeForm = {
    grant_type: 'authorization_code',
    client_id: plan.clientId,
    code,
    redirect_uri: plan.redirectUri,
    code_verifier: verifier,
  };
  const answer = await caller.insist('exchange', '/oauth2/token', formPost(codeForm));
  if (answer.status !== 200) return startOver(caller, 'exchange', answer);
  const { grant_id: grantId, access_token: accessToken, refresh_token: refreshToken } = answer.body;
  const session: Session = {
    grantId: String(grantId),
    code,
    codeForm,
    accessToken: String(accessToken),
    refreshToken: String(refreshToken),
  };
  caller.ledger.sessions.push(session);
  return session;
}

/** Replaces the tokens of a session. */
export async function refresh(caller: Caller, session: Session, plan: Pick<FanPlan, 'clientId'>): Promise<void> {
  const answer = await caller.insist('refresh', '/oauth2/token', formPost(refreshForm(session, plan)));
  if (answer.status !== 200) {
    session.lost = `refresh: ${sentenceOf(answer)}`;
    return;
  }
  session.accessToken = String(answer.body.access_token);
  session.refreshToken = String(answer.body.refresh_token);
}

export function refreshForm(session: Session, plan: Pick<FanPlan, 'clientId'>): Record<string, string> {
  return { grant_type: 'refresh_token', client_id: plan.clientId, refresh_token: session.refreshToken };
}

async function readTickets(caller: Caller, session: Session): Promise<void> {
  const headers = { authorization: `Bearer ${session.accessToken}` };
  const answer = await caller.insist('tickets', '/fan/tickets', { headers });
  if (answer.status !== 200) session.lost = `tickets: ${sentenceOf(answer)}`;
}

export function formPost(form: Record<string, string>): RequestInit {
  return { method: 'POST', body: new URLSearchParams(form) };
}

type Page = (operation: Operation, procedure: string, input?: object) => Promise<Answer>;

/** Calls of the login page, in the browser that began the sign-in. */
function pageOf(caller: Caller, begun: Answer, sessionId: string): Page {
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const headers = { 'content-type': 'application/json', 'x-session-id': sessionId, cookie };
  return (operation, procedure, input) =>
    caller.insist(operation, `/login/trpc/${procedure}`, {
      headers,
      ...(input && { method: 'POST', body: JSON.stringify(input) }),
    });
}

async function stepOf(page: Page): Promise<unknown> {
  return dataOf(await page('sign-in', 'session.get')).step;
}

function dataOf({ body }: Answer): Record<string, unknown> {
  return (body.result as { data?: Record<string, unknown> } | undefined)?.data ?? {};
}

function startOver(caller: Caller, step: string, answer: Answer): undefined {
  caller.ledger.lostSignIns.push(`${step}: ${sentenceOf(answer)}${answer.repeated ? ' (repeated)' : ''}`);
}

/** What a refusal says, without what differs from answer to answer. */
export function sentenceOf({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const { message, error, error_description: description } = body;
  const told = typeof error === 'object' ? (error as { message?: string } | null)?.message : description;
  return `${status} ${String(told ?? message ?? '')}`.replace(/ \(.*/, '');
}
