/** Where the console is mounted: the path of ADMIN_URL without a trailing slash. The server says so in `<base>`. */
export const BASE_PATH = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** Where staff sign in, to come back to this view. */
export function signInAddress(): string {
  return `${BASE_PATH}/auth/sign-in?${comingBack()}`;
}

/** Where who is signed in proves once more who they are. */
export function freshSignInAddress(): string {
  return `${BASE_PATH}/auth/step-up?${comingBack()}`;
}

function comingBack(): URLSearchParams {
  const { pathname, search } = window.location;
  return new URLSearchParams({ returnTo: `${pathname}${search}` });
}

/** Ends the session and goes where the service says: to the provider's logout, or to a page that says goodbye. */
export async function signOut(): Promise<void> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(`${BASE_PATH}/auth/logout`, { method: 'POST', headers });
  if (!response.ok) throw new Error(`Signing out did not work (status ${response.status}).`);
  const { redirectTo } = (await response.json()) as { redirectTo: string };
  window.location.assign(redirectTo);
}
