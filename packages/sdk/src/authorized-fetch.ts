import type { TokenSource } from './session.ts';
import { sendRepeating, type TransportOptions } from './transport.ts';

/** Another access token may help. Without a code, something before the service answered, or the authorization server. */
const WORTH_A_REFRESH: readonly (string | null)[] = ['access_token_expired', 'access_token_invalid', null];

/**
 * A `fetch` with the fan's access token, for the Fan API and for userinfo and consent receipts of the authorization server. It
 * refreshes before a call, once more on a 401, comes back where `Retry-After` says so, and repeats what got no answer: every
 * operation of the service bears that.
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
    if (response.status !== 401 || !WORTH_A_REFRESH.includes(response.headers.get('x-error-code'))) return response;
    const another = await session.accessToken({ signal, refused: token });
    return another === token ? response : send(another);
  };
}
