import { BASE_PATH } from '../base-path.ts';
import { forgetDrafts } from '../parts/draft.ts';

/** Ends the session and follows the redirect: the provider's logout, or the signed-out page. */
export async function signOut(): Promise<void> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(`${BASE_PATH}/auth/logout`, { method: 'POST', headers });
  if (!response.ok) throw new Error(`Signing out did not work (status ${response.status}).`);
  const { redirectTo } = (await response.json()) as { redirectTo: string };
  forgetDrafts();
  window.location.assign(redirectTo);
}
