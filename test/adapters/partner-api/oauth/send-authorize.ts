import { type AuthorizeChoice, authorizeUrl } from '../../../support/partner.ts';
import type { TestApp } from '../../../support/start-app.ts';

/** Sends an authorize request, with `more` parameters after those of a good one (so that a name can be given twice). */
export async function sendAuthorize(app: TestApp, choice: AuthorizeChoice = {}, more: [string, string][] = []) {
  const { url } = await authorizeUrl(app, choice);
  for (const [name, value] of more) url.searchParams.append(name, value);
  return sendQuery(app, url.searchParams.toString());
}

/** Sends a query as it stands. */
export async function sendQuery(app: TestApp, query: string) {
  return readAuthorize(await fetch(`${app.config.authUrl}/oauth2/authorize?${query}`, { redirect: 'manual' }));
}

/** What the authorization endpoint answered; `location` and its query where it redirects. */
export async function readAuthorize(answer: Response) {
  const location = answer.headers.get('location') ?? undefined;
  return {
    status: answer.status,
    headers: answer.headers,
    html: await answer.text(),
    location,
    query: location === undefined ? {} : Object.fromEntries(new URL(location).searchParams),
  };
}

/** The `error` with which an authorize request is sent back to the partner; null where it goes on to the login. */
export async function authorizeError(app: TestApp, choice: AuthorizeChoice = {}): Promise<string | null> {
  const { status, query } = await sendAuthorize(app, choice);
  if (status !== 302) throw new Error(`authorize answered ${status}`);
  return query.error ?? null;
}
