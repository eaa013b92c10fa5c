import { BASE_PATH } from '../kit/base-path.ts';

/** The sign-in, which returns to this view. */
export function signInAddress(): string {
  return `${BASE_PATH}/auth/sign-in?${returnParams()}`;
}

/** A fresh sign-in, which returns to this view. */
export function freshSignInAddress(): string {
  return `${BASE_PATH}/auth/step-up?${returnParams()}`;
}

function returnParams(): URLSearchParams {
  const { pathname, search } = window.location;
  return new URLSearchParams({ returnTo: `${pathname}${search}` });
}

/** The fresh sign-in of the embedded default, by one press. */
export async function confirmSession(): Promise<void> {
  const response = await fetch(`${BASE_PATH}/auth/confirm`, { method: 'POST' });
  if (!response.ok) throw new Error('You can’t confirm here. Sign in again instead.');
}
