import type { AccountId } from '../../src/people/account/account.ts';
import { startSession } from '../../src/people/account/sessions.ts';
import { findLocalAdmin } from '../../src/people/staff/make-link.ts';
import type { TestApp } from './start-app.ts';

/** Signs an account in just now, by default the local admin. @returns the secret of the session */
export async function newSession(app: TestApp, account?: AccountId, replaces?: string): Promise<string> {
  const context = app.context();
  const id = account ?? (await findLocalAdmin(context)).id;
  const secret = await startSession(context, id, { authenticatedAt: context.now(), replaces });
  await context.em.flush();
  return secret;
}
