import { type AuthorizeChoice, authorizeUrl } from '../../../support/partner.ts';
import type { TestApp } from '../../../support/start-app.ts';

/** The `error` with which an authorize request is sent back to the partner; null where it goes on to the login. */
export async function authorizeError(app: TestApp, choice: AuthorizeChoice = {}): Promise<string | null> {
  const { url } = await authorizeUrl(app, choice);
  const answer = await fetch(url, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (answer.status !== 302 || location === null) throw new Error(`authorize answered ${answer.status}`);
  return new URL(location).searchParams.get('error');
}
