import { Agent, fetch } from 'undici';

/** The service is on this machine, whatever its name: a container may not know its own name. */
const HERE = new Agent({
  connect: { lookup: (_host, _options, answer) => answer(null, [{ address: '127.0.0.1', family: 4 }]) },
});

/** A test user at a browser. */
export interface SignInUser {
  phone: string;
  code: string;
}

/** What the fan allows. */
export interface Consent {
  /** All that the client asks for, unless given. */
  actions?: string[];
  /** Identifiers; all current and future tickets, unless given. */
  tickets?: string[];
}

/** Queries of the sign-in page; its other calls change something. */
const QUERIES = new Set(['session.get', 'consent.options']);

/**
 * Does what a fan and a browser do on the hosted pages, by the same calls.
 * @param url the authorization request, as your own code made it
 * @param login address of the hosted pages
 * @returns where the browser ends: your redirect URI, with a code or an error
 * @throws Error with the answer where a step is refused
 */
export async function walkSignIn(url: string | URL, login: string, user: SignInUser, consent: Consent): Promise<URL> {
  const answer = await fetch(url, { dispatcher: HERE, redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`authorize answered ${answer.status}: ${await answer.text()}`);
  // an error goes to the redirect URI without a page
  const sessionId = new URL(location).searchParams.get('session_id');
  if (!location.startsWith(login) || sessionId === null) return new URL(location);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

  async function page<Answer>(procedure: string, input: object = {}): Promise<Answer> {
    const isQuery = QUERIES.has(procedure);
    const called = await fetch(`${login}/trpc/${procedure}`, {
      dispatcher: HERE,
      method: isQuery ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', 'x-session-id': sessionId ?? '', cookie },
      ...(!isQuery && { body: JSON.stringify(input) }),
    });
    const { result, error } = (await called.json()) as { result?: { data: Answer }; error?: { message: string } };
    if (result === undefined) throw new Error(`${procedure}: ${error?.message ?? called.status}`);
    return result.data;
  }

  await page('phone.sendCode', { phone: user.phone });
  await page('phone.verifyCode', { code: user.code });
  const offer = await page<{ actions: string[] }>('consent.options');
  const { redirectTo } = await page<{ redirectTo: string }>('consent.grant', {
    actions: consent.actions ?? offer.actions,
    mode: consent.tickets === undefined ? 'all_current_future' : 'selected',
    ticketIds: consent.tickets ?? [],
  });
  return new URL(redirectTo);
}
