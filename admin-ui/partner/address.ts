import { BASE_PATH } from '../kit/base-path.ts';
import { Failure } from '../kit/data/call.ts';

/** The documentation for partners, on the same host. */
export const DOCS = '/docs';

/** What an error is and how to avoid it. @param code `X-Error-Code`, an OAuth error, or a refusal of the policy */
export function docsOfError(code: string): string {
  return `${DOCS}/errors#${encodeURIComponent(code)}`;
}

/** The workspace, which asks for a sign-in where there is no session. */
export function signInAddress(): string {
  return `${BASE_PATH}/`;
}

/** The sign-in with a partner's own provider, which returns to this view. */
export function providerAddress(partner: string): string {
  const { pathname, search } = window.location;
  return `${BASE_PATH}/auth/provider?${new URLSearchParams({ partner, returnTo: `${pathname}${search}` })}`;
}

/** Asks for a sign-in link by e-mail. The answer is the same for every address. @throws Failure */
export async function askForLink(email: string): Promise<void> {
  const response = await fetch(`${BASE_PATH}/auth/email`, {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams({ email }),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => {
    throw new Failure('unreachable', 'The service is not responding. Check your connection and try again.');
  });
  if (response.ok) return;
  const requestId = response.headers.get('X-Request-Id') ?? undefined;
  if (response.status === 429) {
    throw new Failure('rate_limited', 'Too many links were asked for. Try again later.', requestId);
  }
  if (response.status === 400) throw new Failure('invalid_request', 'Enter an e-mail address.', requestId);
  throw new Failure('unavailable', `No link could be sent (status ${response.status}). Try again.`, requestId);
}
