import { FanApiError, SignInRequiredError } from './errors.ts';
import type { TokenSource } from './session.ts';
import { sendRepeating, type TransportOptions } from './transport.ts';

/** The fan has ended the access, or signed in again since. A refresh shows which of the two. */
const ENDED = 'grant_revoked';
/** Another access token may help. Without a code, something before the service answered, or the authorization server. */
const WORTH_A_REFRESH: readonly (string | null)[] = ['access_token_expired', 'access_token_invalid', ENDED, null];

const codeOf = (response: Response) => response.headers.get('x-error-code');

/**
 * A `fetch` with the fan's access token, for the Fan API and for userinfo and consent receipts of the authorization server. It
 * refreshes before a call, once more on a 401, sends a call again after `Retry-After`, and repeats a call without an answer: every
 * operation of the service may be repeated. @throws SignInRequiredError where access has ended
 */
export function authorizedFetch(
  session: TokenSource,
  options: TransportOptions = {},
): (input: Request | string | URL, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    const request = new Request(input, { credentials: 'omit', ...init });
    const { signal } = request;
    const send = (token: string) => {
      const authorized = request.clone();
      authorized.headers.set('Authorization', `Bearer ${token}`);
      return sendRepeating(authorized, options, { lost: true });
    };
    const token = await session.accessToken({ signal });
    const response = await send(token);
    if (response.status !== 401 || !WORTH_A_REFRESH.includes(codeOf(response))) return response;
    const another = await session.accessToken({ signal, refused: token });
    const last = another === token ? response : await send(another);
    if (codeOf(last) !== ENDED) return last;
    const body: unknown = await last.json().catch(() => undefined);
    throw new SignInRequiredError('refused', new FanApiError(last, body));
  };
}
